import { setTimeout } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import type { Authorization, Order } from 'acme-client';

import { Clock, loggerFor } from '../../common/index.js';
import { BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import type { DriverProof } from '../driver/index.js';
import type { CertificateOrder } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { type OpenSite, SiteAccess } from '../site-tools/index.js';
import { coversName } from '../sites/index.js';

import { AcmeProblem, Authorities, type Authority, type Challenge, detailOf, newCertificateKey, problemOf } from './acme/index.js';
import { acmeSettings } from './acme-settings.js';
import { AuthorityLimits } from './authority-limits.js';
import { CertificateBook } from './certificate-book.js';
import { CertificateError } from './certificate-errors.js';
import { CertificateNotices } from './certificate-notices.js';
import { ORDER_STEPS, ORDER_TASK, OrderBook, type OrderStep } from './order-book.js';
import { ProofBook } from './proof-book.js';
import { readCertificate } from './read-certificate.js';
import { SiteNames } from './site-names.js';

const log = loggerFor('certificates');
/** Attempts of a task while an authority does not answer, with waits of 20 s that double: three quarters of an hour. */
const ATTEMPTS = 8;
const BACKOFF_SECONDS = 20;
/** Waits between looks at what an authority is at, in milliseconds; the last ones repeat to the end. */
const LOOKS_MS = [300, 700, 1_000, 2_000, 3_000, 5_000];
/** How long an authority may be at one thing, in milliseconds. */
const PATIENCE_MS = 150_000;
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;
/** Problems that pass by themselves. */
const PASSING: readonly string[] = ['unreachable', 'slow'];
/** Problems of one name, which keeps the others from nothing. */
const OF_NAME: readonly string[] = ['dns', 'connection', 'answer', 'caa', 'rejected', 'gone'];

/** The order is not open any more: somebody cancelled it, its site is gone, or another process is through with it. */
class Ended extends Error {}

/**
 * Sees orders through: each step is written down before the next begins, so that whichever process has time goes on where the one before was killed.
 * Nothing of a certificate is in use before all of it is here and was read.
 */
@Injectable()
export class OrderRunner {
  constructor(
    private readonly orders: OrderBook,
    private readonly proofs: ProofBook,
    private readonly book: CertificateBook,
    private readonly limits: AuthorityLimits,
    private readonly authorities: Authorities,
    private readonly access: SiteAccess,
    private readonly names: SiteNames,
    private readonly notices: CertificateNotices,
    private readonly settings: SiteSettings,
    private readonly clock: Clock,
  ) {}

  @BackgroundTask({ name: ORDER_TASK, attempts: ATTEMPTS, backoffSeconds: BACKOFF_SECONDS, timeoutMinutes: 15, concurrency: 4 })
  async run(payload: unknown, turn: TaskTurn): Promise<void> {
    const order = await this.orders.find((payload as { order: number }).order);
    if (order?.state !== 'open') return;
    try {
      await this.proceed(order, turn);
    } catch (error) {
      turn.signal.throwIfAborted();
      if (error instanceof Ended) return;
      await this.stumble(order, error, turn.attempt >= ATTEMPTS);
    }
  }

  private async proceed(order: CertificateOrder, turn: TaskTurn): Promise<void> {
    const at = async (step: OrderStep, values: { orderUrl?: string; key?: string | null } = {}): Promise<void> => {
      turn.signal.throwIfAborted();
      turn.progress(ORDER_STEPS.indexOf(step), ORDER_STEPS.length);
      if (!(await this.orders.advance(order.id, { step, ...values }))) throw new Ended();
    };
    const site = await this.access.ofHost(order.accountId);
    // All of it was here when the process before was killed: the server may not have been told.
    if (order.step === 'installing') return this.install(site, order);
    const { isOn, mail, binding } = acmeSettings(this.settings.current);
    if (!isOn) throw new AcmeProblem('off');
    const own = await this.names.orderable(site.account);
    const lost = order.names.find((name) => !own.includes(name));
    if (lost !== undefined) throw new AcmeProblem('gone', { name: lost });

    await at('ordering');
    const authority = await this.authorities.open(order.directory, mail, binding);
    let remote = await this.remote(authority, order, (orderUrl) => at('ordering', { orderUrl }));
    if (remote.status === 'pending') {
      await at('proving');
      await this.prove(site, authority, remote, order, turn);
      remote = await this.until(turn, async () => settled(await authority.look(remote.url), ['pending']));
    }
    const key = this.orders.keyOf(order) ?? (await newCertificateKey());
    await at('issuing', { key });
    if (remote.status === 'ready') remote = await authority.finish(remote, key, order.names);
    if (remote.status !== 'valid')
      remote = await this.until(turn, async () => settled(await authority.look(remote.url), ['ready', 'processing']));
    if (remote.status !== 'valid') throw await this.why(authority, remote, order);
    const read = this.read(await authority.certificate(remote), key, order);
    await this.book.keep(order.accountId, read, order.directory);
    await at('installing', { key: null });
    await this.install(site, order);
  }

  /** The order at the authority: the one there is, or a new one, within what it allows. */
  private async remote(authority: Authority, order: CertificateOrder, keep: (url: string) => Promise<void>): Promise<Order> {
    if (order.orderUrl !== '') {
      const known = await authority.look(order.orderUrl).catch((error: unknown) => {
        if (error instanceof AcmeProblem && error.type === 'missing') return null;
        throw error;
      });
      if (known && known.status !== 'invalid') return known;
      const problem = known && (await this.why(authority, known, order));
      if (problem && problem.kind !== 'other') throw problem;
      // It forgot the order, or gave it up without a reason: the next one is a new order.
    }
    const reached = await this.limits.take(order.directory, order.names);
    if (reached) throw new AcmeProblem('limit', { until: `${reached.until.toISOString().slice(0, 16).replace('T', ' ')} UTC` });
    const made = await authority.order(order.names);
    await keep(made.url.slice(0, 500));
    return made;
  }

  /** Has the site show what the authority looks for, and the authority look. */
  private async prove(site: OpenSite, authority: Authority, remote: Order, order: CertificateOrder, turn: TaskTurn): Promise<void> {
    const open = (await authority.authorizations(remote)).filter(({ status }) => status === 'pending');
    const challenges = open.map((authorization) => proofOf(authorization));
    const shown: DriverProof[] = [];
    for (const { name, challenge } of challenges) shown.push({ name, token: challenge.token, answer: await authority.answerOf(challenge) });
    await this.proofs.add(site, shown);
    for (const { challenge } of challenges) {
      turn.signal.throwIfAborted();
      if (challenge.status === 'pending') await authority.check(challenge);
    }
    const looked = await this.until(turn, async () => {
      const all = await authority.authorizations(remote);
      return all.some(({ status }) => status === 'pending') && !all.some(({ status }) => status === 'invalid') ? null : all;
    });
    const failed = looked.filter(({ status }) => status !== 'valid' && status !== 'pending');
    for (const { identifier } of failed) await this.limits.failed(order.directory, identifier.value);
    if (failed[0]) throw problemOfName(failed[0]);
  }

  /** Why an authority gave an order up. */
  private async why(authority: Authority, remote: Order, order: CertificateOrder): Promise<AcmeProblem> {
    const failed = (await authority.authorizations(remote)).find(({ status }) => status === 'invalid');
    if (failed) return problemOfName(failed);
    return problemOf((remote as { error?: unknown }).error, order.names.length === 1 ? order.names[0] : '');
  }

  private read(chain: string, key: string, order: CertificateOrder) {
    try {
      // Their clock may be ahead of ours: what they sign is not refused for its times.
      const read = readCertificate(key, chain, null);
      if (order.names.every((name) => coversName(read.names, name))) return read;
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
    }
    throw new AcmeProblem('other', { name: '', detail: 'The authority’s answer is no certificate for these names.' });
  }

  private async install(site: OpenSite, order: CertificateOrder): Promise<void> {
    await this.book.tell(site);
    if (!(await this.orders.end(order.id, 'done'))) throw new Ended();
    await this.proofs.remove(site).catch((error: unknown) => log.warn({ err: error, order: order.id }, 'proofs stay for a while'));
    if (order.isRenewal) await this.notices.renewed(site.account, await this.book.of(order.accountId));
  }

  /** Asks until there is an answer. @throws AcmeProblem slow */
  private async until<T>(turn: TaskTurn, look: () => Promise<T | null>): Promise<T> {
    const end = Date.now() + PATIENCE_MS;
    for (let looks = 0; ; looks += 1) {
      const found = await look();
      if (found !== null) return found;
      if (Date.now() > end) throw new AcmeProblem('slow');
      await setTimeout(LOOKS_MS[Math.min(looks, LOOKS_MS.length - 1)], undefined, { signal: turn.signal });
    }
  }

  /** What becomes of an order that could not go on: it waits, its task tries again, or it has failed. */
  private async stumble(order: CertificateOrder, error: unknown, isLast: boolean): Promise<void> {
    const problem = asProblem(error);
    if (!problem) throw error;
    const { kind, params, type, retryAfterMs } = problem;
    if (type === 'accountDoesNotExist') await this.authorities.forget(order.directory);
    const passes = PASSING.includes(kind) || type === 'accountDoesNotExist';
    if (kind === 'limited' && retryAfterMs !== null) {
      const until = new Date(this.clock.now().getTime() + retryAfterMs);
      await this.orders.stall(order.id, kind, params, until);
      return;
    }
    if (passes && !isLast) {
      if (!(await this.orders.stall(order.id, kind, params, null))) return;
      throw problem;
    }
    log.warn({ order: order.id, account: order.accountId, problem: kind, type, ...params }, 'a certificate was not given');
    await this.fail(order, problem);
  }

  private async fail(order: CertificateOrder, { kind, params }: AcmeProblem): Promise<void> {
    if (!(await this.orders.end(order.id, 'failed', kind, params))) return;
    const site = await this.access.ofHost(order.accountId).catch(() => null);
    if (!site) return;
    await this.proofs.remove(site).catch((error: unknown) => log.warn({ err: error, order: order.id }, 'proofs stay for a while'));
    // Of several names that are to be renewed, one that leads elsewhere now does not take the others with it.
    const left = order.names.filter((name) => name !== params.name);
    if (order.isRenewal && OF_NAME.includes(kind) && left.length > 0 && left.length < order.names.length) {
      await this.notices.nameLost(site.account, order, params.name!, kind, params);
      await this.orders.open(order.accountId, left, order.directory, true);
      return;
    }
    const failures = order.isRenewal ? await this.book.renewalFailed(order.accountId) : 0;
    // Once when it begins to fail, not each time it is tried.
    if (failures <= 1) await this.notices.failed(site.account, order, kind, params);
  }
}

/** What kept an order from going on; null for what nobody foresaw. */
function asProblem(error: unknown): AcmeProblem | null {
  if (error instanceof AcmeProblem) return error;
  if (!(error instanceof HostingError)) return null;
  // The server may answer later; that the site is gone is decided by its rows.
  const isAway = error.code === 'NODE_UNREACHABLE' || error.code === 'NODE_UNCERTAIN';
  return isAway ? new AcmeProblem('slow') : new AcmeProblem('server', { detail: detailOf(error.message) });
}

/** An order that is not in one of these states any more; null where it is. */
const settled = (order: Order, states: readonly string[]): Order | null => (states.includes(order.status) ? null : order);

/** @throws AcmeProblem proof where the authority takes none by HTTP */
function proofOf({ identifier, challenges }: Authorization): { name: string; challenge: Challenge } {
  const challenge = challenges.find(({ type }) => type === 'http-01');
  if (!challenge || !TOKEN.test(challenge.token)) throw new AcmeProblem('proof', { name: identifier.value });
  return { name: identifier.value.toLowerCase(), challenge };
}

function problemOfName({ identifier, challenges }: Authorization): AcmeProblem {
  const failed = (challenges as (Challenge & { error?: unknown })[]).find(({ error }) => error !== undefined);
  const { kind, params, type } = problemOf(failed?.error);
  return new AcmeProblem(kind, { ...params, name: identifier.value }, type);
}
