import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { BackgroundQueue, type TaskState } from '../../jobs/index.js';
import { DeploymentRecords } from '../deployments/index.js';
import { FILE_TASK } from '../files/index.js';
import { SiteBackupRecords } from '../site-backups/index.js';
import { COMMAND_TASK, DATABASE_TASK } from '../site-programs/index.js';

import { MoveError } from './move-errors.js';

/** Maximum wait, and polling interval, in milliseconds. */
const MAX_WAIT_MS = 10 * 60_000;
const POLL_MS = 1_000;
/** Tasks read at a time. */
const PAGE = 200;
/** Tasks of owners and administrators that write to a site; their payload contains the `account`. */
const TASKS = [FILE_TASK, DATABASE_TASK, COMMAND_TASK];
const UNFINISHED: readonly TaskState[] = ['waiting', 'running'];

/** Other background work on sites, which a move waits for. */
@Injectable()
export class OtherWork {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly backups: SiteBackupRecords,
    private readonly deployments: DeploymentRecords,
  ) {}

  /**
   * Waits for running or queued work that writes to a site: copying, packing and unpacking files, SQL and command runs, a backup restore, a
   * program installation.
   *
   * @throws MoveError HOST_WORKS after the timeout; the abort reason of `signal`
   */
  async waitUntilDone(hostId: number, signal: AbortSignal): Promise<void> {
    for (const end = Date.now() + MAX_WAIT_MS; await this.isUnderWay(hostId);) {
      if (Date.now() > end) throw new MoveError('HOST_WORKS');
      await pause(POLL_MS, undefined, { signal });
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
