import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual, Not } from 'typeorm';

import { DAY_MS, Clock } from '../common/index.js';
import { Database, isUniqueViolation } from '../database/index.js';

import type { DnsProblem } from './dns-problem.js';
import { plain } from './dns-providers.js';
import { DnsEntry, type EntryState, type EntryType, type OwnRecord, valueOf } from './entities/index.js';
import { DnsError } from './errors.js';
import { waitAfter } from './wait-after.js';

/** Desired record of a name. */
export interface WantedEntry {
  /** 0 removes the record. */
  readonly providerId: number;
  readonly type: EntryType;
  readonly value: string;
  /** TTL in seconds; optional. */
  readonly ttl?: number;
}

/** Default TTL in seconds: the minimum all providers accept. */
const DEFAULT_TTL = 600;
/** Lease time of a worker in milliseconds; longer than a few calls with their timeouts. */
const LEASE_MS = 5 * 60_000;
/** How often an up-to-date record is verified, in milliseconds. */
const VERIFY_EVERY_MS = DAY_MS;
/** Maximum retry delay of a record, in seconds. */
const MAX_DELAY_SECONDS = 6 * 3_600;

/** Thrown when another worker has taken over the record. */
export class Superseded extends Error {}

/** Stores DNS entries. A worker claims an entry by its version counter and cannot write after losing the claim. */
@Injectable()
export class EntryRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(DnsEntry);
  }

  /** Returns a page of entries, newest first. */
  async page(state: EntryState | null, offset: number, limit: number): Promise<{ total: number; rows: DnsEntry[] }> {
    const where = state === null ? {} : { state };
    const [rows, total] = await this.rows.findAndCount({ where, order: { id: 'DESC' }, skip: offset, take: limit });
    return { total, rows };
  }

  /** Returns entries in id order after an id. */
  after(id: number, limit: number): Promise<DnsEntry[]> {
    return this.rows.createQueryBuilder('e').where('e.id > :id', { id }).orderBy('e.id', 'ASC').take(limit).getMany();
  }

  /** Returns the entries that point these names to their hosts. */
  byNames(names: readonly string[]): Promise<DnsEntry[]> {
    return names.length === 0 ? Promise.resolve([]) : this.rows.findBy({ name: In([...names]), slot: 0 });
  }

  /** Returns the entries of owners' records by the record ids. */
  bySlots(slots: readonly number[]): Promise<DnsEntry[]> {
    return slots.length === 0 ? Promise.resolve([]) : this.rows.findBy({ slot: In([...slots]) });
  }

  /** Returns the other entries of the same name that may exist at a provider. */
  async beside({ id, name }: DnsEntry): Promise<DnsEntry[]> {
    return (await this.rows.findBy({ name })).filter((entry) => entry.id !== id && entry.own !== null);
  }

  /** @throws DnsError ENTRY_MISSING */
  async find(id: number): Promise<DnsEntry> {
    const row = await this.rows.findOneBy({ id });
    if (!row) throw new DnsError('ENTRY_MISSING');
    return row;
  }

  /** Counts names with a failed record; failed owners' records are not included. */
  countFailed(): Promise<number> {
    return this.rows.countBy({ state: 'failed', slot: 0 });
  }

  /** Returns due entries, except those of providers with a retry delay. */
  due(resting: readonly number[], limit: number): Promise<DnsEntry[]> {
    const others = resting.length === 0 ? {} : { providerId: Not(In([...resting])), ownProviderId: Not(In([...resting])) };
    return this.rows.find({
      where: { dueAt: LessThanOrEqual(this.clock.now()), ...others },
      order: { dueAt: 'ASC', id: 'ASC' },
      take: limit,
    });
  }

  /** Stores the desired record of a name; does nothing if it is unchanged. */
  async want(name: string, wanted: WantedEntry, present: DnsEntry | undefined, slot = 0): Promise<void> {
    const now = this.clock.now();
    const { providerId, type, ttl = DEFAULT_TTL } = wanted;
    const target = slot === 0 ? { value: wanted.value, content: null } : { value: '', content: wanted.value };
    const values = { providerId, type, ttl, ...target };
    const waits = { state: 'waiting' as const, problem: '', problemParams: null, failures: 0, dueAt: now, changedAt: now };
    if (!present) {
      const mark = `svc-panel ${randomBytes(8).toString('hex')}`;
      await this.rows.insert({ name, slot, ...values, ownProviderId: 0, own: null, mark, turn: 0, ...waits }).catch((error: unknown) => {
        // Another process inserted it first.
        if (!isUniqueViolation(error)) throw error;
      });
      return;
    }
    const { id, turn } = present;
    const isSame = present.providerId === providerId && present.type === type && valueOf(present) === wanted.value;
    if (isSame && present.ttl === ttl) return;
    await this.rows.update({ id, turn }, { ...values, ...waits, turn: turn + 1 });
  }

  /** Claims an entry. @returns its current state; null if another worker has it */
  async claim({ id, turn }: DnsEntry): Promise<DnsEntry | null> {
    const dueAt = new Date(this.clock.now().getTime() + LEASE_MS);
    const { affected } = await this.rows.update({ id, turn }, { turn: turn + 1, dueAt });
    return affected === 1 ? this.rows.findOneBy({ id, turn: turn + 1 }) : null;
  }

  /** Stores which record may be ours at a provider, before and after it is created. @throws Superseded */
  async own({ id, turn }: DnsEntry, ownProviderId: number, own: OwnRecord | null): Promise<void> {
    await this.write({ id, turn }, { ownProviderId: own === null ? 0 : ownProviderId, own });
  }

  /** Marks an entry as up to date. @param note `theirs` or '' @throws Superseded */
  async done({ id, turn }: DnsEntry, note: 'theirs' | ''): Promise<void> {
    const dueAt = new Date(this.clock.now().getTime() + VERIFY_EVERY_MS);
    await this.write({ id, turn }, { state: 'done', problem: note, problemParams: null, failures: 0, dueAt });
  }

  /** Deletes an entry that is neither desired nor present at a provider. */
  async forget({ id, turn }: DnsEntry): Promise<void> {
    await this.rows.delete({ id, turn });
  }

  /** Marks an entry as failed. @param retryAt time of the retry; null for its own backoff @throws Superseded */
  async failed({ id, turn, failures }: DnsEntry, problem: DnsProblem, retryAt: Date | null): Promise<void> {
    const now = this.clock.now();
    const dueAt = retryAt ?? new Date(now.getTime() + waitAfter(failures, MAX_DELAY_SECONDS) * 1_000);
    // If the provider fails, nothing is known about this record.
    const state = problem.isOfProvider ? 'waiting' : 'failed';
    await this.write(
      { id, turn },
      {
        state,
        problem: problem.code,
        problemParams: plain(problem.params),
        failures: problem.isOfProvider ? failures : failures + 1,
        dueAt,
      },
    );
  }

  /** Schedules an entry immediately. @throws DnsError ENTRY_MISSING */
  async scheduleNow(id: number): Promise<DnsEntry> {
    const row = await this.find(id);
    await this.rows.update({ id, turn: row.turn }, { dueAt: this.clock.now() });
    return row;
  }

  private async write({ id, turn }: Pick<DnsEntry, 'id' | 'turn'>, values: Partial<DnsEntry>): Promise<void> {
    const { affected } = await this.rows.update({ id, turn }, { ...values, changedAt: this.clock.now() });
    if (affected !== 1) throw new Superseded();
  }
}
