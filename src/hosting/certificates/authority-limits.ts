import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import type { getDomain } from 'tldts';
import { LessThan, MoreThan } from 'typeorm';

import { DAY_MS, HOUR_MS, Clock, whenUsed } from '../../common/index.js';
import { Database, Generations } from '../../database/index.js';
import { CertificateUse } from '../entities/index.js';

const suffixes = whenUsed<{ getDomain: typeof getDomain }>('tldts');

const WEEK_MS = 7 * DAY_MS;

/** Rate limits of certificate authorities per account. Source: letsencrypt.org/docs/rate-limits; other authorities are not stricter. */
export const LIMITS = {
  /** Orders. */
  order: { max: 300, withinMs: 3 * HOUR_MS },
  /** Certificates for exactly the same names. */
  set: { max: 5, withinMs: WEEK_MS },
  /** Certificates for a registered domain and its subdomains. */
  domain: { max: 50, withinMs: WEEK_MS },
  /** Failed validations of a name. */
  failure: { max: 5, withinMs: HOUR_MS },
} as const;

type LimitKind = keyof typeof LIMITS;

/** A limit that is reached. */
export interface ReachedLimit {
  readonly kind: LimitKind;
  /** When there is room again. */
  readonly until: Date;
}

/** Incremented by every {@link AuthorityLimits.take}, whose transaction locks it: concurrent calls run one after another. */
const GENERATION = 'certificate-limits';

/**
 * Counts the use of the authorities' limits, so that none has to reject an order. The counts are rows, shared by all processes and kept
 * across restarts.
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

  /** Returns the limit an order for these names would exceed; null if there is none. */
  async reached(directory: string, names: readonly string[]): Promise<ReachedLimit | null> {
    for (const [kind, subject] of [...usesOf(names), ...names.map((name): [LimitKind, string] => ['failure', name])]) {
      const { max, withinMs } = LIMITS[kind];
      const since = new Date(this.clock.now().getTime() - withinMs);
      const counted = { directory: digest(directory), kind, subject: digest(subject), usedAt: MoreThan(since) };
      const found = await this.rows.find({ where: counted, order: { usedAt: 'DESC' }, take: max, select: { id: true, usedAt: true } });
      if (found.length >= max) return { kind, until: new Date(found.at(-1)!.usedAt.getTime() + withinMs) };
    }
    return null;
  }

  /** Counts an order for these names. @returns the limit that prevents it, in which case nothing is counted; null otherwise */
  take(directory: string, names: readonly string[]): Promise<ReachedLimit | null> {
    return this.database.transaction(async () => {
      await this.generations.bump(GENERATION);
      const reached = await this.reached(directory, names);
      if (!reached) await this.add(directory, usesOf(names));
      return reached;
    });
  }

  /** Counts a failed validation of a name. */
  async failed(directory: string, name: string): Promise<void> {
    await this.add(directory, [['failure', name]]);
  }

  /** Deletes counts that are too old to matter. */
  async forget(): Promise<void> {
    await this.rows.delete({ usedAt: LessThan(new Date(this.clock.now().getTime() - WEEK_MS)) });
  }

  private async add(directory: string, uses: readonly [LimitKind, string][]): Promise<void> {
    const usedAt = this.clock.now();
    await this.rows.insert(uses.map(([kind, subject]) => ({ directory: digest(directory), kind, subject: digest(subject), usedAt })));
  }
}

/** What an order for these names counts against. */
function usesOf(names: readonly string[]): [LimitKind, string][] {
  const domains = new Set(names.map((name) => suffixes().getDomain(name) ?? name));
  return [['order', ''], ['set', [...names].sort().join(' ')], ...[...domains].map((domain): [LimitKind, string] => ['domain', domain])];
}

const digest = (text: string): string => (text === '' ? '' : hash('sha256', text, 'hex'));
