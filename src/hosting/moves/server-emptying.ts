import { Injectable } from '@nestjs/common';
import { In, MoreThan, Not } from 'typeorm';

import { AppError, Clock, loggerFor } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { HostingAccount, HostingNode, ServerEmptying } from '../entities/index.js';
import { NodeChanges } from '../nodes/index.js';
import { ServerPlacement } from '../placement/index.js';

import { MoveError } from './move-errors.js';
import { MoveRecords } from './move-records.js';
import { MoveWork } from './move-work.js';

const log = loggerFor('hosting');
/** Maximum servers of a group tried for one site. */
const MAX_TRIED = 5;
/** Maximum sites started or skipped in one run. */
const MAX_PER_RUN = 200;

/** State of an emptying. */
export interface EmptyingState {
  readonly row: ServerEmptying;
  /** Hosts still on the server. */
  readonly left: number;
  readonly done: number;
  readonly failed: number;
  readonly running: number;
}

/** Empties servers: moves all their sites to other servers, a few at a time. All progress is in rows, so that any process can continue. */
@Injectable()
export class ServerEmptyings {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly nodes: NodeChanges,
    private readonly placement: ServerPlacement,
    private readonly records: MoveRecords,
    private readonly work: MoveWork,
  ) {}

  private get rows() {
    return this.database.repository(ServerEmptying);
  }

  /**
   * Starts emptying a server and disables it for new hosts.
   *
   * @param target code of a server, `auto:` and the code of a group, or `auto`
   * @param atOnce parallel moves
   * @throws NodeError NODE_MISSING; MoveError NO_HOSTS, SAME_SERVER, EMPTYING; HostingError for a target that does not exist
   */
  async begin(serverId: number, target: string, atOnce: number, by: string): Promise<ServerEmptying> {
    const node = await this.nodes.existing(serverId);
    if (node.code === target) throw new MoveError('SAME_SERVER', { code: target });
    if (!(await this.database.repository(HostingAccount).existsBy({ nodeCode: node.code }))) throw new MoveError('NO_HOSTS');
    await this.placement.findCandidates(target, new Set([serverId]));
    const { code: serverCode } = node;
    const begun = { serverId, serverCode, target, atOnce, state: 'running' as const, busy: serverId, by: by.slice(0, 100) };
    const row = this.rows.create({ ...begun, begunAt: this.clock.now() });
    await this.rows.insert(row).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new MoveError('EMPTYING') : error;
    });
    await this.nodes.change(serverId, { enabled: false });
    await this.resumeOne(row.id);
    return row;
  }

  /** Starts no more moves; running ones continue. @throws MoveError NOT_EMPTYING */
  async stop(serverId: number): Promise<ServerEmptying> {
    return this.setState(serverId, 'running', 'stopped');
  }

  /** Resumes a stopped emptying; failed moves are retried. @throws MoveError NOT_EMPTYING */
  async resume(serverId: number): Promise<ServerEmptying> {
    const row = await this.setState(serverId, 'stopped', 'running');
    await this.nodes.change(serverId, { enabled: false });
    await this.resumeOne(row.id);
    return row;
  }

  /** Returns the newest emptying of a server; null if there is none. */
  async ofServer(serverId: number): Promise<EmptyingState | null> {
    const row = await this.rows.findOne({ where: { serverId }, order: { id: 'DESC' } });
    return row && this.stateOf(row);
  }

  /** Continues all running emptyings. @returns number of moves started */
  @Job({ name: 'server-emptying', everyMinutes: 1, timeoutMinutes: 30 })
  async resumeAll(turn?: JobTurn): Promise<number> {
    let count = 0;
    for (const { id } of await this.rows.find({ where: { state: 'running' }, order: { id: 'ASC' } })) {
      turn?.signal.throwIfAborted();
      count += await this.resumeOne(id);
    }
    return count;
  }

  private async stateOf(row: ServerEmptying): Promise<EmptyingState> {
    const [left, ended, running] = await Promise.all([
      this.database.repository(HostingAccount).countBy({ nodeCode: row.serverCode }),
      this.records.ended(row.id),
      this.records.running(row.id),
    ]);
    return { row, left, ...ended, running };
  }

  private async setState(serverId: number, from: ServerEmptying['state'], to: ServerEmptying['state']): Promise<ServerEmptying> {
    const again = to === 'running' ? { lastHost: 0 } : {};
    const { affected } = await this.rows.update({ busy: serverId, state: from }, { state: to, ...again });
    if (affected === 0) throw new MoveError('NOT_EMPTYING');
    return this.rows.findOneByOrFail({ busy: serverId });
  }

  /** Starts moves up to the limit; if no host is left and no move is running, the emptying is done. @returns number of moves started */
  private async resumeOne(id: number): Promise<number> {
    let count = 0;
    for (let processed = 0; processed < MAX_PER_RUN; processed += 1) {
      const row = await this.rows.findOneBy({ id, state: 'running' });
      if (!row) return count;
      const running = await this.records.running(id);
      if (running >= row.atOnce) return count;
      const next = await this.claimNext(row);
      if (next === 'none') {
        if (running === 0) await this.rows.update({ id, state: 'running' }, { state: 'done', busy: null });
        return count;
      }
      if (next !== 'lost' && (await this.moveAway(row, next))) count += 1;
    }
    return count;
  }

  /** Claims the next host of the server. `lost`: another process claimed it */
  private async claimNext({ id, lastHost, serverCode: nodeCode }: ServerEmptying): Promise<HostingAccount | 'none' | 'lost'> {
    const where = { nodeCode, id: MoreThan(lastHost), state: Not(In(['terminating', 'failed'])) };
    const account = await this.database.repository(HostingAccount).findOne({ where, order: { id: 'ASC' } });
    if (!account) return 'none';
    const { affected } = await this.rows.update({ id, lastHost, state: 'running' }, { lastHost: account.id });
    return affected === 1 ? account : 'lost';
  }

  /** Starts the move of a host. A failure does not stop the others; its reason is stored in a failed move. @returns whether it started */
  private async moveAway(row: ServerEmptying, account: HostingAccount): Promise<boolean> {
    let toCode = row.target;
    try {
      for (const tried = new Set([row.serverId]); ;) {
        toCode = await this.choose(row, tried);
        try {
          await this.work.begin(account.id, toCode, row.by, row.id);
          return true;
        } catch (error) {
          const isLast = toCode === row.target || tried.size > MAX_TRIED;
          if (isLast || !(error instanceof MoveError && error.code === 'UNFIT')) throw error;
          tried.add((await this.placement.idOf(toCode))!);
        }
      }
    } catch (error) {
      if (!(error instanceof AppError)) log.error({ err: error, host: account.id }, 'a host of a server being emptied could not be moved');
      const words = error instanceof AppError ? error.told : new MoveError('FAILED').told;
      await this.records.refused(account, { toCode, by: row.by, emptyingId: row.id }, words);
      return false;
    }
  }

  /** Returns the code of a server for the target. @throws HostingError if none exists any more */
  private async choose({ target }: ServerEmptying, tried: ReadonlySet<number>): Promise<string> {
    if (await this.database.repository(HostingNode).existsBy({ code: target })) return target;
    const wanted = await this.placement.findCandidates(target, tried);
    return (await this.database.transaction(() => this.placement.take(wanted))).code;
  }
}
