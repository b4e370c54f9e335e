import { setTimeout } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import type { Authorization, Order } from 'acme-client';

import { timeInSentence } from '../../common/index.js';
import type { TaskTurn } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import type { DriverProof } from '../driver/index.js';
import type { CertificateOrder } from '../entities/index.js';
import type { OpenSite } from '../site-tools/index.js';
import { coversName } from '../sites/index.js';

import { AcmeProblem, Authorities, type Authority, type Challenge, newCertificateKey, problemOf } from './acme/index.js';
import { acmeSettings } from './acme-settings.js';
import { AuthorityLimits } from './authority-limits.js';
import { CertificateError } from './certificate-errors.js';
import type { OrderStep } from './certificate-order-repository.js';
import { ProofRepository } from './proof-repository.js';
import { readCertificate } from './read-certificate.js';

/** Waits between looks at what an authority is at, in milliseconds; the last ones repeat to the end. */
const LOOKS_MS = [300, 700, 1_000, 2_000, 3_000, 5_000];
/** How long an authority may be at one thing, in milliseconds. */
const PATIENCE_MS = 150_000;
/** What an authority says that found nobody, as while a process has ended in the middle, or that saw what was in its place. */
const WHILE_AWAY: readonly string[] = ['connection', 'answer'];
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;

/** Writes down which step begins, and what has to be known to go on with it. Throws where the order is not open any more. */
export type BeginStep = (step: OrderStep, values?: { orderUrl?: string; key?: string | null }) => Promise<void>;

/** Gets a certificate from its authority: order, proof, key, answer. */
@Injectable()
export class OrderIssuing {
  constructor(
    private readonly proofs: ProofRepository,
    private readonly limits: AuthorityLimits,
    private readonly authorities: Authorities,
    private readonly settings: SiteSettings,
  ) {}

  /** Whether certificates are ordered at all. */
  get isOn(): boolean {
    return acmeSettings(this.settings.current).isOn;
  }

  /** Forgets the account at an authority that does not know it any more: the next order opens one. */
  async forget(directory: string): Promise<void> {
    await this.authorities.forget(directory);
  }

  /**
   * The certificate of an order, read and for its names.
   *
   * @param key of an earlier turn; null: a new one is made
   * @throws AcmeProblem
   */
  async issue(site: OpenSite, order: CertificateOrder, key: string | null, begin: BeginStep, turn: TaskTurn) {
    const { mail, binding } = acmeSettings(this.settings.current);
    await begin('ordering');
    const authority = await this.authorities.open(order.directory, mail, binding);
    let remote = await this.remote(authority, order, (orderUrl) => begin('ordering', { orderUrl }));
    if (remote.status === 'pending') {
      await begin('proving');
      await this.prove(site, authority, remote, order, turn);
      remote = await this.until(turn, async () => unlessIn(await authority.look(remote.url), ['pending']));
    }
    const ownKey = key ?? (await newCertificateKey());
    await begin('issuing', { key: ownKey });
    if (remote.status === 'ready') remote = await authority.finish(remote, ownKey, order.names);
    if (remote.status !== 'valid')
      remote = await this.until(turn, async () => unlessIn(await authority.look(remote.url), ['ready', 'processing']));
    if (remote.status !== 'valid') throw await this.why(authority, remote, order);
    return this.read(await authority.certificate(remote), ownKey, order);
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
      const mayPass = problem !== null && (problem.kind === 'other' || (order.step !== 'issuing' && WHILE_AWAY.includes(problem.kind)));
      if (problem && !mayPass) throw problem;
      // It forgot the order, gave it up without a reason, or looked between two turns, when nobody may have been there: a new one tells.
    }
    const reached = await this.limits.take(order.directory, order.names);
    if (reached) throw new AcmeProblem('limit', { until: timeInSentence(reached.until, 'UTC') });
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
    const problem = await this.problemOfProofs(
      order,
      looked.filter(({ status }) => status !== 'valid' && status !== 'pending'),
    );
    if (problem) throw problem;
  }

  /** Why an authority gave an order up; proofs that failed are counted. */
  private async why(authority: Authority, remote: Order, order: CertificateOrder): Promise<AcmeProblem> {
    const failed = (await authority.authorizations(remote)).filter(({ status }) => status === 'invalid');
    const problem = await this.problemOfProofs(order, failed);
    return problem ?? problemOf((remote as { error?: unknown }).error, order.names.length === 1 ? order.names[0] : '');
  }

  /** Counts proofs that failed against what the authority allows. @returns what the first of them says; null where there is none */
  private async problemOfProofs(order: CertificateOrder, failed: readonly Authorization[]): Promise<AcmeProblem | null> {
    for (const { identifier } of failed) await this.limits.failed(order.directory, identifier.value);
    return failed[0] ? problemOfName(failed[0]) : null;
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
}

/** An order that is not in one of these states any more; null where it is. */
const unlessIn = (order: Order, states: readonly string[]): Order | null => (states.includes(order.status) ? null : order);

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
