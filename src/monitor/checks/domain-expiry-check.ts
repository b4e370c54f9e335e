import { Injectable } from '@nestjs/common';
import type { getDomain } from 'tldts';

import { DAY_MS, HOUR_MS, Clock, packWords, unpackWords, whenUsed } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { DomainExpiry, type MonitorTask } from '../entities/index.js';

import type { CheckKind } from './check-kind.js';
import { failed, passed, unknown, type CheckOutcome } from './outcome.js';
import { Rdap, type RdapAnswer } from './rdap.js';

/** Minimum time between two queries to a registry about one name, in milliseconds, for all monitors together. */
export const ASKED_EVERY_MS = 12 * HOUR_MS;
/** Number of consecutive failed queries after which the owner is notified that the expiry is unknown. */
export const MAX_FAILED_QUERIES = 4;

const suffixes = whenUsed<{ getDomain: typeof getDomain }>('tldts');

/** Returns the registered part of a name, such as `example.co.uk` for `www.example.co.uk`; null if there is none. */
export const registeredPart = (name: string): string | null =>
  suffixes().getDomain(name.replace(/\.$/, ''), { allowPrivateDomains: false });

/**
 * Checks when a domain expires. The last known answer stays valid while the registry is unreachable, which does not mean that the domain
 * has expired. Monitors of the same name share one query.
 */
@Injectable()
export class DomainExpiryCheck implements CheckKind {
  private readonly add;
  private readonly claim;
  private readonly fail;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly rdap: Rdap,
  ) {
    this.add = database.statement(`${database.insertIgnore} {DomainExpiry} ({DomainExpiry.domain}) VALUES (?)`);
    this.claim = database.statement(
      `UPDATE {DomainExpiry} SET {DomainExpiry.triedAt} = ?
       WHERE {DomainExpiry.domain} = ? AND ({DomainExpiry.triedAt} IS NULL OR {DomainExpiry.triedAt} <= ?)`,
    );
    this.fail = database.statement(
      `UPDATE {DomainExpiry} SET {DomainExpiry.failures} = {DomainExpiry.failures} + 1, {DomainExpiry.problem} = ?
        WHERE {DomainExpiry.domain} = ?`,
    );
  }

  async check({ url, warnDays }: MonitorTask): Promise<CheckOutcome | null> {
    const domain = registeredPart(url);
    if (domain === null) return unknown({ key: 'monitor.problem.domain_suffix', params: { name: url } }, 'told');
    const now = this.clock.now();
    await this.add.run(domain);
    const { affected } = await this.claim.run(now, domain, new Date(now.getTime() - ASKED_EVERY_MS));
    if (affected === 1) await this.keep(domain, await this.rdap.ask(domain), now);
    const known = await this.database.repository(DomainExpiry).findOneByOrFail({ domain });
    return outcomeOf(known, warnDays, now);
  }

  private async keep(domain: string, answer: RdapAnswer, now: Date): Promise<void> {
    if (answer.kind === 'failed') return void (await this.fail.run(packWords(answer.problem), domain));
    const tld = domain.slice(domain.lastIndexOf('.') + 1);
    const silence = answer.kind === 'no_rdap' ? packWords({ key: 'monitor.problem.no_rdap', params: { tld } }) : null;
    await this.database.repository(DomainExpiry).update(
      { domain },
      {
        isRegistered: answer.kind !== 'unregistered',
        expiresAt: answer.kind === 'found' ? answer.expiresAt : null,
        answeredAt: now,
        failures: 0,
        problem: silence,
      },
    );
  }
}

function outcomeOf(
  { isRegistered, expiresAt, answeredAt, failures, problem }: DomainExpiry,
  warnDays: number,
  now: Date,
): CheckOutcome | null {
  const kept = unpackWords(problem ?? '');
  const reason = typeof kept === 'string' ? { key: 'monitor.problem.failed' } : kept;
  if (failures === 0) {
    if (!answeredAt) return null;
    if (!isRegistered) return failed({ key: 'monitor.problem.domain_unregistered' });
    if (problem) return unknown(reason, 'told');
    if (!expiresAt) return unknown({ key: 'monitor.problem.domain_no_date' }, 'told');
  }
  const isTold = failures >= MAX_FAILED_QUERIES ? 'told' : 'quiet';
  if (!expiresAt) return unknown({ key: 'monitor.problem.domain_silent', params: { reason, n: failures } }, isTold);
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS);
  const date = expiresAt.toISOString().slice(0, 10);
  if (days >= 0 && days < warnDays) return failed({ key: 'monitor.problem.domain_soon', params: { days, date } }, null, days);
  if (failures > 0 && (days < 0 || isTold === 'told'))
    return unknown({ key: 'monitor.problem.domain_silent_since', params: { reason, n: failures, date } }, isTold);
  return days < 0 ? failed({ key: 'monitor.problem.domain_over', params: { date } }, null, days) : passed(null, days);
}
