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
/** States in which the account's site is still, or again, where it was. */
const BEFORE: SiteMoveState[] = ['copying', 'closing'];

/** Target of a move, and who ordered it. */
export interface MoveWish extends Pick<SiteMove, 'toCode' | 'by'> {
  /** The emptying of a server it belongs to. */
  readonly emptyingId?: number | null;
}

/** Which moves a list has. */
export interface MoveFilter {
  readonly hostId?: number;
  readonly emptyingId?: number;
  readonly state?: SiteMoveState;
  /** Codes of servers, at either end. */
  readonly servers?: readonly string[];
}

/** The rows of moves, in which everything that two could want at once is decided by one conditional change. */
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

  /** What is under way for a host; null for nothing. */
  underWay(hostId: number): Promise<SiteMove | null> {
    return this.rows.findOneBy({ busy: hostId });
  }

  /** The newest of a host that is under way or whose old site is still there; null for none. */
  latest(hostId: number): Promise<SiteMove | null> {
    return this.rows.findOne({ where: { hostId, state: Not('done') }, order: { id: 'DESC' } });
  }

  /** The newest of a host whose old site is kept. @throws MoveError NOT_KEPT */
  async kept(hostId: number): Promise<SiteMove> {
    const row = await this.rows.findOne({ where: { hostId, state: In(['kept', 'clearing']) }, order: { id: 'DESC' } });
    if (!row) throw new MoveError('NOT_KEPT');
    return row;
  }

  /** Those of a host of which something is left on a server. */
  keptOn(hostId: number, code: string): Promise<SiteMove | null> {
    return this.rows.findOneBy({ hostId, fromCode: code, state: In(['kept', 'clearing']) });
  }

  /** The newest first. */
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

  /** How many of an emptying are under way. */
  running(emptyingId: number): Promise<number> {
    return this.rows.countBy({ emptyingId, busy: Not(IsNull()) });
  }

  /** How many of an emptying came to something, and to nothing. */
  async ended(emptyingId: number): Promise<{ done: number; failed: number }> {
    const [done, failed] = await Promise.all([
      this.rows.countBy({ emptyingId, state: In(['kept', 'clearing', 'done']) }),
      this.rows.countBy({ emptyingId, state: 'failed' }),
    ]);
    return { done, failed };
  }

  /** Writes down a move that is to be made, in the caller's transaction. @throws MoveError BUSY */
  async begin(account: HostingAccount, wish: MoveWish): Promise<SiteMove> {
    const row = this.rowOf(account, wish);
    await this.rows.insert(row).catch(busy);
    return this.rows.findOneByOrFail({ id: row.id });
  }

  /** Writes down a move that did not even begin. */
  async refused(account: HostingAccount, { toCode, by, emptyingId }: MoveWish, words: Words): Promise<void> {
    const row = this.rowOf(account, { toCode: toCode.slice(0, 64), by, emptyingId });
    await this.rows.insert({ ...row, state: 'failed', busy: null, error: packWords(words, 500) });
  }

  /** Begins to take one back, in the caller's transaction. @throws MoveError BUSY, NOT_KEPT */
  async beginReturn(id: number, hostId: number): Promise<SiteMove> {
    const change = { state: 'returning', busy: hostId, belongings: null, error: null } as const;
    const { affected } = await this.rows.update({ id, hostId, state: 'kept' }, change).catch(busy);
    if (affected === 0) throw new MoveError('NOT_KEPT');
    return this.rows.findOneByOrFail({ id });
  }

  /** Says which task works on it. */
  async assign(id: number, taskId: string): Promise<void> {
    await this.rows.update({ id }, { taskId });
  }

  /** Notes something of a move that is under way. */
  async note(id: number, values: Partial<Pick<SiteMove, 'toId' | 'sha256' | 'mark' | 'left'>>): Promise<void> {
    await this.rows.update({ id }, values);
  }

  /** Notes what the site has besides its rows, before it is made to stand still. */
  async noteBelongings(id: number, belongings: Belongings): Promise<void> {
    await this.rows.update({ id }, { belongings: JSON.stringify(belongings) });
  }

  /** Goes from one state to the next. @throws MoveError CANCELLED where somebody else decided meanwhile */
  async advance(row: SiteMove, state: SiteMoveState, values: Partial<SiteMove> = {}): Promise<SiteMove> {
    const { affected } = await this.rows.update({ id: row.id, state: row.state }, { ...values, state });
    if (affected === 0) throw new MoveError('CANCELLED');
    return this.rows.findOneByOrFail({ id: row.id });
  }

  /** The site is the other server's, in the transaction in which the account is. @throws as {@link advance} */
  async switched(row: SiteMove): Promise<void> {
    const now = this.clock.now();
    const isReturn = row.state === 'returning';
    const turned = { fromCode: row.toCode, fromId: row.toId, toCode: row.fromCode, toId: row.fromId, returnedAt: now };
    await this.advance(row, SWITCHING, { error: null, ...(isReturn ? turned : { switchedAt: now }) });
    // How far the log of the other server was read says nothing about this one's.
    await this.database.repository(SiteLogCursor).delete({ accountId: row.hostId });
  }

  /** Everything is as it is to be, and the old site is kept. @param refused what of it the server did not take */
  async completed(row: SiteMove, refused: Words | null): Promise<void> {
    const keepUntil = row.keepUntil ?? new Date(this.clock.now().getTime() + KEPT_MS);
    await this.advance(row, 'kept', { busy: null, keepUntil, error: refused && packWords(refused, 500) });
  }

  /** Why it does not go on; it is tried again. */
  async stuck(id: number, words: Words): Promise<void> {
    await this.rows.update({ id }, { error: packWords(words, 500) });
  }

  /** It comes to nothing: what was begun is undone. @returns the row, null where it is too late for that */
  async giveUp(id: number, words: Words): Promise<SiteMove | null> {
    const values = { state: 'undoing', error: packWords(words, 500) } as const;
    const { affected } = await this.rows.update({ id, state: In(BEFORE) }, values);
    return affected === 0 ? null : this.byId(id);
  }

  /** Moves no task may be working on any more: those under way that began, or went on, a while ago. */
  unfinished(after: number): Promise<SiteMove[]> {
    return this.rows
      .createQueryBuilder('row')
      .where('row.busy IS NOT NULL AND row.id > :after', { after })
      .orderBy('row.id')
      .take(BATCH)
      .getMany();
  }

  /** Those whose old site is to go. @param before its time was over */
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

  /** Begins to remove the old site, or goes on where whoever did died. @returns whether the caller has to */
  async claimClearing(id: number, forMs: number): Promise<boolean> {
    const now = this.clock.now();
    const claimedUntil = new Date(now.getTime() + forMs);
    const first = await this.rows.update({ id, state: 'kept' }, { state: 'clearing', claimedUntil });
    if (first.affected === 1) return true;
    const again = await this.rows.update({ id, state: 'clearing', claimedUntil: LessThanOrEqual(now) }, { claimedUntil });
    return again.affected === 1;
  }

  /** The old site could not be removed now: whoever looks next goes on. */
  async releaseClearing(id: number, words: Words): Promise<void> {
    await this.rows.update({ id, state: 'clearing' }, { claimedUntil: this.clock.now(), error: packWords(words, 500) });
  }

  /** The old site is gone. */
  async cleared(id: number): Promise<void> {
    await this.rows.update({ id, state: 'clearing' }, { state: 'done', error: null });
  }

  private rowOf(account: HostingAccount, { toCode, by, emptyingId = null }: MoveWish): SiteMove {
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
