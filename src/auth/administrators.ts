import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Clock } from '../common/index.js';
import { DEFAULT_ADMIN_PASSWORD, type AppConfig } from '../config/index.js';
import { API_VERSION } from '../sdk/index.js';

import { Administrator } from './entities/index.js';
import { PasswordHasher } from './password-hasher.js';

/** The administrator a new installation got. */
export interface FirstAdministrator {
  readonly username: string;
  readonly password: string;
  /** From ADMIN_PASSWORD, the published default, or made up and shown once. */
  readonly kind: 'given' | 'default' | 'random';
}

/** The administrator a new installation is to get, of the panel and of the store alike. */
export function firstAdministrator(config: AppConfig): FirstAdministrator {
  const kind = config.adminPassword !== null ? 'given' : config.defaultPasswordAllowed ? 'default' : 'random';
  const password = config.adminPassword ?? (kind === 'default' ? DEFAULT_ADMIN_PASSWORD : randomBytes(15).toString('base64url'));
  return { username: config.adminUsername, password, kind };
}

/** The people who run the panel. */
@Injectable()
export class Administrators {
  constructor(
    @InjectRepository(Administrator) private readonly rows: Repository<Administrator>,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** By name, ignoring case. */
  async findByName(username: string): Promise<Administrator | null> {
    const usernameKey = username.toLowerCase();
    const administrator = await this.rows.findOneBy({ usernameKey });
    // MySQL also compares without accents: who may be guessed at under many names gets round the limit of one name.
    return administrator?.usernameKey === usernameKey ? administrator : null;
  }

  /** By id. */
  findById(id: number): Promise<Administrator | null> {
    return this.rows.findOneBy({ id });
  }

  /** Names of those who still have the published default password, at most 100. */
  async namesWithDefaultPassword(): Promise<string[]> {
    const found = await this.rows.find({ where: { hasDefaultPassword: true }, order: { id: 'ASC' }, take: 100 });
    return found.map(({ username }) => username);
  }

  /**
   * Changes name, password, or both, as long as the password is still the one behind `presentHash`.
   *
   * @param changes.passwordHash hash of the new password, which must not be the published default
   * @returns false where somebody else has changed the password meanwhile: nothing is changed then
   * @throws Error of a unique key where another administrator has that name; see isUniqueViolation
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
   * Makes the administrator of a new installation; null where there is one already. Runs under the start-up lock.
   *
   * @param first who it is to be, where the store's administrator is the same one
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
