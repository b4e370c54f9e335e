import { Injectable } from '@nestjs/common';

import { wordsOf } from '../../common/index.js';
import type { TaskTurn } from '../../jobs/index.js';
import type { DeployProgram, Deployment } from '../entities/index.js';
import type { OpenSite } from '../site-tools/index.js';

import { DeployError } from './deploy-errors.js';
import { DeploymentFiles } from './deployment-files.js';
import { DeploymentRecords } from './deployment-records.js';
import { DeploymentServing } from './deployment-serving.js';
import { DeploymentSteps, CommonPlaceholders } from './deployment-steps.js';
import { fillPlaceholders } from './placeholders.js';
import { ProgramFit } from './program-fit.js';
import { planOf } from './program-plan.js';
import { CLEAN_SETTINGS } from './program-steps.js';

/** Shown instead of a password. */
const HIDDEN = '••••••';

/** Installs a program on a site after its backup: first its files, then its steps. */
@Injectable()
export class DeploymentInstall {
  constructor(
    private readonly records: DeploymentRecords,
    private readonly files: DeploymentFiles,
    private readonly serving: DeploymentServing,
    private readonly steps: DeploymentSteps,
    private readonly placeholders: CommonPlaceholders,
    private readonly fit: ProgramFit,
  ) {}

  /**
   * @returns the final message of the program
   * @throws DeployError STEP_FAILED, INTERRUPTED when the process was killed while steps ran, because their effects are unknown
   */
  async run(site: OpenSite, row: Deployment, program: DeployProgram, turn: TaskTurn): Promise<string> {
    if (row.phase === 'steps') throw new DeployError('INTERRUPTED');
    await this.files.replace(site, row, program, turn);
    await this.serving.showFolder(site, CLEAN_SETTINGS.runFolder);
    await this.serving.useRules(site, CLEAN_SETTINGS.rewrites);
    await this.records.beginSteps(row.id);
    return this.runSteps(site, row, program, turn);
  }

  private async runSteps(site: OpenSite, row: Deployment, program: DeployProgram, turn: TaskTurn): Promise<string> {
    const plan = planOf(program);
    const { steps } = plan;
    const values = new Map([...(await this.placeholders.of(site, plan)), ...this.records.answersOf(row)]);
    const names = (await this.fit.namesOf(site.account)).map(({ name }) => name);
    for (const [index, step] of steps.entries()) {
      turn.signal.throwIfAborted();
      await this.records.setStep(row.id, index + 1);
      turn.progress(index, steps.length);
      await this.steps.run(step, { site, values, names, turn }).catch((error: unknown) => {
        turn.signal.throwIfAborted();
        const why = wordsOf(error);
        throw new DeployError('STEP_FAILED', { n: index + 1, step: { key: `deploy.kind_${step.cz}` }, why }, undefined, { cause: error });
      });
    }
    // The message is stored and listed, so it must not contain the password.
    return fillPlaceholders(plan.message, new Map([...values, ['cn_pass', HIDDEN]]));
  }
}
