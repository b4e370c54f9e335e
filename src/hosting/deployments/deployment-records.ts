import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan } from 'typeorm';

import { Clock, packWords, type Words } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { Deployment, type DeploymentState, type DeployProgram, type SiteBefore } from '../entities/index.js';

import { DeployError } from './deploy-errors.js';

const PLACE = 'deployment.answers';
/** Maximum number of rows per site. */
const MAX_ROWS = 50;
const BATCH = 200;

/** Final states of an installation. */
export type DeploymentEnd = Exclude<DeploymentState, 'installing' | 'undoing'>;

/** Rows of present and past installations. Concurrent requests are resolved by conditional updates. */
@Injectable()
export class DeploymentRecords {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {}

  private get rows() {
    return this.database.repository(Deployment);
  }

  /** Inserts a new installation, in the caller's transaction. @throws DeployError BUSY */
  async begin(hostId: number, program: DeployProgram, answers: ReadonlyMap<string, string>, by: string): Promise<Deployment> {
    const row = this.rows.create({
      hostId,
      programId: program.id,
      programName: program.name,
      state: 'installing',
      phase: 'snapshot',
      steps: program.steps.length,
      busy: hostId,
      taskId: null,
      answers: this.secrets.seal(JSON.stringify([...answers]), PLACE),
      backupId: null,
      before: null,
      by: by.slice(0, 100),
      madeAt: this.clock.now(),
      endedAt: null,
      message: '',
      error: null,
    });
    await this.rows.insert(row).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new DeployError('BUSY') : error;
    });
    return row;
  }

  /** Returns the user's answers by placeholder name. */
  answersOf({ answers }: Pick<Deployment, 'answers'>): Map<string, string> {
    const text = this.secrets.open(answers, PLACE);
    return new Map(text === null ? [] : (JSON.parse(text) as [string, string][]));
  }

  byId(id: number): Promise<Deployment | null> {
    return this.rows.findOneBy({ id });
  }

  /** @throws DeployError NOT_HERE, also for that of another account */
  async find(hostId: number, id: number): Promise<Deployment> {
    const row = await this.rows.findOneBy({ id, hostId });
    if (!row) throw new DeployError('NOT_HERE');
    return row;
  }

  /** Returns an installation by the last task that worked on it. */
  async ofTask(hostId: number, taskId: string): Promise<Deployment> {
    const row = await this.rows.findOneBy({ hostId, taskId });
    if (!row) throw new DeployError('NOT_HERE');
    return row;
  }

  /** Returns the installation in progress on a site; null if there is none. */
  underWay(hostId: number): Promise<Deployment | null> {
    return this.rows.findOneBy({ busy: hostId });
  }

  /** Newest first. @param hostId null for all sites */
  list(hostId: number | null, skip: number, take: number): Promise<[Deployment[], number]> {
    return this.rows.findAndCount({ where: hostId === null ? {} : { hostId }, order: { id: 'DESC' }, skip, take });
  }

  /** Stores the task that works on it. */
  async assign(id: number, taskId: string): Promise<void> {
    await this.rows.update({ id }, { taskId });
  }

  /** Stores the earlier state of the site; from now on the site is changed. */
  async beginFiles(id: number, backupId: number, before: SiteBefore): Promise<void> {
    await this.rows.update({ id, state: 'installing' }, { phase: 'files', backupId, before });
  }

  /** Records that its steps begin. */
  async beginSteps(id: number): Promise<void> {
    await this.rows.update({ id, state: 'installing' }, { phase: 'steps' });
  }

  /** Stores the number of the next step. */
  async setStep(id: number, step: number): Promise<void> {
    await this.rows.update({ id }, { step });
  }

  /** Begins to undo, in the caller's transaction. @returns false when it is no longer in the state `from` */
  async beginUndo({ id, hostId }: Pick<Deployment, 'id' | 'hostId'>, from: 'installing' | 'done', words: Words | null): Promise<boolean> {
    const error = words === null ? null : packWords(words, 500);
    const { affected } = await this.rows
      .update({ id, state: from }, { state: 'undoing', busy: hostId, error })
      .catch((problem: unknown) => {
        throw isUniqueViolation(problem) ? new DeployError('BUSY') : problem;
      });
    return affected === 1;
  }

  /** Ends it. @returns whether it was in progress */
  async end(id: number, state: DeploymentEnd, { message, words }: { message?: string; words?: Words } = {}): Promise<boolean> {
    const { before } = (await this.byId(id)) ?? {};
    const { affected } = await this.rows.update(
      { id, state: In(['installing', 'undoing']) },
      {
        state,
        busy: null,
        answers: '',
        // The saved credentials are no longer needed.
        ...(before?.credentials === undefined ? {} : { before: { ...before, credentials: undefined } }),
        endedAt: this.clock.now(),
        ...(message === undefined ? {} : { message }),
        ...(words === undefined ? {} : { error: packWords(words, 500) }),
      },
    );
    return affected === 1;
  }

  /** Deletes all but the newest rows of a site. */
  async tidy(hostId: number): Promise<void> {
    const old = await this.rows.find({ where: { hostId, busy: IsNull() }, order: { id: 'DESC' }, skip: MAX_ROWS, take: BATCH });
    const ended = old.map(({ id }) => id);
    if (ended.length > 0) await this.rows.delete({ id: In(ended) });
  }

  /** Returns installations in progress that began before a time, whose task may be lost. */
  begun(before: Date): Promise<Deployment[]> {
    return this.rows.find({ where: { state: In(['installing', 'undoing']), madeAt: LessThan(before) }, order: { id: 'ASC' }, take: BATCH });
  }
}
