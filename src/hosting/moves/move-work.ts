import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { BackgroundQueue, Job, type JobTurn } from '../../jobs/index.js';
import { AccountStore, checkAllowed } from '../accounts/index.js';
import type { HostingAccount, SiteMove } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { ServerPlacement } from '../placement/index.js';
import { workProgress } from '../work-progress.js';

import { MoveError } from './move-errors.js';
import { type MoveFit, MoveFitting } from './move-fit.js';
import { MoveRecords } from './move-records.js';
import { MOVE_TASK, type MoveOrder } from './move-runner.js';

/** States in which a move can still be cancelled. */
const STOPPABLE: readonly string[] = ['copying', 'closing'];

/** Queues moves of sites as background tasks, one at a time per site. */
@Injectable()
export class MoveWork {
  constructor(
    private readonly database: Database,
    private readonly queue: BackgroundQueue,
    private readonly store: AccountStore,
    private readonly placement: ServerPlacement,
    private readonly fitting: MoveFitting,
    private readonly records: MoveRecords,
  ) {}

  /**
   * Checks the move of a site without changing anything.
   *
   * @param code of the other server
   * @throws HostingError ACCOUNT_NOT_FOUND, ACCOUNT_STATE, and why the server accepts no hosts; MoveError SAME_SERVER, STILL_KEPT, BUSY
   */
  async check(hostId: number, code: string): Promise<MoveFit> {
    const account = await this.movable(hostId, code);
    await this.placement.findCandidates(code);
    return this.fitting.check(account, code);
  }

  /**
   * Queues the move of a site.
   *
   * @param by name of the requester
   * @throws as {@link check}; MoveError UNFIT with what does not fit; HostingError NODE_FULL
   */
  async begin(hostId: number, code: string, by: string, emptyingId: number | null = null): Promise<SiteMove> {
    const account = await this.movable(hostId, code);
    const wanted = await this.placement.findCandidates(code);
    const [reason] = (await this.fitting.check(account, code)).blocks;
    if (reason !== undefined) throw new MoveError('UNFIT', { user: account.username, to: code, reason });
    return this.database.transaction(async () => {
      const { code: toCode } = await this.placement.take(wanted);
      const row = await this.records.begin(account, { toCode, by, emptyingId });
      await this.order(row, by);
      return row;
    });
  }

  /** Cancels a move and rolls it back. @throws MoveError MISSING, NOTHING_RUNS, TOO_LATE */
  async stop(hostId: number): Promise<SiteMove> {
    const row = await this.records.underWay(hostId);
    if (!row?.taskId) throw new MoveError('NOTHING_RUNS');
    if (!STOPPABLE.includes(row.state)) throw new MoveError('TOO_LATE');
    const task = await this.queue.find(row.taskId);
    if (task?.state === 'running') {
      await this.queue.cancel(row.taskId);
      return row;
    }
    // A waiting task is left to run, because it performs the rollback.
    if (!(await this.records.giveUp(row.id, new MoveError('CANCELLED').told))) throw new MoveError('TOO_LATE');
    return row;
  }

  /** Queues the return to the old site. @throws MoveError NOT_KEPT, BUSY, HOST_CHANGED, UNFIT; HostingError ACCOUNT_NOT_FOUND */
  async takeBack(hostId: number, by: string): Promise<SiteMove> {
    const account = await this.existing(hostId);
    const kept = await this.records.latest(hostId);
    if (kept?.state !== 'kept') throw new MoveError('NOT_KEPT');
    if (account.nodeCode !== kept.toCode) throw new MoveError('HOST_CHANGED');
    const [reason] = await this.fitting.taken(account, kept.fromCode, kept.fromId);
    if (reason !== undefined) throw new MoveError('UNFIT', { user: account.username, to: kept.fromCode, reason });
    return this.database.transaction(async () => {
      const row = await this.records.beginReturn(kept.id, hostId);
      await this.order(row, by);
      return row;
    });
  }

  /** Returns the progress of a running move, in percent; null if unknown. */
  progress(row: SiteMove): Promise<number | null> {
    return workProgress(this.queue, row);
  }

  /** Queues a new task for unfinished moves whose task failed permanently or was lost. */
  @Job({ name: 'site-moves', everyMinutes: 5 })
  async resumeUnfinished(turn?: JobTurn): Promise<number> {
    let count = 0;
    for (let last = 0, rows = await this.records.unfinished(last); rows.length > 0; rows = await this.records.unfinished(last)) {
      for (const row of rows) {
        turn?.signal.throwIfAborted();
        const task = row.taskId === null ? null : await this.queue.find(row.taskId);
        if (task && (task.state === 'waiting' || task.state === 'running')) continue;
        await this.database.transaction(() => this.order(row, row.by));
        count += 1;
      }
      last = rows.at(-1)!.id;
    }
    return count;
  }

  private async order(row: SiteMove, by: string): Promise<void> {
    const taskId = await this.queue.add(MOVE_TASK, { move: row.id } satisfies MoveOrder, { key: `move:${row.id}`, by });
    await this.records.assign(row.id, taskId);
  }

  private async movable(hostId: number, code: string): Promise<HostingAccount> {
    const account = await this.existing(hostId);
    checkAllowed('measure', account.state);
    if (account.nodeCode === code) throw new MoveError('SAME_SERVER', { code });
    if (await this.records.underWay(hostId)) throw new MoveError('BUSY');
    if (await this.records.keptOn(hostId, code)) throw new MoveError('STILL_KEPT', { code });
    return account;
  }

  private async existing(hostId: number): Promise<HostingAccount> {
    const account = await this.store.find(hostId);
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    return account;
  }
}
