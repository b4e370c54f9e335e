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

/** Names of the background tasks that install programs, and make sites what they were. */
export const DEPLOY_TASK = 'site-deploy';
export const UNDO_TASK = 'site-deploy-undo';

const log = loggerFor('hosting');

/** Payload of the tasks that install a program and undo an installation. */
export interface DeploymentOrder {
  /** Id of the deployment. */
  readonly deployment: number;
}

/** Orders programs to be installed, and sites to become what they were: done in the background, one at a time for each site. */
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
   * Has a program installed soon.
   *
   * @param given what its form was filled in with
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

  /** Has a site made what it was before a program that is installed there. @throws DeployError NOT_UNDOABLE, BUSY */
  async undo(row: Deployment, by: string): Promise<Deployment> {
    return this.database.transaction(async () => {
      const copy = row.backupId === null ? null : await this.backups.byId(row.backupId);
      if (row.state !== 'done' || copy?.state !== 'done') throw new DeployError('NOT_UNDOABLE');
      if (!(await this.backups.hold(copy))) throw new DeployError('BUSY');
      if (!(await this.records.beginUndo(row, 'done', null))) throw new DeployError('NOT_UNDOABLE');
      return { ...row, taskId: await this.task(UNDO_TASK, row.id, by) };
    });
  }

  /** Ids of those of some deployments that can be undone: the copy of what the site was is still there. */
  async undoable(rows: readonly Deployment[]): Promise<ReadonlySet<number>> {
    const done = rows.filter(({ state }) => state === 'done');
    const whole = await this.backups.whole(done.flatMap(({ backupId }) => backupId ?? []));
    return new Set(done.filter(({ backupId }) => backupId !== null && whole.has(backupId)).map(({ id }) => id));
  }

  /** Has a site made what it was because its installation came to nothing. */
  async undoFailed(row: Deployment, words: Words): Promise<void> {
    await this.database.transaction(async () => {
      if (await this.records.beginUndo(row, 'installing', words)) await this.task(UNDO_TASK, row.id, row.by);
    });
    log.info({ deployment: row.id, host: row.hostId }, 'a program could not be installed: the site becomes what it was');
  }

  /** Stops an installation: the site becomes what it was. @throws DeployError NOTHING_RUNS */
  async stop(row: Deployment): Promise<void> {
    if (row.state !== 'installing' || row.taskId === null || !(await this.queue.cancel(row.taskId))) throw new DeployError('NOTHING_RUNS');
    // One that runs sees to it by itself; of one that waited nobody else would tell.
    if ((await this.queue.find(row.taskId))?.state !== 'cancelled') return;
    const words = new DeployError('CANCELLED').told;
    if (row.phase === 'snapshot') await this.records.end(row.id, 'failed', { words });
    else await this.undoFailed(row, words);
  }

  /** How far one is, in percent; null where nothing is known. */
  progress(row: Deployment): Promise<number | null> {
    return workProgress(this.queue, row);
  }

  private async task(name: string, deployment: number, by: string): Promise<string> {
    const taskId = await this.queue.add(name, { deployment } satisfies DeploymentOrder, { by });
    await this.records.assign(deployment, taskId);
    return taskId;
  }
}
