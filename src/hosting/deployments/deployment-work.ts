import { Injectable } from '@nestjs/common';

import { loggerFor, type Words } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue } from '../../jobs/index.js';
import type { DeployProgram, Deployment } from '../entities/index.js';
import { SiteBackupRecords } from '../site-backups/index.js';
import type { OpenSite } from '../site-tools/index.js';
import { workProgress } from '../work-progress.js';

import { DeployError } from './deploy-errors.js';
import { DeploymentRecords } from './deployment-records.js';
import { readAnswers } from './program-answers.js';
import { ProgramFit } from './program-fit.js';
import { planOf } from './program-plan.js';

/** Names of the background tasks that install programs and undo installations. */
export const DEPLOY_TASK = 'site-deploy';
export const UNDO_TASK = 'site-deploy-undo';

const log = loggerFor('hosting');

/** Payload of the tasks that install a program and undo an installation. */
export interface DeploymentOrder {
  /** Id of the deployment. */
  readonly deployment: number;
}

/** Queues installations and their undo: run in the background, one at a time per site. */
@Injectable()
export class DeploymentWork {
  constructor(
    private readonly database: Database,
    private readonly queue: BackgroundQueue,
    private readonly records: DeploymentRecords,
    private readonly backups: SiteBackupRecords,
    private readonly fit: ProgramFit,
  ) {}

  /**
   * Queues the installation of a program.
   *
   * @param given answers to its form
   * @throws DeployError NOT_FITTING, BUSY, and those of {@link readAnswers}
   */
  async order(site: OpenSite, program: DeployProgram, given: Readonly<Record<string, unknown>>, by: string): Promise<Deployment> {
    await this.fit.requireNow(site, program);
    const { id } = site.account;
    const answers = readAnswers(planOf(program).form, given, await this.fit.namesOf(site.account));
    return this.database.transaction(async () => {
      const row = await this.records.begin(id, program, answers, by);
      return { ...row, taskId: await this.task(DEPLOY_TASK, row.id, by) };
    });
  }

  /** Queues the undo of an installation. @throws DeployError NOT_UNDOABLE, BUSY */
  async undo(row: Deployment, by: string): Promise<Deployment> {
    return this.database.transaction(async () => {
      const copy = row.backupId === null ? null : await this.backups.byId(row.backupId);
      if (row.state !== 'done' || copy?.state !== 'done') throw new DeployError('NOT_UNDOABLE');
      if (!(await this.backups.hold(copy))) throw new DeployError('BUSY');
      if (!(await this.records.beginUndo(row, 'done', null))) throw new DeployError('NOT_UNDOABLE');
      return { ...row, taskId: await this.task(UNDO_TASK, row.id, by) };
    });
  }

  /** Returns the ids of deployments that can be undone, because their backup still exists. */
  async undoable(rows: readonly Deployment[]): Promise<ReadonlySet<number>> {
    const done = rows.filter(({ state }) => state === 'done');
    const whole = await this.backups.whole(done.flatMap(({ backupId }) => backupId ?? []));
    return new Set(done.filter(({ backupId }) => backupId !== null && whole.has(backupId)).map(({ id }) => id));
  }

  /** Queues the undo of a failed installation. */
  async undoFailed(row: Deployment, words: Words): Promise<void> {
    await this.database.transaction(async () => {
      if (await this.records.beginUndo(row, 'installing', words)) await this.task(UNDO_TASK, row.id, row.by);
    });
    log.info({ deployment: row.id, host: row.hostId }, 'a program could not be installed: the site will be restored');
  }

  /** Stops an installation and restores the site. @throws DeployError NOTHING_RUNS */
  async stop(row: Deployment): Promise<void> {
    if (row.state !== 'installing' || row.taskId === null || !(await this.queue.cancel(row.taskId))) throw new DeployError('NOTHING_RUNS');
    // A running task restores the site itself; for one that was still waiting it is done here.
    if ((await this.queue.find(row.taskId))?.state !== 'cancelled') return;
    const words = new DeployError('CANCELLED').told;
    if (row.phase === 'snapshot') await this.records.end(row.id, 'failed', { words });
    else await this.undoFailed(row, words);
  }

  /** Returns the progress in percent; null if unknown. */
  progress(row: Deployment): Promise<number | null> {
    return workProgress(this.queue, row);
  }

  private async task(name: string, deployment: number, by: string): Promise<string> {
    const taskId = await this.queue.add(name, { deployment } satisfies DeploymentOrder, { by });
    await this.records.assign(deployment, taskId);
    return taskId;
  }
}
