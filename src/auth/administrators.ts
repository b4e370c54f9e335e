import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { DEFAULT_ADMIN_PASSWORD, type AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';

import { Administrator } from './entities/index.js';
import { PasswordHasher } from './password-hasher.js';

/** The administrator a new installation got. */
export interface FirstAdministrator {
  readonly username: string;
  readonly password: string;
  /** From ADMIN_PASSWORD, the published default, or made up and shown once. */
  readonly kind: 'given' | 'default' | 'random';
}

/** The people who run the panel. */
@Injectable()
export class Administrators {
  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** By name, ignoring case. */
  findByName(username: string): Promise<Administrator | null> {
    return this.rows.findOneBy({ usernameKey: username.toLowerCase() });
  }

  /** By id. */
  findById(id: number): Promise<Administrator | null> {
    return this.rows.findOneBy({ id });
  }

  /** Whether this administrator still has the published default password. */
  hasDefaultPassword(id: number): Promise<boolean> {
    return this.rows.existsBy({ id, hasDefaultPassword: true });
  }

  /**
   * Changes name, password, or both.
   *
   * @throws Error of a unique key where another administrator has that name; see isUniqueViolation
   */
  async change(id: number, changes: { username?: string; password?: string }): Promise<void> {
    const { username, password } = changes;
    await this.rows.update(
      { id },
      {
        ...(username === undefined ? {} : { username, usernameKey: username.toLowerCase() }),
        ...(password === undefined
          ? {}
          : { passwordHash: await this.hasher.hash(password), hasDefaultPassword: password === DEFAULT_ADMIN_PASSWORD }),
      },
    );
  }

  /** Makes the administrator of a new installation; null where there is one already. Runs under the start-up lock. */
  async ensureFirstAdministrator(config: AppConfig): Promise<FirstAdministrator | null> {
    if ((await this.rows.count()) > 0) return null;
    const kind = config.adminPassword !== null ? 'given' : config.defaultPasswordAllowed ? 'default' : 'random';
    const password = config.adminPassword ?? (kind === 'default' ? DEFAULT_ADMIN_PASSWORD : randomBytes(15).toString('base64url'));
    await this.rows.insert({
      username: config.adminUsername,
      usernameKey: config.adminUsername.toLowerCase(),
      passwordHash: await this.hasher.hash(password),
      hasDefaultPassword: password === DEFAULT_ADMIN_PASSWORD,
      createdAt: this.clock.now(),
    });
    return { username: config.adminUsername, password, kind };
  }

  private get rows() {
    return this.database.repository(Administrator);
  }
}
