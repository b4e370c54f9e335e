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

/** Backs up the database of a site before an installation, and restores it if the installation fails or is undone. */
@Injectable()
export class DeploymentDatabase {
  constructor(
    private readonly backups: DatabaseBackups,
    private readonly passwords: DatabasePasswords,
    private readonly secrets: Secrets,
  ) {}

  /** Backs up the database if the program uses it. @throws ProgramError SAFETY_PLACE; HostingError */
  async keepSafe(site: OpenSite, { steps, message }: ProgramPlan, turn: TaskTurn): Promise<DatabaseBefore> {
    const use = databaseUse(steps, message);
    const isTouched = use.isNeeded || (use.isNamed && (await hasDatabase(site)));
    if (!isTouched) return { database: '' };
    const database = await this.backups.keepSafe(site, driverTurn(turn));
    // If the panel does not know the password, a new one is set for the program, so the present credentials are saved from the server.
    const isReplaced = use.hasPassword && (await this.passwords.find(site.account.id)) === null;
    const taken = isReplaced ? await site.takeCredentials() : null;
    return { database, ...(taken === null ? {} : { credentials: this.secrets.seal(taken, PLACE) }) };
  }

  /**
   * Restores the database. The password is restored only after a failed installation; before an undo it may have been changed.
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
