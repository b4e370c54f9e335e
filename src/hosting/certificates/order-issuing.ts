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

/** Delays between polls of an authority, in milliseconds; the last one repeats. */
const POLL_DELAYS_MS = [300, 700, 1_000, 2_000, 3_000, 5_000];
/** How long an authority may take for one step, in milliseconds. */
const STEP_TIMEOUT_MS = 150_000;
/** Problems an authority reports if it validated while the process was interrupted, and nothing or something else answered. */
const WHILE_INTERRUPTED: readonly string[] = ['connection', 'answer'];
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;

/** Saves the step that begins and the values needed to resume it. Throws when the order is no longer open. */
export type BeginStep = (step: OrderStep, values?: { orderUrl?: string; key?: string | null }) => Promise<void>;

/** Obtains a certificate from its authority: order, challenges, key, download. */
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

  /** Clears the account at an authority that no longer knows it; the next order registers it again. */
  async forget(directory: string): Promise<void> {
    await this.authorities.forget(directory);
  }

  /**
   * Obtains and validates the certificate of an order.
   *
   * @param key of an earlier attempt; null generates one
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
      remote = await this.until(turn, async () => unlessIn(await authority.getOrder(remote.url), ['pending']));
    }
    const ownKey = key ?? (await newCertificateKey());
    await begin('issuing', { key: ownKey });
    if (remote.status === 'ready') remote = await authority.finish(remote, ownKey, order.names);
    if (remote.status !== 'valid')
      remote = await this.until(turn, async () => unlessIn(await authority.getOrder(remote.url), ['ready', 'processing']));
    if (remote.status !== 'valid') throw await this.rejectionOf(authority, remote, order);
    return this.read(await authority.certificate(remote), ownKey, order);
  }

  /** Returns the order at the authority: the existing one, or a new one within the rate limits. */
  private async remote(authority: Authority, order: CertificateOrder, keep: (url: string) => Promise<void>): Promise<Order> {
    if (order.orderUrl !== '') {
      const known = await authority.getOrder(order.orderUrl).catch((error: unknown) => {
        if (error instanceof AcmeProblem && error.type === 'missing') return null;
        throw error;
      });
      if (known && known.status !== 'invalid') return known;
      const problem = known && (await this.rejectionOf(authority, known, order));
      const mayPass =
        problem !== null && (problem.kind === 'other' || (order.step !== 'issuing' && WHILE_INTERRUPTED.includes(problem.kind)));
      if (problem && !mayPass) throw problem;
      // The authority lost the order, gave no reason, or validated while the process was interrupted: create a new one.
    }
    const reached = await this.limits.take(order.directory, order.names);
    if (reached) throw new AcmeProblem('limit', { until: timeInSentence(reached.until, 'UTC') });
    const made = await authority.order(order.names);
    await keep(made.url.slice(0, 500));
    return made;
  }

  /** Publishes the challenges of the site and asks the authority to validate them. */
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
    const validated = await this.until(turn, async () => {
      const all = await authority.authorizations(remote);
      return all.some(({ status }) => status === 'pending') && !all.some(({ status }) => status === 'invalid') ? null : all;
    });
    const problem = await this.problemOfProofs(
      order,
      validated.filter(({ status }) => status !== 'valid' && status !== 'pending'),
    );
    if (problem) throw problem;
  }

  /** Returns why an authority rejected an order, and counts failed validations. */
  private async rejectionOf(authority: Authority, remote: Order, order: CertificateOrder): Promise<AcmeProblem> {
    const failed = (await authority.authorizations(remote)).filter(({ status }) => status === 'invalid');
    const problem = await this.problemOfProofs(order, failed);
    return problem ?? problemOf((remote as { error?: unknown }).error, order.names.length === 1 ? order.names[0] : '');
  }

  /** Counts failed validations against the rate limits. @returns the problem of the first; null if none failed */
  private async problemOfProofs(order: CertificateOrder, failed: readonly Authorization[]): Promise<AcmeProblem | null> {
    for (const { identifier } of failed) await this.limits.failed(order.directory, identifier.value);
    return failed[0] ? problemOfName(failed[0]) : null;
  }

  private read(chain: string, key: string, order: CertificateOrder) {
    try {
      // Validity times are not checked, because the authority's clock may be ahead of ours.
      const read = readCertificate(key, chain, null);
      if (order.names.every((name) => coversName(read.names, name))) return read;
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
    }
    throw new AcmeProblem('other', { name: '', detail: 'The certificate from the authority does not cover these names.' });
  }

  /** Polls until there is a result. @throws AcmeProblem slow */
  private async until<T>(turn: TaskTurn, poll: () => Promise<T | null>): Promise<T> {
    const end = Date.now() + STEP_TIMEOUT_MS;
    for (let polls = 0; ; polls += 1) {
      const found = await poll();
      if (found !== null) return found;
      if (Date.now() > end) throw new AcmeProblem('slow');
      await setTimeout(POLL_DELAYS_MS[Math.min(polls, POLL_DELAYS_MS.length - 1)], undefined, { signal: turn.signal });
    }
  }
}

/** Returns an order that has left these states; null otherwise. */
const unlessIn = (order: Order, states: readonly string[]): Order | null => (states.includes(order.status) ? null : order);

/** @throws AcmeProblem proof when the authority offers no HTTP challenge */
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
