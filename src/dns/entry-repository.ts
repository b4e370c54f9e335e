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

/** Where a name is to lead. */
export interface WantedEntry {
  /** 0: nowhere. */
  readonly providerId: number;
  readonly type: EntryType;
  readonly value: string;
  /** Seconds; the usual ones where nothing is said. */
  readonly ttl?: number;
}

/** Seconds a resolver may keep a record where nothing else is said: the least all providers take. */
const USUAL_TTL = 600;
/** How long somebody who works on an entry is taken for alive, in milliseconds: longer than a few calls that end in time. */
const LEASE_MS = 5 * 60_000;
/** How often one that is as it should be is looked at again, in milliseconds. */
const LOOK_AGAIN_MS = DAY_MS;
/** Longest wait after one that cannot be set, in seconds. */
const LONGEST_WAIT = 6 * 3_600;

/** Somebody else is at it now. */
export class Superseded extends Error {}

/** Rows of records. Who works on one has its turn, and writes nothing after he has lost it. */
@Injectable()
export class EntryRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(DnsEntry);
  }

  /** The newest first. */
  async page(state: EntryState | null, offset: number, limit: number): Promise<{ total: number; rows: DnsEntry[] }> {
    const where = state === null ? {} : { state };
    const [rows, total] = await this.rows.findAndCount({ where, order: { id: 'DESC' }, skip: offset, take: limit });
    return { total, rows };
  }

  /** In the order of their ids, after one of them. */
  after(id: number, limit: number): Promise<DnsEntry[]> {
    return this.rows.createQueryBuilder('e').where('e.id > :id', { id }).orderBy('e.id', 'ASC').take(limit).getMany();
  }

  /** Those that lead these names to their hosts. */
  byNames(names: readonly string[]): Promise<DnsEntry[]> {
    return names.length === 0 ? Promise.resolve([]) : this.rows.findBy({ name: In([...names]), slot: 0 });
  }

  /** Those of records owners have set, by the ids of these. */
  bySlots(slots: readonly number[]): Promise<DnsEntry[]> {
    return slots.length === 0 ? Promise.resolve([]) : this.rows.findBy({ slot: In([...slots]) });
  }

  /** All others of the same name that may be at a provider. */
  async beside({ id, name }: DnsEntry): Promise<DnsEntry[]> {
    return (await this.rows.findBy({ name })).filter((entry) => entry.id !== id && entry.own !== null);
  }

  /** @throws DnsError ENTRY_MISSING */
  async find(id: number): Promise<DnsEntry> {
    const row = await this.rows.findOneBy({ id });
    if (!row) throw new DnsError('ENTRY_MISSING');
    return row;
  }

  /** Names whose record could not be set; what owners set beside them is theirs to see to. */
  countFailed(): Promise<number> {
    return this.rows.countBy({ state: 'failed', slot: 0 });
  }

  /** Those somebody has to look at, but for providers that are left alone. */
  due(resting: readonly number[], limit: number): Promise<DnsEntry[]> {
    const others = resting.length === 0 ? {} : { providerId: Not(In([...resting])), ownProviderId: Not(In([...resting])) };
    return this.rows.find({
      where: { dueAt: LessThanOrEqual(this.clock.now()), ...others },
      order: { dueAt: 'ASC', id: 'ASC' },
      take: limit,
    });
  }

  /** Writes down what is wanted of a name. One that was wanted so before stays as it is. */
  async want(name: string, wanted: WantedEntry, present: DnsEntry | undefined, slot = 0): Promise<void> {
    const now = this.clock.now();
    const { providerId, type, ttl = USUAL_TTL } = wanted;
    const said = slot === 0 ? { value: wanted.value, content: null } : { value: '', content: wanted.value };
    const values = { providerId, type, ttl, ...said };
    const waits = { state: 'waiting' as const, problem: '', problemParams: null, failures: 0, dueAt: now, changedAt: now };
    if (!present) {
      const mark = `svc-panel ${randomBytes(8).toString('hex')}`;
      await this.rows.insert({ name, slot, ...values, ownProviderId: 0, own: null, mark, turn: 0, ...waits }).catch((error: unknown) => {
        // Another process was first.
        if (!isUniqueViolation(error)) throw error;
      });
      return;
    }
    const { id, turn } = present;
    const isSame = present.providerId === providerId && present.type === type && valueOf(present) === wanted.value;
    if (isSame && present.ttl === ttl) return;
    await this.rows.update({ id, turn }, { ...values, ...waits, turn: turn + 1 });
  }

  /** Begins to work on one. @returns it as it is now; null where somebody else is at it */
  async claim({ id, turn }: DnsEntry): Promise<DnsEntry | null> {
    const dueAt = new Date(this.clock.now().getTime() + LEASE_MS);
    const { affected } = await this.rows.update({ id, turn }, { turn: turn + 1, dueAt });
    return affected === 1 ? this.rows.findOneBy({ id, turn: turn + 1 }) : null;
  }

  /** Writes down what may be ours at a provider: before it is made there, and after. @throws Superseded */
  async own({ id, turn }: DnsEntry, ownProviderId: number, own: OwnRecord | null): Promise<void> {
    await this.write({ id, turn }, { ownProviderId: own === null ? 0 : ownProviderId, own });
  }

  /** It is as it should be. @param note `theirs`, or nothing @throws Superseded */
  async done({ id, turn }: DnsEntry, note: 'theirs' | ''): Promise<void> {
    const dueAt = new Date(this.clock.now().getTime() + LOOK_AGAIN_MS);
    await this.write({ id, turn }, { state: 'done', problem: note, problemParams: null, failures: 0, dueAt });
  }

  /** Nothing is wanted, and nothing there. */
  async forget({ id, turn }: DnsEntry): Promise<void> {
    await this.rows.delete({ id, turn });
  }

  /** Something is in the way. @param retryAt when it is tried again; null: after a wait of its own @throws Superseded */
  async failed({ id, turn, failures }: DnsEntry, problem: DnsProblem, retryAt: Date | null): Promise<void> {
    const now = this.clock.now();
    const dueAt = retryAt ?? new Date(now.getTime() + waitAfter(failures, LONGEST_WAIT) * 1_000);
    // Where the provider does not work nothing is known of this record.
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

  /** Has one looked at now. @throws DnsError ENTRY_MISSING */
  async hurry(id: number): Promise<DnsEntry> {
    const row = await this.find(id);
    await this.rows.update({ id, turn: row.turn }, { dueAt: this.clock.now() });
    return row;
  }

  private async write({ id, turn }: Pick<DnsEntry, 'id' | 'turn'>, values: Partial<DnsEntry>): Promise<void> {
    const { affected } = await this.rows.update({ id, turn }, { ...values, changedAt: this.clock.now() });
    if (affected !== 1) throw new Superseded();
  }
}
