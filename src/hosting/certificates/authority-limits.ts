import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import type { getDomain } from 'tldts';
import { LessThan, MoreThan } from 'typeorm';

import { DAY_MS, HOUR_MS, Clock, whenUsed } from '../../common/index.js';
import { Database, Generations } from '../../database/index.js';
import { CertificateUse } from '../entities/index.js';

const suffixes = whenUsed<{ getDomain: typeof getDomain }>('tldts');

const WEEK_MS = 7 * DAY_MS;

/** Rate limits of certificate authorities for one account. Source: letsencrypt.org/docs/rate-limits; others allow no less. */
export const LIMITS = {
  /** Orders. */
  order: { most: 300, withinMs: 3 * HOUR_MS },
  /** Certificates for the very same names. */
  set: { most: 5, withinMs: WEEK_MS },
  /** Certificates for a registered domain and what is below it. */
  domain: { most: 50, withinMs: WEEK_MS },
  /** Failed proofs of a name. */
  failure: { most: 5, withinMs: HOUR_MS },
} as const;

type LimitKind = keyof typeof LIMITS;

/** A limit that is reached. */
export interface ReachedLimit {
  readonly kind: LimitKind;
  /** From when on there is room again. */
  readonly until: Date;
}

/** Raised by whoever takes, whose transaction holds it: two who would take the last come one after the other. */
const GENERATION = 'certificate-limits';

/**
 * Counts what of the authorities' limits is used, so that no authority has to refuse. Kept as rows: a restart forgets
 * nothing, and no other process.
 */
@Injectable()
export class AuthorityLimits {
  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(CertificateUse);
  }

  /** The limit an order for these names would break; null where it may be made. */
  async reached(directory: string, names: readonly string[]): Promise<ReachedLimit | null> {
    for (const [kind, subject] of [...ordered(names), ...names.map((name): [LimitKind, string] => ['failure', name])]) {
      const { most, withinMs } = LIMITS[kind];
      const since = new Date(this.clock.now().getTime() - withinMs);
      const counted = { directory: digest(directory), kind, subject: digest(subject), usedAt: MoreThan(since) };
      const found = await this.rows.find({ where: counted, order: { usedAt: 'DESC' }, take: most, select: { id: true, usedAt: true } });
      if (found.length >= most) return { kind, until: new Date(found.at(-1)!.usedAt.getTime() + withinMs) };
    }
    return null;
  }

  /** Takes an order for these names. @returns the limit that leaves no room for it, which then is not taken; null where it is */
  take(directory: string, names: readonly string[]): Promise<ReachedLimit | null> {
    return this.database.transaction(async () => {
      await this.generations.bump(GENERATION);
      const reached = await this.reached(directory, names);
      if (!reached) await this.add(directory, ordered(names));
      return reached;
    });
  }

  /** Counts a proof of a name that failed. */
  async failed(directory: string, name: string): Promise<void> {
    await this.add(directory, [['failure', name]]);
  }

  /** Forgets what counts no more. */
  async forget(): Promise<void> {
    await this.rows.delete({ usedAt: LessThan(new Date(this.clock.now().getTime() - WEEK_MS)) });
  }

  private async add(directory: string, uses: readonly [LimitKind, string][]): Promise<void> {
    const usedAt = this.clock.now();
    await this.rows.insert(uses.map(([kind, subject]) => ({ directory: digest(directory), kind, subject: digest(subject), usedAt })));
  }
}

/** What an order for these names counts as. */
function ordered(names: readonly string[]): [LimitKind, string][] {
  const domains = new Set(names.map((name) => suffixes().getDomain(name) ?? name));
  return [['order', ''], ['set', [...names].sort().join(' ')], ...[...domains].map((domain): [LimitKind, string] => ['domain', domain])];
}

const digest = (text: string): string => (text === '' ? '' : hash('sha256', text, 'hex'));
