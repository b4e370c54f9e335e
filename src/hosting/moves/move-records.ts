import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual, Not } from 'typeorm';

import { DAY_MS, Clock, packWords, type Words } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { type HostingAccount, SiteLogCursor, SiteMove, SWITCHING, type SiteMoveState } from '../entities/index.js';

import type { Belongings } from './belongings.js';
import { MoveError } from './move-errors.js';

/** How long the old site is kept, in milliseconds. */
export const KEPT_MS = 7 * DAY_MS;
const BATCH = 100;
/** States before the switch. */
const BEFORE_SWITCH: SiteMoveState[] = ['copying', 'closing'];

/** Target of a move, and who requested it. */
export interface MoveRequest extends Pick<SiteMove, 'toCode' | 'by'> {
  /** The emptying it belongs to. */
  readonly emptyingId?: number | null;
}

/** Filter of a list of moves. */
export interface MoveFilter {
  readonly hostId?: number;
  readonly emptyingId?: number;
  readonly state?: SiteMoveState;
  /** Codes of servers, at either end. */
  readonly servers?: readonly string[];
}

/** The rows of moves. Every decision that could race is one conditional update. */
@Injectable()
export class MoveRecords {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(SiteMove);
  }

  byId(id: number): Promise<SiteMove | null> {
    return this.rows.findOneBy({ id });
  }

  /** @throws MoveError MISSING */
  async find(id: number): Promise<SiteMove> {
    const row = await this.byId(id);
    if (!row) throw new MoveError('MISSING');
    return row;
  }

  /** Returns the running move of a host; null if there is none. */
  underWay(hostId: number): Promise<SiteMove | null> {
    return this.rows.findOneBy({ busy: hostId });
  }

  /** Returns the newest move of a host that is not `done`; null if there is none. */
  latest(hostId: number): Promise<SiteMove | null> {
    return this.rows.findOne({ where: { hostId, state: Not('done') }, order: { id: 'DESC' } });
  }

  /** Returns the newest move of a host whose old site is kept. @throws MoveError NOT_KEPT */
  async kept(hostId: number): Promise<SiteMove> {
    const row = await this.rows.findOne({ where: { hostId, state: In(['kept', 'clearing']) }, order: { id: 'DESC' } });
    if (!row) throw new MoveError('NOT_KEPT');
    return row;
  }

  /** Returns a move of a host whose old site is still on the given server. */
  keptOn(hostId: number, code: string): Promise<SiteMove | null> {
    return this.rows.findOneBy({ hostId, fromCode: code, state: In(['kept', 'clearing']) });
  }

  /** Lists moves, the newest first. */
  list({ hostId, emptyingId, state, servers }: MoveFilter, skip: number, take: number): Promise<[SiteMove[], number]> {
    const some = { ...(hostId ? { hostId } : {}), ...(emptyingId ? { emptyingId } : {}), ...(state ? { state } : {}) };
    const where = servers
      ? [
          { ...some, fromCode: In([...servers]) },
          { ...some, toCode: In([...servers]) },
        ]
      : some;
    return this.rows.findAndCount({ where, order: { id: 'DESC' }, skip, take });
  }

  /** Counts the running moves of an emptying. */
  running(emptyingId: number): Promise<number> {
    return this.rows.countBy({ emptyingId, busy: Not(IsNull()) });
  }

  /** Counts the completed and failed moves of an emptying. */
  async ended(emptyingId: number): Promise<{ done: number; failed: number }> {
    const [done, failed] = await Promise.all([
      this.rows.countBy({ emptyingId, state: In(['kept', 'clearing', 'done']) }),
      this.rows.countBy({ emptyingId, state: 'failed' }),
    ]);
    return { done, failed };
  }

  /** Inserts a new move, in the caller's transaction. @throws MoveError BUSY */
  async begin(account: HostingAccount, request: MoveRequest): Promise<SiteMove> {
    const row = this.rowOf(account, request);
    await this.rows.insert(row).catch(busy);
    return this.rows.findOneByOrFail({ id: row.id });
  }

  /** Inserts a move that was rejected before it started. */
  async refused(account: HostingAccount, { toCode, by, emptyingId }: MoveRequest, words: Words): Promise<void> {
    const row = this.rowOf(account, { toCode: toCode.slice(0, 64), by, emptyingId });
    await this.rows.insert({ ...row, state: 'failed', busy: null, error: packWords(words, 500) });
  }

  /** Starts a return, in the caller's transaction. @throws MoveError BUSY, NOT_KEPT */
  async beginReturn(id: number, hostId: number): Promise<SiteMove> {
    const change = { state: 'returning', busy: hostId, belongings: null, error: null } as const;
    const { affected } = await this.rows.update({ id, hostId, state: 'kept' }, change).catch(busy);
    if (affected === 0) throw new MoveError('NOT_KEPT');
    return this.rows.findOneByOrFail({ id });
  }

  /** Stores the task that works on a move. */
  async assign(id: number, taskId: string): Promise<void> {
    await this.rows.update({ id }, { taskId });
  }

  /** Stores values of a running move. */
  async note(id: number, values: Partial<Pick<SiteMove, 'toId' | 'sha256' | 'mark' | 'left'>>): Promise<void> {
    await this.rows.update({ id }, values);
  }

  /** Stores the site's data that is not in rows, before the site is stopped. */
  async noteBelongings(id: number, belongings: Belongings): Promise<void> {
    await this.rows.update({ id }, { belongings: JSON.stringify(belongings) });
  }

  /** Advances to the next state. @throws MoveError CANCELLED if the state was changed in the meantime */
  async advance(row: SiteMove, state: SiteMoveState, values: Partial<SiteMove> = {}): Promise<SiteMove> {
    const { affected } = await this.rows.update({ id: row.id, state: row.state }, { ...values, state });
    if (affected === 0) throw new MoveError('CANCELLED');
    return this.rows.findOneByOrFail({ id: row.id });
  }

  /** Records the switch, in the same transaction as the account's. @throws as {@link advance} */
  async switched(row: SiteMove): Promise<void> {
    const now = this.clock.now();
    const isReturn = row.state === 'returning';
    const turned = { fromCode: row.toCode, fromId: row.toId, toCode: row.fromCode, toId: row.fromId, returnedAt: now };
    await this.advance(row, SWITCHING, { error: null, ...(isReturn ? turned : { switchedAt: now }) });
    // The log position on the old server is meaningless on the new one.
    await this.database.repository(SiteLogCursor).delete({ accountId: row.hostId });
  }

  /** Completes a move; the old site is kept. @param refused what the new server rejected */
  async completed(row: SiteMove, refused: Words | null): Promise<void> {
    const keepUntil = row.keepUntil ?? new Date(this.clock.now().getTime() + KEPT_MS);
    await this.advance(row, 'kept', { busy: null, keepUntil, error: refused && packWords(refused, 500) });
  }

  /** Stores why a move cannot continue; it is retried. */
  async stuck(id: number, words: Words): Promise<void> {
    await this.rows.update({ id }, { error: packWords(words, 500) });
  }

  /** Starts the rollback of a move. @returns the row; null if it is too late */
  async giveUp(id: number, words: Words): Promise<SiteMove | null> {
    const values = { state: 'undoing', error: packWords(words, 500) } as const;
    const { affected } = await this.rows.update({ id, state: In(BEFORE_SWITCH) }, values);
    return affected === 0 ? null : this.byId(id);
  }

  /** Returns running moves after an id, for which the caller checks whether a task still works on them. */
  unfinished(after: number): Promise<SiteMove[]> {
    return this.rows
      .createQueryBuilder('row')
      .where('row.busy IS NOT NULL AND row.id > :after', { after })
      .orderBy('row.id')
      .take(BATCH)
      .getMany();
  }

  /** Returns moves whose old site is due for removal. @param before end of the retention */
  due(before: Date, now: Date): Promise<SiteMove[]> {
    return this.rows.find({
      where: [
        { state: 'kept', keepUntil: LessThanOrEqual(before) },
        { state: 'clearing', claimedUntil: LessThanOrEqual(now) },
      ],
      order: { id: 'ASC' },
      take: BATCH,
    });
  }

  /** Claims the removal of the old site, also from a crashed process. @returns whether the caller has to do it */
  async claimClearing(id: number, forMs: number): Promise<boolean> {
    const now = this.clock.now();
    const claimedUntil = new Date(now.getTime() + forMs);
    const first = await this.rows.update({ id, state: 'kept' }, { state: 'clearing', claimedUntil });
    if (first.affected === 1) return true;
    const again = await this.rows.update({ id, state: 'clearing', claimedUntil: LessThanOrEqual(now) }, { claimedUntil });
    return again.affected === 1;
  }

  /** Releases the claim after a failed removal, so that the next run retries. */
  async releaseClearing(id: number, words: Words): Promise<void> {
    await this.rows.update({ id, state: 'clearing' }, { claimedUntil: this.clock.now(), error: packWords(words, 500) });
  }

  /** Records that the old site was removed. */
  async cleared(id: number): Promise<void> {
    await this.rows.update({ id, state: 'clearing' }, { state: 'done', error: null });
  }

  private rowOf(account: HostingAccount, { toCode, by, emptyingId = null }: MoveRequest): SiteMove {
    return this.rows.create({
      hostId: account.id,
      username: account.username,
      siteName: account.siteName,
      fromCode: account.nodeCode,
      fromId: account.siteId,
      toCode,
      state: 'copying',
      busy: account.id,
      taskId: null,
      emptyingId,
      by: by.slice(0, 100),
      begunAt: this.clock.now(),
      belongings: null,
      error: null,
    });
  }
}

function busy(error: unknown): never {
  throw isUniqueViolation(error) ? new MoveError('BUSY') : error;
}
