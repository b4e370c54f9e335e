import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Clock } from '../common/index.js';
import { DEFAULT_ADMIN_PASSWORD, type AppConfig } from '../config/index.js';
import { API_VERSION } from '../sdk/index.js';

import { Administrator } from './entities/index.js';
import { PasswordHasher } from './password-hasher.js';

/** The first administrator of a new installation. */
export interface FirstAdministrator {
  readonly username: string;
  readonly password: string;
  /** Origin of the password: ADMIN_PASSWORD, the published default, or generated and shown once. */
  readonly kind: 'given' | 'default' | 'random';
}

/** Returns the first administrator of a new installation, for the panel and the store alike. */
export function firstAdministrator(config: AppConfig): FirstAdministrator {
  const kind = config.adminPassword !== null ? 'given' : config.defaultPasswordAllowed ? 'default' : 'random';
  const password = config.adminPassword ?? (kind === 'default' ? DEFAULT_ADMIN_PASSWORD : randomBytes(15).toString('base64url'));
  return { username: config.adminUsername, password, kind };
}

/** The administrators of the panel. */
@Injectable()
export class Administrators {
  constructor(
    @InjectRepository(Administrator) private readonly rows: Repository<Administrator>,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** Finds by name, ignoring case. */
  async findByName(username: string): Promise<Administrator | null> {
    const usernameKey = username.toLowerCase();
    const administrator = await this.rows.findOneBy({ usernameKey });
    // MySQL also ignores accents in comparisons: accepting such variants would bypass the rate limit per name.
    return administrator?.usernameKey === usernameKey ? administrator : null;
  }

  /** Finds by id. */
  findById(id: number): Promise<Administrator | null> {
    return this.rows.findOneBy({ id });
  }

  /** Returns the names of administrators who still have the published default password, at most 100. */
  async namesWithDefaultPassword(): Promise<string[]> {
    const found = await this.rows.find({ where: { hasDefaultPassword: true }, order: { id: 'ASC' }, take: 100 });
    return found.map(({ username }) => username);
  }

  /**
   * Changes name, password, or both, provided the password still matches `presentHash`.
   *
   * @param changes.passwordHash hash of the new password, which must not be the published default
   * @returns false if the password was changed meanwhile: nothing is changed then
   * @throws Error of a unique key if another administrator has that name; see isUniqueViolation
   */
  async change(id: number, presentHash: string, changes: { username?: string; passwordHash?: string }): Promise<boolean> {
    const { username, passwordHash } = changes;
    const { affected } = await this.rows.update(
      { id, passwordHash: presentHash },
      {
        ...(username === undefined ? {} : { username, usernameKey: username.toLowerCase() }),
        ...(passwordHash === undefined ? {} : { passwordHash, hasDefaultPassword: false }),
      },
    );
    return affected === 1;
  }

  /**
   * Creates the administrator of a new installation; returns null if one exists. Runs under the startup lock.
   *
   * @param first its values, if the store uses the same administrator
   */
  async ensureFirstAdministrator(config: AppConfig, first = firstAdministrator(config)): Promise<FirstAdministrator | null> {
    if ((await this.rows.count()) > 0) return null;
    await this.rows.insert({
      username: first.username,
      usernameKey: first.username.toLowerCase(),
      passwordHash: await this.hasher.hash(first.password),
      hasDefaultPassword: first.password === DEFAULT_ADMIN_PASSWORD,
      enabled: true,
      roleId: null,
      seenVersion: API_VERSION,
      createdAt: this.clock.now(),
    });
    return first;
  }
}
