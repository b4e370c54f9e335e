import { Injectable } from '@nestjs/common';

import { AppError, Clock, loggerFor, wordsOf, type Words } from '../../common/index.js';
import { BackgroundQueue, BackgroundTask, Job, type TaskTurn } from '../../jobs/index.js';
import type { Deployment } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { SiteAccess } from '../site-tools/index.js';

import { DeployError } from './deploy-errors.js';
import { DeploymentInstall } from './deployment-install.js';
import { DeploymentRecords } from './deployment-records.js';
import { DeploymentSnapshot } from './deployment-snapshot.js';
import { DeploymentUndo, mayPass } from './deployment-undo.js';
import { DEPLOY_TASK, type DeploymentOrder, DeploymentWork, UNDO_TASK } from './deployment-work.js';
import { ProgramCatalogue } from './program-catalogue.js';
import { planOf } from './program-plan.js';

const log = loggerFor('hosting');
/** Age in milliseconds after which an installation without a task counts as lost. */
const LOST_AFTER_MS = 600_000;

/** The parts of an installation: snapshot, installation, undo. */
@Injectable()
export class DeploymentParts {
  constructor(
    readonly snapshot: DeploymentSnapshot,
    readonly install: DeploymentInstall,
    readonly undo: DeploymentUndo,
  ) {}
}

/**
 * Runs the tasks queued by {@link DeploymentWork}. The site is backed up before it is changed; after a failure a separate task restores it,
 * with retries while its server does not answer.
 */
@Injectable()
export class DeploymentRunner {
  constructor(
    private readonly sites: SiteAccess,
    private readonly records: DeploymentRecords,
    private readonly catalogue: ProgramCatalogue,
    private readonly work: DeploymentWork,
    private readonly parts: DeploymentParts,
    private readonly queue: BackgroundQueue,
  ) {}

  /** Restarted after a crash of its process; a failure is reported and not retried. */
  @BackgroundTask({ name: DEPLOY_TASK, attempts: 4, timeoutMinutes: 120, concurrency: 2 })
  async install(payload: unknown, turn: TaskTurn): Promise<{ failed?: string }> {
    let row = await this.records.byId((payload as DeploymentOrder).deployment);
    if (row?.taskId !== turn.id || row.state !== 'installing') return {};
    const { snapshot, install } = this.parts;
    try {
      const site = await this.sites.ofHost(row.hostId);
      const program = await this.catalogue.find(row.programId);
      if (row.phase === 'snapshot') {
        const { backup, before } = await snapshot.make(site, row, planOf(program), turn);
        await this.records.beginFiles(row.id, backup, before);
        row = (await this.records.byId(row.id))!;
      }
      const message = await install.run(site, row, program, turn);
      await this.catalogue.noteUse(program.id, site.account.username);
      if (await this.records.end(row.id, 'done', { message })) await this.cleanUp(row);
      return {};
    } catch (error) {
      const isStopped = await this.queue.isStopped(turn);
      if (turn.signal.aborted && !isStopped) throw error;
      return this.fail((await this.records.byId(row.id)) ?? row, isStopped ? new DeployError('CANCELLED') : error);
    }
  }

  /** Retried for some hours, because an unreachable server may come back. */
  @BackgroundTask({ name: UNDO_TASK, attempts: 15, backoffSeconds: 5, timeoutMinutes: 120, concurrency: 2 })
  async undo(payload: unknown, turn: TaskTurn): Promise<void> {
    const row = await this.records.byId((payload as DeploymentOrder).deployment);
    if (row?.taskId !== turn.id || row.state !== 'undoing') return;
    const site = await this.sites.ofHost(row.hostId).catch((error: unknown) => {
      // Without the site there is nothing to restore.
      if (error instanceof HostingError && error.code === 'ACCOUNT_NOT_FOUND') return null;
      throw error;
    });
    try {
      if (site) await this.parts.undo.run(site, row, turn);
    } catch (error) {
      if (turn.signal.aborted || mayPass(error)) throw error;
      log.error({ err: error, deployment: row.id, host: row.hostId }, 'a site could not be restored after an installation');
      if (await this.records.end(row.id, 'broken', { words: wordsOf(error) })) await this.parts.snapshot.release(row.hostId);
      return;
    }
    if (await this.records.end(row.id, row.error === null ? 'undone' : 'failed')) await this.cleanUp(row);
  }

  private async fail(row: Deployment, error: unknown): Promise<{ failed: string }> {
    const isOurs = error instanceof AppError;
    const words = isOurs ? error.told : new DeployError('FAILED').told;
    log[isOurs ? 'warn' : 'error']({ err: error, deployment: row.id, host: row.hostId }, 'a program could not be installed');
    if (row.phase === 'snapshot') {
      await this.parts.snapshot.abandon(row, words);
      await this.records.end(row.id, 'failed', { words });
    } else await this.work.undoFailed(row, words);
    return { failed: isOurs ? error.code : 'FAILED' };
  }

  private async cleanUp({ hostId }: Deployment): Promise<void> {
    await this.parts.snapshot.release(hostId);
    await this.records.tidy(hostId);
  }
}

/** Ends installations whose task disappeared: it failed too often, or was removed from the queue. */
@Injectable()
export class LostDeployments {
  constructor(
    private readonly records: DeploymentRecords,
    private readonly work: DeploymentWork,
    private readonly snapshot: DeploymentSnapshot,
    private readonly queue: BackgroundQueue,
    private readonly clock: Clock,
  ) {}

  /** @returns how many were ended */
  @Job({ name: 'site-deployments', everyMinutes: 10 })
  async end(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - LOST_AFTER_MS);
    let ended = 0;
    for (const row of await this.records.begun(before)) {
      const task = row.taskId === null ? null : await this.queue.find(row.taskId);
      if (task?.state === 'waiting' || task?.state === 'running') continue;
      await this.endOne(row, task?.error ?? null);
      ended += 1;
    }
    return ended;
  }

  private async endOne(row: Deployment, error: string | null): Promise<void> {
    const words: Words = new DeployError('INTERRUPTED').told;
    if (row.state === 'installing' && row.phase !== 'snapshot') return this.work.undoFailed(row, words);
    if (row.state === 'installing') await this.snapshot.abandon(row, words);
    const why: Words = error === null ? words : { key: 'deploy.broken', params: { why: error } };
    await this.records.end(row.id, row.state === 'installing' ? 'failed' : 'broken', { words: row.state === 'installing' ? words : why });
    await this.snapshot.release(row.hostId);
  }
}
