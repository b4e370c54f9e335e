import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { SiteDatabaseSecret } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import type { OpenSite } from '../site-tools/index.js';

import { ProgramError, programError } from './program-errors.js';

const PLACE = 'site.database';
/** 24 characters. */
const MADE_BYTES = 18;

/** A password of a database, and since when it is that. */
export interface KnownPassword {
  readonly password: string;
  readonly setAt: Date;
}

/**
 * Passwords of databases of sites. Programs have them written down, and whoever sets up a program asks for his, so those that were set here
 * are kept, sealed. The one a host was opened with is the host's own, which nobody keeps.
 */
@Injectable()
export class DatabasePasswords {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** When the password was set here; null: nobody knows it. */
  async setAt(accountId: number): Promise<Date | null> {
    return (await this.find(accountId))?.setAt ?? null;
  }

  /** @throws ProgramError PASSWORD_UNKNOWN */
  async show(accountId: number): Promise<KnownPassword> {
    const known = await this.find(accountId);
    if (!known) throw new ProgramError('PASSWORD_UNKNOWN');
    return known;
  }

  /**
   * Sets a password on the server and keeps it. While that is under way none is known: whoever is killed in the middle
   * leaves nothing that may be wrong.
   *
   * @param wanted empty: one is made
   * @throws HostingError PORT_MISSING, and what the server comes to; ProgramError as the port says
   */
  async change(site: OpenSite, wanted: string): Promise<string> {
    site.port('database');
    const { id } = site.account;
    const password = wanted || randomBytes(MADE_BYTES).toString('base64url').replaceAll('-', '.');
    const rows = this.database.repository(SiteDatabaseSecret);
    const before = await rows.findOneBy({ accountId: id });
    await rows.delete({ accountId: id });
    try {
      await site.ask('database', (port, account, deadline) => port.changePassword(account, password, deadline), programError);
    } catch (error) {
      // Only where it is certain that nothing was changed is the old one still right.
      const isUncertain = !(error instanceof ProgramError) && !(error instanceof HostingError && error.code !== 'NODE_UNCERTAIN');
      if (before && !isUncertain) await this.keep(before);
      throw error;
    }
    await this.keep({ accountId: id, sealedPassword: this.secrets.seal(password, PLACE), setAt: this.clock.now() });
    return password;
  }

  private async keep(row: SiteDatabaseSecret): Promise<void> {
    const rows = this.database.repository(SiteDatabaseSecret);
    try {
      await rows.insert(row);
    } catch (error) {
      // Two at once: which of both the server has, nobody knows.
      if (!isUniqueViolation(error)) throw error;
      await rows.delete({ accountId: row.accountId });
    }
  }

  private async find(accountId: number): Promise<KnownPassword | null> {
    const row = await this.database.repository(SiteDatabaseSecret).findOneBy({ accountId });
    const password = row && this.secrets.open(row.sealedPassword, PLACE);
    return row && password ? { password, setAt: row.setAt } : null;
  }
}
