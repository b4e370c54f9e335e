import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan } from 'typeorm';

import { Clock, packWords, type Words } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { Deployment, type DeploymentState, type DeployProgram, type SiteBefore } from '../entities/index.js';

import { DeployError } from './deploy-errors.js';

const PLACE = 'deployment.answers';
/** Rows of one site that are kept. */
const KEPT = 50;
const BATCH = 200;

/** How an installation may end. */
export type DeploymentEnd = Exclude<DeploymentState, 'installing' | 'undoing'>;

/** The rows of what is and was installed, in which whatever two could want at once is decided by one conditional change. */
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

  /** Begins one, in the caller's transaction. @throws DeployError BUSY */
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

  /** What its user filled in, by the names of placeholders. */
  answersOf({ answers }: Pick<Deployment, 'answers'>): Map<string, string> {
    const text = this.secrets.open(answers, PLACE);
    return new Map(text === null ? [] : (JSON.parse(text) as [string, string][]));
  }

  byId(id: number): Promise<Deployment | null> {
    return this.rows.findOneBy({ id });
  }

  /** @throws DeployError NOT_HERE, for what is another account's too */
  async find(hostId: number, id: number): Promise<Deployment> {
    const row = await this.rows.findOneBy({ id, hostId });
    if (!row) throw new DeployError('NOT_HERE');
    return row;
  }

  /** One by the task that works on it, or worked on it last. */
  async ofTask(hostId: number, taskId: string): Promise<Deployment> {
    const row = await this.rows.findOneBy({ hostId, taskId });
    if (!row) throw new DeployError('NOT_HERE');
    return row;
  }

  /** What is under way on a site; null for nothing. */
  underWay(hostId: number): Promise<Deployment | null> {
    return this.rows.findOneBy({ busy: hostId });
  }

  /** The newest first. @param hostId null: of every site */
  list(hostId: number | null, skip: number, take: number): Promise<[Deployment[], number]> {
    return this.rows.findAndCount({ where: hostId === null ? {} : { hostId }, order: { id: 'DESC' }, skip, take });
  }

  /** Says which task works on it. */
  async assign(id: number, taskId: string): Promise<void> {
    await this.rows.update({ id }, { taskId });
  }

  /** Says what the site was before: from now on it is touched. */
  async touches(id: number, backupId: number, before: SiteBefore): Promise<void> {
    await this.rows.update({ id, state: 'installing' }, { phase: 'files', backupId, before });
  }

  /** Says that its steps run from now on. */
  async runsSteps(id: number): Promise<void> {
    await this.rows.update({ id, state: 'installing' }, { phase: 'steps' });
  }

  /** Says which step is next. */
  async reaches(id: number, step: number): Promise<void> {
    await this.rows.update({ id }, { step });
  }

  /** Begins to make the site what it was, in the caller's transaction. @returns false where it is not in that state any more */
  async beginUndo({ id, hostId }: Pick<Deployment, 'id' | 'hostId'>, from: 'installing' | 'done', words: Words | null): Promise<boolean> {
    const error = words === null ? null : packWords(words, 500);
    const { affected } = await this.rows
      .update({ id, state: from }, { state: 'undoing', busy: hostId, error })
      .catch((problem: unknown) => {
        throw isUniqueViolation(problem) ? new DeployError('BUSY') : problem;
      });
    return affected === 1;
  }

  /** It is over. @returns whether it was under way */
  async end(id: number, state: DeploymentEnd, { message, words }: { message?: string; words?: Words } = {}): Promise<boolean> {
    const { before } = (await this.byId(id)) ?? {};
    const { affected } = await this.rows.update(
      { id, state: In(['installing', 'undoing']) },
      {
        state,
        busy: null,
        answers: '',
        // Nobody gives passwords back any more.
        ...(before?.credentials === undefined ? {} : { before: { ...before, credentials: undefined } }),
        endedAt: this.clock.now(),
        ...(message === undefined ? {} : { message }),
        ...(words === undefined ? {} : { error: packWords(words, 500) }),
      },
    );
    return affected === 1;
  }

  /** Takes away what nobody reads any more: of each site the newest stay. */
  async tidy(hostId: number): Promise<void> {
    const old = await this.rows.find({ where: { hostId, busy: IsNull() }, order: { id: 'DESC' }, skip: KEPT, take: BATCH });
    const ended = old.map(({ id }) => id);
    if (ended.length > 0) await this.rows.delete({ id: In(ended) });
  }

  /** Those that were under way a while ago: their task may be gone. */
  begun(before: Date): Promise<Deployment[]> {
    return this.rows.find({ where: { state: In(['installing', 'undoing']), madeAt: LessThan(before) }, order: { id: 'ASC' }, take: BATCH });
  }
}
