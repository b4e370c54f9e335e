import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database, isUniqueViolation } from '../database/index.js';

import { Access, PERMISSION_PATTERN } from './access.js';
import { AdministratorError } from './administrator-errors.js';
import { Administrator, AdminRole } from './entities/index.js';

/** Maximum patterns and servers of one role. */
const MAX_ENTRIES = 200;

/** Fields written to the operation log. */
const LOGGED_FIELDS = ['name', 'patterns', 'servers'];

/** New values of a role. */
export interface RoleValues {
  /** 1 to 64 characters. */
  readonly name: string;
  /** Patterns over names of operations, at most 200. */
  readonly patterns: readonly string[];
  /** Ids of servers; null: all. */
  readonly servers: readonly number[] | null;
}

/** Roles of administrators. Nobody can create, change, assign or remove a role with more permissions than their own. */
@Injectable()
export class AdminRoles {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Returns all roles by id, at most 500. */
  list(): Promise<AdminRole[]> {
    return this.rows.find({ order: { id: 'ASC' }, take: 500 });
  }

  /** Returns a role; null if not found. */
  find(id: number): Promise<AdminRole | null> {
    return this.rows.findOneBy({ id });
  }

  /** Returns the number of administrators per role. */
  async counts(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.database
      .statement<{ role: number; n: number }>(
        'SELECT {Administrator.roleId} AS role, COUNT(*) AS n FROM {Administrator} ' +
          'WHERE {Administrator.roleId} IS NOT NULL GROUP BY {Administrator.roleId}',
      )
      .all();
    return new Map(rows.map(({ role, n }) => [Number(role), Number(n)]));
  }

  /**
   * Returns the permissions of a role, locked until the open transaction ends.
   *
   * @param id null: no role, full access
   * @throws AdministratorError `ROLE_MISSING`
   */
  async hold(id: number | null): Promise<Access> {
    if (id === null) return Access.FULL;
    await this.database.lockRow('AdminRole', 'id', id);
    const role = await this.find(id);
    if (!role) throw new AdministratorError('ROLE_MISSING');
    return accessOfRole(role);
  }

  /** @returns its id @throws AdministratorError `ROLE_RULE`, `ROLE_NAME_TAKEN`, `MORE_THAN_OWN` */
  async add(values: RoleValues, giver: Access): Promise<number> {
    const columns = columnsOf(values, giver);
    try {
      const id = Number((await this.rows.insert({ ...columns, createdAt: this.clock.now() })).identifiers[0]!.id);
      this.database.noteChange({ of: 'role', id, only: LOGGED_FIELDS }, null, columns);
      return id;
    } catch (error) {
      throw nameTaken(error);
    }
  }

  /**
   * Changes a role; takes effect with its holders' next request.
   *
   * @param check receives the locked role; throwing rejects the change
   * @throws AdministratorError as {@link add}; `ROLE_MISSING`
   */
  async change(id: number, values: RoleValues, giver: Access, check?: (present: AdminRole) => void): Promise<void> {
    const columns = columnsOf(values, giver);
    try {
      await this.database.transaction(async () => {
        if (!giver.covers(await this.hold(id))) throw new AdministratorError('MORE_THAN_OWN');
        const before = await this.rows.findOneByOrFail({ id });
        check?.(before);
        await this.rows.update({ id }, columns);
        this.database.noteChange({ of: 'role', id, only: LOGGED_FIELDS }, before, columns);
      });
    } catch (error) {
      throw nameTaken(error);
    }
  }

  /** @throws AdministratorError `ROLE_MISSING`, `MORE_THAN_OWN`, `ROLE_IN_USE` */
  async remove(id: number, giver: Access): Promise<void> {
    await this.database.transaction(async () => {
      if (!giver.covers(await this.hold(id))) throw new AdministratorError('MORE_THAN_OWN');
      const n = await this.database.repository(Administrator).countBy({ roleId: id });
      if (n > 0) throw new AdministratorError('ROLE_IN_USE', { n });
      const before = await this.find(id);
      await this.rows.delete({ id });
      this.database.noteChange({ of: 'role', id, only: LOGGED_FIELDS }, before, null);
    });
  }

  private get rows() {
    return this.database.repository(AdminRole);
  }
}

/** Returns the permissions of a role. */
export function accessOfRole({ patterns, servers }: Pick<AdminRole, 'patterns' | 'servers'>): Access {
  return new Access(patterns, servers);
}

function columnsOf({ name, patterns, servers }: RoleValues, giver: Access) {
  const length = [...name].length;
  if (length < 1 || length > 64) throw new AdministratorError('ROLE_RULE', {}, { name: 'auth.role_name_rule' });
  const invalid = patterns.find((pattern) => !PERMISSION_PATTERN.test(pattern));
  if (invalid !== undefined || patterns.length > MAX_ENTRIES)
    throw new AdministratorError(
      'ROLE_RULE',
      {},
      { qx: { key: 'auth.role_patterns_rule', params: { pattern: (invalid ?? '').slice(0, 64) } } },
    );
  if (servers !== null && (servers.length === 0 || servers.length > MAX_ENTRIES))
    throw new AdministratorError('ROLE_RULE', {}, { nodes: 'auth.role_servers_rule' });
  if (!giver.covers(new Access(patterns, servers))) throw new AdministratorError('MORE_THAN_OWN');
  return { name, nameKey: name.toLowerCase(), patterns: [...new Set(patterns)], servers: servers && [...new Set(servers)] };
}

function nameTaken(error: unknown): unknown {
  return isUniqueViolation(error) ? new AdministratorError('ROLE_NAME_TAKEN', {}, { name: 'auth.role_name_taken' }) : error;
}
