import { Injectable } from '@nestjs/common';

import { AppError, loggerFor, packWords, type Words } from '../../common/index.js';
import { BackgroundQueue, BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import { SWITCHING, type SiteMove } from '../entities/index.js';

import { MoveEnds } from './move-ends.js';
import { MoveError } from './move-errors.js';
import { MoveRecords } from './move-records.js';
import { MoveSteps } from './move-steps.js';

const log = loggerFor('hosting');

/** Name of the background task that moves sites. */
export const MOVE_TASK = 'site-move';

/** Payload of the task of a move. */
export interface MoveOrder {
  /** Id of the move. */
  readonly move: number;
}

/** Runs moves state by state. All progress is in the row, so that a retry after a crash continues from there. */
@Injectable()
export class MoveRunner {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly records: MoveRecords,
    private readonly steps: MoveSteps,
    private readonly ends: MoveEnds,
  ) {}

  /** Continues a move until it has ended. A failure before the switch rolls it back; a failure after it is retried until it succeeds. */
  @BackgroundTask({ name: MOVE_TASK, attempts: 30, timeoutMinutes: 720, concurrency: 4 })
  async run(payload: unknown, turn: TaskTurn): Promise<{ failed?: string }> {
    const { move } = payload as MoveOrder;
    for (;;) {
      const row = await this.records.byId(move);
      if (row?.taskId !== turn.id || row.busy === null) return {};
      try {
        if (row.state === SWITCHING) await this.ends.finishSwitch(row);
        else if (row.state === 'undoing') await this.ends.undo(row);
        else await this.steps.run(row, turn);
      } catch (error) {
        const isStopped = await this.queue.isStopped(turn);
        if (turn.signal.aborted && !isStopped) throw error;
        await this.failed(row, isStopped ? new MoveError('CANCELLED') : error);
      }
    }
  }

  private async failed(row: SiteMove, error: unknown): Promise<void> {
    const isOurs = error instanceof AppError;
    log[isOurs ? 'warn' : 'error']({ err: error, move: row.id, state: row.state }, 'a step of a move failed');
    const words: Words = isOurs ? error.told : new MoveError('FAILED').told;
    if (row.state === 'returning') return this.ends.abortReturn(row, packWords(words, 500));
    if (row.state === 'copying' || row.state === 'closing') {
      await this.records.giveUp(row.id, words);
      return;
    }
    await this.records.stuck(row.id, words);
    throw error;
  }
}
