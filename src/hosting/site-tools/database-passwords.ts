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

const PURPOSE = 'site.database';
/** Encoded as 24 characters. */
const GENERATED_BYTES = 18;

/** Pattern of database passwords. Programs store them in files of various formats, so no character may need escaping. */
export const DATABASE_PASSWORD = /^[A-Za-z0-9_.-]{8,64}$/;

/** A known database password, and when it was set. */
export interface KnownPassword {
  readonly password: string;
  readonly setAt: Date;
}

/**
 * Database passwords of sites. Those set in the panel are stored encrypted, because programs are configured with them and owners need to
 * look them up. The initial one is the host's own password, which is not stored.
 */
@Injectable()
export class DatabasePasswords {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Returns the password last set in the panel; null: unknown. */
  async find(accountId: number): Promise<KnownPassword | null> {
    const row = await this.database.repository(SiteDatabaseSecret).findOneBy({ accountId });
    const password = row && this.secrets.open(row.sealedPassword, PURPOSE);
    return row && password ? { password, setAt: row.setAt } : null;
  }

  /**
   * Sets a password on the server and stores it. The stored password is removed during the call, so that a crash never leaves a possibly
   * wrong one.
   *
   * @param wanted matches {@link DATABASE_PASSWORD}; empty: one is generated
   * @throws HostingError PORT_MISSING, DATABASE_NONE, and errors of the server
   */
  async change(site: OpenSite, wanted: string): Promise<string> {
    site.port('database');
    const { id } = site.account;
    const password = wanted || randomBytes(GENERATED_BYTES).toString('base64url').replaceAll('-', '.');
    const rows = this.database.repository(SiteDatabaseSecret);
    const before = await rows.findOneBy({ accountId: id });
    await rows.delete({ accountId: id });
    try {
      await site.ask('database', (port, account, deadline) => port.changePassword(account, password, deadline), refusal);
    } catch (error) {
      // The old password is stored again only if it is certain that the server did not change it.
      const isUncertain = !(error instanceof AppError) || (error instanceof HostingError && error.code === 'NODE_SILENT');
      if (before && !isUncertain) await this.keep(before);
      throw error;
    }
    await this.keep({ accountId: id, sealedPassword: this.secrets.seal(password, PURPOSE), setAt: this.clock.now() });
    return password;
  }

  /**
   * Removes the stored password, because the server has another one.
   *
   * @param since only if it was set after this time
   */
  async forget(accountId: number, since?: Date): Promise<void> {
    await this.database.repository(SiteDatabaseSecret).delete({ accountId, ...(since ? { setAt: MoreThan(since) } : {}) });
  }

  private async keep(row: SiteDatabaseSecret): Promise<void> {
    const rows = this.database.repository(SiteDatabaseSecret);
    try {
      await rows.insert(row);
    } catch (error) {
      // Two concurrent changes: unknown which password the server has, so neither is stored.
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
