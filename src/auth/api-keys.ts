import { hash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database, isUniqueViolation } from '../database/index.js';
import type { AdminIdentity } from '../sdk/index.js';

import { Access, PERMISSION_PATTERN, withAccess } from './access.js';
import { AddressList, MAX_ADDRESS_LIST } from './address-list.js';
import { AdministratorError } from './administrator-errors.js';
import { ApiKey } from './entities/index.js';

/** Format of a secret: this prefix and 32 random bytes in base64url. */
const SECRET = /^svck_[A-Za-z0-9_-]{43}$/;
const NAME = /^[A-Za-z0-9_.@-]{1,40}$/;
const MAX_PATTERNS = 200;

/** Fields written to the operation log. */
const LOGGED_FIELDS = ['name', 'patterns', 'addresses', 'expiresAt', 'enabled'];

/** New values of an API key. */
export interface ApiKeyValues {
  /** 1 to 40 letters, digits and `. _ @ -`. */
  readonly name: string;
  /** Patterns over names of operations; `api.<gn>` for the provisioning API. */
  readonly patterns: readonly string[];
  /** Allowed client addresses and networks; empty: all. */
  readonly addresses: string;
  /** Null: no expiry. */
  readonly expiresAt: Date | null;
  readonly enabled: boolean;
}

/** API keys for programs. Nobody can create or change a key with more permissions than their own. */
@Injectable()
export class ApiKeys {
  private readonly use;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.use = database.statement('UPDATE {ApiKey} SET {ApiKey.uses} = {ApiKey.uses} + 1, {ApiKey.usedAt} = ? WHERE {ApiKey.id} = ?');
  }

  /** Returns all keys by id, at most 500. */
  list(): Promise<ApiKey[]> {
    return this.rows.find({ order: { id: 'ASC' }, take: 500 });
  }

  /** Returns a key; null if not found. */
  find(id: number): Promise<ApiKey | null> {
    return this.rows.findOneBy({ id });
  }

  /** @returns its id, and the secret, which is shown only once @throws AdministratorError `KEY_RULE`, `KEY_NAME_TAKEN`, `MORE_THAN_OWN` */
  async add(values: ApiKeyValues, giver: Access): Promise<{ id: number; secret: string }> {
    const columns = columnsOf(values, giver);
    const secret = `svck_${randomBytes(32).toString('base64url')}`;
    try {
      const { identifiers } = await this.rows.insert({ ...columns, secretHash: hashOf(secret), uses: 0, createdAt: this.clock.now() });
      const id = Number(identifiers[0]!.id);
      this.database.noteChange({ of: 'api_key', id, only: LOGGED_FIELDS }, null, columns);
      return { id, secret };
    } catch (error) {
      throw nameTaken(error);
    }
  }

  /**
   * Changes a key; takes effect with the next request.
   *
   * @param check receives the locked key; throwing rejects the change
   * @throws AdministratorError as {@link add}; `KEY_MISSING`
   */
  async change(id: number, values: ApiKeyValues, giver: Access, check?: (present: ApiKey) => void): Promise<void> {
    const columns = columnsOf(values, giver);
    try {
      await this.database.transaction(async () => {
        const before = await this.hold(id, giver);
        check?.(before);
        await this.rows.update({ id }, columns);
        this.database.noteChange({ of: 'api_key', id, only: LOGGED_FIELDS }, before, columns);
      });
    } catch (error) {
      throw nameTaken(error);
    }
  }

  /** @throws AdministratorError `KEY_MISSING`, `MORE_THAN_OWN` */
  async remove(id: number, giver: Access): Promise<void> {
    await this.database.transaction(async () => {
      const before = await this.hold(id, giver);
      await this.rows.delete({ id });
      this.database.noteChange({ of: 'api_key', id, only: LOGGED_FIELDS }, before, null);
    });
  }

  /**
   * Authenticates a secret and counts the use; null if it is unknown, disabled, expired, or not allowed from this address.
   *
   * @param ip address of the client
   */
  async admit(secret: string, ip: string): Promise<AdminIdentity | null> {
    if (!isApiKeySecret(secret)) return null;
    const key = await this.rows.findOneBy({ secretHash: hashOf(secret) });
    const now = this.clock.now();
    if (!key?.enabled || (key.expiresAt && key.expiresAt <= now)) return null;
    if (key.addresses !== null && !AddressList.read(key.addresses).has(ip)) return null;
    await this.use.run(now, key.id);
    // Cannot collide with an account: no account has a negative id or a colon in its name.
    return withAccess({ id: -key.id, username: `key:${key.name}` }, new Access(key.patterns, null));
  }

  private async hold(id: number, giver: Access): Promise<ApiKey> {
    await this.database.lockRow('ApiKey', 'id', id);
    const key = await this.find(id);
    if (!key) throw new AdministratorError('KEY_MISSING');
    if (!giver.covers(new Access(key.patterns, null))) throw new AdministratorError('MORE_THAN_OWN');
    return key;
  }

  private get rows() {
    return this.database.repository(ApiKey);
  }
}

/** Returns whether a text has the format of a secret. */
export function isApiKeySecret(text: string): boolean {
  return SECRET.test(text);
}

/** Returns whether an identity is an API key instead of an account. */
export function isApiKey({ id }: { readonly id: number }): boolean {
  return id < 0;
}

function columnsOf({ name, patterns, addresses, expiresAt, enabled }: ApiKeyValues, giver: Access) {
  if (!NAME.test(name)) throw new AdministratorError('KEY_RULE', {}, { name: 'auth.key_name_rule' });
  const invalidPattern = patterns.find((pattern) => !PERMISSION_PATTERN.test(pattern));
  if (invalidPattern !== undefined || patterns.length > MAX_PATTERNS)
    throw new AdministratorError(
      'KEY_RULE',
      {},
      { qx: { key: 'auth.role_patterns_rule', params: { pattern: (invalidPattern ?? '').slice(0, 64) } } },
    );
  const { entries, invalid } = AddressList.read(addresses);
  if (invalid.length > 0 || entries.length > MAX_ADDRESS_LIST)
    throw new AdministratorError(
      'KEY_RULE',
      {},
      { ips: { key: 'auth.key_addresses_rule', params: { address: (invalid[0] ?? '').slice(0, 64) } } },
    );
  if (!giver.covers(new Access(patterns, null))) throw new AdministratorError('MORE_THAN_OWN');
  return {
    name,
    nameKey: name.toLowerCase(),
    patterns: [...new Set(patterns)],
    addresses: entries.length > 0 ? entries.join('\n') : null,
    expiresAt,
    enabled,
  };
}

function nameTaken(error: unknown): unknown {
  return isUniqueViolation(error) ? new AdministratorError('KEY_NAME_TAKEN', {}, { name: 'auth.key_name_taken' }) : error;
}

const hashOf = (secret: string): string => hash('sha256', secret, 'hex');
