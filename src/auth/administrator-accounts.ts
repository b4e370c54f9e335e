import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { DEFAULT_ADMIN_PASSWORD } from '../config/index.js';
import { Database, isUniqueViolation } from '../database/index.js';
import { API_VERSION } from '../sdk/index.js';

import { Access } from './access.js';
import { accessOfRole, AdminRoles } from './admin-roles.js';
import { AdministratorError } from './administrator-errors.js';
import { Administrator, FailedSignIn, KnownDevice, Session } from './entities/index.js';
import { MAX_PASSWORD, MIN_PASSWORD, PasswordHasher } from './password-hasher.js';
import { removeSecondFactor } from './second-factors.js';

/** Fields written to the operation log. */
const LOGGED_FIELDS = ['username', 'passwordHash', 'enabled', 'roleId'];

/** User names that can be typed anywhere and contain no look-alikes; 4 to 64 characters. */
const NAME = /^[A-Za-z0-9_.@-]{4,64}$/;

/** A new administrator. */
export interface NewAdministrator {
  /** 4 to 64 letters, digits and `. _ @ -`. */
  readonly username: string;
  /** 6 to 256 characters, not the published default. */
  readonly password: string;
  /** Whether sign-in is allowed. */
  readonly enabled?: boolean;
  /** Role; null: full access. */
  readonly roleId?: number | null;
}

/** Values to change; missing ones are kept. */
export type AdministratorChange = Partial<NewAdministrator>;

/**
 * Adds, changes and removes administrators. At least one enabled administrator with full access always remains: an operation that would
 * remove the last one is rejected, also across concurrent requests and processes. Depends only on the database, so command line
 * programs can use it.
 * @example
 * ```ts
 * await new AdministratorAccounts(database, hasher, new Clock()).change(id, { password, enabled: true });
 * ```
 */
@Injectable()
export class AdministratorAccounts {
  private readonly selectAllLocked;
  private readonly roles: AdminRoles;

  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {
    this.roles = new AdminRoles(database, clock);
    // Locked until the transaction ends, so that two concurrent requests cannot remove the last two administrators.
    this.selectAllLocked = database.statement<{ id: number; enabled: number; roleId: number | null }>(
      `SELECT {Administrator.id} AS id, {Administrator.enabled} AS enabled, {Administrator.roleId} AS roleId FROM {Administrator}
       ORDER BY {Administrator.id}${database.engine === 'mysql' ? ' FOR UPDATE' : ''}`,
    );
  }

  /** Returns all administrators by id, at most 500. */
  list(): Promise<Administrator[]> {
    return this.rows.find({ order: { id: 'ASC' }, take: 500 });
  }

  /**
   * @param giver permissions of the caller, who cannot grant more than these
   * @returns the administrator's id
   * @throws AdministratorError for an invalid name or password, or a name that is taken; `ROLE_MISSING`, `MORE_THAN_OWN`
   */
  async add({ username, password, enabled = true, roleId = null }: NewAdministrator, giver = Access.FULL): Promise<number> {
    checkName(username);
    const passwordHash = await this.hashOf(password);
    const values = {
      username,
      usernameKey: username.toLowerCase(),
      passwordHash,
      hasDefaultPassword: false,
      enabled,
      roleId,
      seenVersion: API_VERSION,
    };
    try {
      return await this.database.transaction(async () => {
        if (!giver.covers(await this.roles.hold(roleId))) throw new AdministratorError('MORE_THAN_OWN');
        const id = Number((await this.rows.insert({ ...values, createdAt: this.clock.now() })).identifiers[0]!.id);
        this.database.noteChange({ of: 'administrator', id, only: LOGGED_FIELDS }, null, values);
        return id;
      });
    } catch (error) {
      throw nameTaken(error);
    }
  }

  /**
   * Changes an administrator. A new password, or disabling the account, ends all of its sessions and forgets its devices.
   *
   * @param giver as of {@link add}; an administrator with more permissions cannot be changed
   * @param check receives the locked administrator; throwing rejects the change
   * @throws AdministratorError as {@link add}; `ADMINISTRATOR_MISSING`; `LAST_ADMINISTRATOR`
   */
  async change(
    id: number,
    { username, password, enabled, roleId }: AdministratorChange,
    giver = Access.FULL,
    check?: (present: Administrator) => void,
  ): Promise<void> {
    if (username !== undefined) checkName(username);
    const passwordHash = password === undefined ? undefined : await this.hashOf(password);
    const values = {
      ...(username === undefined ? {} : { username, usernameKey: username.toLowerCase() }),
      ...(passwordHash === undefined ? {} : { passwordHash, hasDefaultPassword: false }),
      ...(enabled === undefined ? {} : { enabled }),
      ...(roleId === undefined ? {} : { roleId }),
    };
    try {
      await this.database.transaction(async () => {
        await this.hold(id, enabled === false || typeof roleId === 'number', giver);
        if (roleId !== undefined && !giver.covers(await this.roles.hold(roleId))) throw new AdministratorError('MORE_THAN_OWN');
        const before = await this.rows.findOneByOrFail({ id });
        check?.(before);
        if (Object.keys(values).length > 0) await this.rows.update({ id }, values);
        this.database.noteChange({ of: 'administrator', id, only: LOGGED_FIELDS }, before, { ...before, ...values });
        if (passwordHash !== undefined || enabled === false) await this.signOut(id);
      });
    } catch (error) {
      throw nameTaken(error);
    }
  }

  /**
   * Removes an administrator with their sessions and devices.
   *
   * @throws AdministratorError `ADMINISTRATOR_MISSING`, `LAST_ADMINISTRATOR`, `MORE_THAN_OWN`
   */
  async remove(id: number, giver = Access.FULL): Promise<void> {
    await this.database.transaction(async () => {
      await this.hold(id, true, giver);
      const before = await this.rows.findOneByOrFail({ id });
      await this.rows.delete({ id });
      this.database.noteChange({ of: 'administrator', id, only: LOGGED_FIELDS }, before, null);
      await this.signOut(id);
      await removeSecondFactor(this.database, 'admin', id);
      await this.database.repository(FailedSignIn).delete({ side: 'admin', accountId: id });
    });
  }

  /**
   * Removes an administrator's second factor.
   *
   * @returns false if there was none
   * @throws AdministratorError `ADMINISTRATOR_MISSING`, `MORE_THAN_OWN`
   */
  async removeSecondFactor(id: number, giver = Access.FULL): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.hold(id, false, giver);
      return removeSecondFactor(this.database, 'admin', id);
    });
  }

  /** Locks all administrators until the transaction ends. @param leaves whether this one is about to lose full access */
  private async hold(id: number, leaves: boolean, giver: Access): Promise<void> {
    const all = await this.selectAllLocked.all();
    const found = all.find((one) => one.id === id);
    if (!found) throw new AdministratorError('ADMINISTRATOR_MISSING');
    if (!giver.isFull && !giver.covers(await this.presentAccess(found.roleId))) throw new AdministratorError('MORE_THAN_OWN');
    const isFull = (one: { enabled: number; roleId: number | null }): boolean => Boolean(one.enabled) && one.roleId === null;
    if (leaves && isFull(found) && !all.some((one) => one.id !== id && isFull(one))) throw new AdministratorError('LAST_ADMINISTRATOR');
  }

  private async presentAccess(roleId: number | null): Promise<Access> {
    if (roleId === null) return Access.FULL;
    const role = await this.roles.find(roleId);
    return role ? accessOfRole(role) : Access.NONE;
  }

  private async signOut(id: number): Promise<void> {
    await this.database.repository(Session).delete({ scope: 'admin', subjectId: id });
    await this.database.repository(KnownDevice).delete({ side: 'admin', accountId: id });
  }

  private hashOf(password: string): Promise<string> {
    const length = [...password].length;
    if (length < MIN_PASSWORD || length > MAX_PASSWORD) throw refusal('PASSWORD_RULE', 'pass');
    if (password === DEFAULT_ADMIN_PASSWORD) throw refusal('PUBLISHED_PASSWORD', 'pass');
    return this.hasher.hash(password);
  }

  private get rows() {
    return this.database.repository(Administrator);
  }
}

function checkName(username: string): void {
  if (!NAME.test(username)) throw refusal('NAME_RULE', 'user');
}

function refusal(code: 'NAME_RULE' | 'PASSWORD_RULE' | 'PUBLISHED_PASSWORD', field: 'user' | 'pass'): AdministratorError {
  const error = new AdministratorError(code);
  return new AdministratorError(code, {}, { [field]: error.shape.text });
}

function nameTaken(error: unknown): unknown {
  return isUniqueViolation(error)
    ? new AdministratorError('ADMINISTRATOR_NAME_TAKEN', {}, { user: 'auth.administrator_name_taken' })
    : error;
}
