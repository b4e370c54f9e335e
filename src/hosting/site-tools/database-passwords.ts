import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';

import { AppError, Clock } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { driverError } from '../accounts/index.js';
import type { PortProblem } from '../driver/index.js';
import { SiteDatabaseSecret } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import type { OpenSite } from './open-site.js';

const PLACE = 'site.database';
/** 24 characters. */
const MADE_BYTES = 18;

/** Pattern of database passwords. Programs keep them in files of all kinds: no character has to be escaped anywhere. */
export const DATABASE_PASSWORD = /^[A-Za-z0-9_.-]{8,64}$/;

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

  /** The password that was set here last; null: nobody knows it. */
  async find(accountId: number): Promise<KnownPassword | null> {
    const row = await this.database.repository(SiteDatabaseSecret).findOneBy({ accountId });
    const password = row && this.secrets.open(row.sealedPassword, PLACE);
    return row && password ? { password, setAt: row.setAt } : null;
  }

  /**
   * Sets a password on the server and keeps it. While that is under way none is known: whoever is killed in the middle
   * leaves nothing that may be wrong.
   *
   * @param wanted as {@link DATABASE_PASSWORD} says; empty: one is made
   * @throws HostingError PORT_MISSING, DATABASE_NONE, and what the server comes to
   */
  async change(site: OpenSite, wanted: string): Promise<string> {
    site.port('database');
    const { id } = site.account;
    const password = wanted || randomBytes(MADE_BYTES).toString('base64url').replaceAll('-', '.');
    const rows = this.database.repository(SiteDatabaseSecret);
    const before = await rows.findOneBy({ accountId: id });
    await rows.delete({ accountId: id });
    try {
      await site.ask('database', (port, account, deadline) => port.changePassword(account, password, deadline), refusal);
    } catch (error) {
      // Only where it is certain that nothing was changed is the old one still right.
      const isUncertain = !(error instanceof AppError) || (error instanceof HostingError && error.code === 'NODE_SILENT');
      if (before && !isUncertain) await this.keep(before);
      throw error;
    }
    await this.keep({ accountId: id, sealedPassword: this.secrets.seal(password, PLACE), setAt: this.clock.now() });
    return password;
  }

  /**
   * Nobody knows it any more: the server has another one than was set here last.
   *
   * @param since only one that was set after that
   */
  async forget(accountId: number, since?: Date): Promise<void> {
    await this.database.repository(SiteDatabaseSecret).delete({ accountId, ...(since ? { setAt: MoreThan(since) } : {}) });
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
}

function refusal(problem: PortProblem): Error {
  if (problem.code === 'DATABASE_NONE') return new HostingError('DATABASE_NONE');
  if (problem.code === 'SUSPENDED') return new HostingError('SITE_PAUSED');
  return driverError({ outcome: 'refused', message: problem.code, problem });
}
