import { Injectable } from '@nestjs/common';

import { Secrets } from '../../config/index.js';
import type { TaskTurn } from '../../jobs/index.js';
import type { Deployment, SiteBefore } from '../entities/index.js';
import { DatabaseBackups, driverTurn, hasDatabase } from '../site-programs/index.js';
import { DatabasePasswords, type OpenSite } from '../site-tools/index.js';

import type { ProgramPlan } from './program-plan.js';
import { databaseUse } from './program-steps.js';

const PLACE = 'deployment.credentials';
type DatabaseBefore = Pick<SiteBefore, 'database' | 'credentials'>;

/** The database of a site a program is installed on: copied before, and made what it was where that comes to nothing. */
@Injectable()
export class DeploymentDatabase {
  constructor(
    private readonly backups: DatabaseBackups,
    private readonly passwords: DatabasePasswords,
    private readonly secrets: Secrets,
  ) {}

  /** Copies it where the program touches it. @throws ProgramError SAFETY_PLACE; HostingError */
  async keepSafe(site: OpenSite, { steps, message }: ProgramPlan, turn: TaskTurn): Promise<DatabaseBefore> {
    const use = databaseUse(steps, message);
    const isTouched = use.isNeeded || (use.isNamed && (await hasDatabase(site)));
    if (!isTouched) return { database: '' };
    const database = await this.backups.keepSafe(site, driverTurn(turn));
    // A password nobody knows is replaced by one that is written into the program: the one there was is known to the server alone.
    const isReplaced = use.hasPassword && (await this.passwords.find(site.account.id)) === null;
    const taken = isReplaced ? await site.takeCredentials() : null;
    return { database, ...(taken === null ? {} : { credentials: this.secrets.seal(taken, PLACE) }) };
  }

  /**
   * Makes it what it was. Its password goes back where the installation failed; who takes a program away later may have set another.
   *
   * @throws ProgramError, HostingError
   */
  async putBack(site: OpenSite, { before, error }: Pick<Deployment, 'before' | 'error'>, turn: TaskTurn): Promise<void> {
    if (!before || before.database === '') return;
    await this.backups.putBack(site, before.database, driverTurn(turn));
    const credentials = error === null ? null : this.secrets.open(before.credentials ?? '', PLACE);
    if (credentials && (await site.giveCredentials(credentials))) await this.passwords.forget(site.account.id);
  }
}
