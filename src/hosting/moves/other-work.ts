import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { BackgroundQueue, type TaskState } from '../../jobs/index.js';
import { DeploymentRecords } from '../deployments/index.js';
import { FILE_TASK } from '../files/index.js';
import { SiteBackupRecords } from '../site-backups/index.js';
import { COMMAND_TASK, DATABASE_TASK } from '../site-programs/index.js';

import { MoveError } from './move-errors.js';

/** How long it is waited for, and how often it is looked, in milliseconds. */
const OTHERS_MS = 10 * 60_000;
const LOOK_MS = 1_000;
/** Tasks of one look. */
const PAGE = 200;
/** Tasks of owners and administrators that write into a site: each is told the `account`. */
const TASKS = [FILE_TASK, DATABASE_TASK, COMMAND_TASK];
const UNFINISHED: readonly TaskState[] = ['waiting', 'running'];

/** Background work on sites besides moves, which a move waits for. */
@Injectable()
export class OtherWork {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly backups: SiteBackupRecords,
    private readonly deployments: DeploymentRecords,
  ) {}

  /**
   * Waits for what writes into a site and was begun, or ordered, before: files that are copied, packed and unpacked, SQL and commands that
   * are run, a backup that is put back, a program that is installed.
   *
   * @throws MoveError HOST_WORKS where it takes too long; what `signal` was aborted with
   */
  async ended(hostId: number, signal: AbortSignal): Promise<void> {
    for (const end = Date.now() + OTHERS_MS; await this.isUnderWay(hostId);) {
      if (Date.now() > end) throw new MoveError('HOST_WORKS');
      await pause(LOOK_MS, undefined, { signal });
    }
  }

  private async isUnderWay(hostId: number): Promise<boolean> {
    if ((await this.backups.underWay(hostId))?.state === 'restoring' || (await this.deployments.underWay(hostId))) return true;
    for (const name of TASKS) for (const state of UNFINISHED) if (await this.hasTask(hostId, name, state)) return true;
    return false;
  }

  private async hasTask(hostId: number, name: string, state: TaskState): Promise<boolean> {
    for (let page = 1; ; page += 1) {
      const { tasks } = await this.queue.list({ name, state }, { page, limit: PAGE });
      if (tasks.some(({ payload }) => (payload as { account?: unknown }).account === hostId)) return true;
      if (tasks.length < PAGE) return false;
    }
  }
}
