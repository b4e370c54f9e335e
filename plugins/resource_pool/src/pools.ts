import { Inject, Injectable } from '@nestjs/common';
import { SVC_FACADE, type FormValues, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import type { Amounts } from './amounts.js';
import { POOL_DATABASE } from './pool-database.js';
import { PoolRefusal } from './refusals.js';

/** Administrator's settings of a pool. */
export interface PoolTerms extends Amounts {
  readonly name: string;
  readonly username: string;
  /** Codes of servers and groups on which hosts may be opened; empty: any. */
  readonly nodes: readonly string[];
  /** Expiry date, `YYYY-MM-DD`; empty: none. */
  readonly expiresOn: string;
  readonly enabled: boolean;
  readonly remark: string;
}

/** Quota of a sub-reseller. */
export interface Pool extends PoolTerms {
  readonly id: number;
}

interface Row {
  id: number;
  name: string;
  username: string;
  nodes: string;
  web_mb: number;
  database_mb: number;
  traffic_gb: number;
  expires_on: string;
  status: string;
  remark: string;
}

const COLUMNS = 'id, name, username, nodes, web_mb, database_mb, traffic_gb, expires_on, status, remark';
const SORTS: Readonly<Record<string, string>> = { id: 'id', name: 'name', username: 'username_key', expire_date: 'expires_on' };

/** Filter and order of a pool list. */
export interface PoolQuery {
  readonly search: string;
  readonly status: string;
  readonly sort: string;
  readonly descending: boolean;
  readonly at: number;
  readonly size: number;
}

/** Rows of pools. */
@Injectable()
export class Pools {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(POOL_DATABASE) private readonly db: PluginDatabase,
  ) {}

  async find(id: number): Promise<Pool | null> {
    return this.one('id = ?', id);
  }

  /** Returns a pool with its password hash. */
  async byUsername(username: string): Promise<{ pool: Pool; hash: string } | null> {
    const [row] = await this.db.query<Row & { password_hash: string }>(
      `SELECT ${COLUMNS}, password_hash FROM {pool} WHERE username_key = ?`,
      [username.trim().toLowerCase()],
    );
    return row ? { pool: poolOf(row), hash: row.password_hash } : null;
  }

  /** Returns several pools by id. */
  async named(ids: readonly number[]): Promise<Map<number, Pool>> {
    if (ids.length === 0) return new Map();
    const rows = await this.db.query<Row>(`SELECT ${COLUMNS} FROM {pool} WHERE id IN (${ids.map(() => '?').join(', ')})`, [...ids]);
    return new Map(rows.map((row) => [Number(row.id), poolOf(row)]));
  }

  async page({ search, status, sort, descending, at, size }: PoolQuery): Promise<{ total: number; pools: Pool[] }> {
    const like = `%${search.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
    const conditions = [
      ...(search === '' ? [] : ["(LOWER(name) LIKE ? ESCAPE '!' OR username_key LIKE ? ESCAPE '!')"]),
      ...(status === '' ? [] : ['status = ?']),
    ];
    const values = [...(search === '' ? [] : [like, like]), ...(status === '' ? [] : [status])];
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const [count] = await this.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM {pool} ${where}`, values);
    const column = Object.hasOwn(SORTS, sort) ? SORTS[sort]! : 'id';
    const way = descending ? 'DESC' : 'ASC';
    const rows = await this.db.query<Row>(
      `SELECT ${COLUMNS} FROM {pool} ${where} ORDER BY ${column} ${way}, id ${way} LIMIT ${size} OFFSET ${at}`,
      values,
    );
    return { total: Number(count?.n ?? 0), pools: rows.map(poolOf) };
  }

  /**
   * Locks a pool until the end of the transaction. Must be the first statement of its transaction, so that later reads see the result of
   * the previous one.
   *
   * @throws PoolRefusal POOL_MISSING
   */
  async lock(id: number): Promise<Pool> {
    const { affected } = await this.db.run('UPDATE {pool} SET revision = revision + 1 WHERE id = ?', [id]);
    const pool = affected === 1 ? await this.find(id) : null;
    if (!pool) throw new PoolRefusal('POOL_MISSING');
    return pool;
  }

  /** @throws PoolRefusal NAME_TAKEN */
  async add(terms: PoolTerms, passwordHash: string): Promise<number> {
    const now = new Date().toISOString();
    return this.unlessTaken(terms.username, 0, async () => {
      const { insertId } = await this.db.run(
        `INSERT INTO {pool} (name, username, username_key, nodes, web_mb, database_mb, traffic_gb, expires_on, status, remark,
          password_hash, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [...valuesOf(terms), passwordHash, now, now],
      );
      this.db.noteChange({ of: 'pool', id: insertId }, null, poolFormOf(terms));
      return insertId;
    });
  }

  /** @throws PoolRefusal NAME_TAKEN */
  async change(before: Pool, terms: PoolTerms): Promise<void> {
    await this.unlessTaken(terms.username, before.id, async () => {
      await this.db.run(
        `UPDATE {pool} SET name = ?, username = ?, username_key = ?, nodes = ?, web_mb = ?, database_mb = ?, traffic_gb = ?, expires_on = ?,
          status = ?, remark = ?, updated_at = ? WHERE id = ?`,
        [...valuesOf(terms), new Date().toISOString(), before.id],
      );
      this.db.noteChange({ of: 'pool', id: before.id }, poolFormOf(before), poolFormOf(terms));
    });
  }

  async setPassword(id: number, passwordHash: string): Promise<void> {
    await this.db.run('UPDATE {pool} SET password_hash = ?, updated_at = ? WHERE id = ?', [passwordHash, new Date().toISOString(), id]);
    this.db.noteChange({ of: 'pool', id, secret: ['password'] }, { password: 'before' }, { password: 'after' });
  }

  /** Deletes only the row; dependent rows must be deleted before. */
  async remove(pool: Pool): Promise<void> {
    await this.db.run('DELETE FROM {pool} WHERE id = ?', [pool.id]);
    this.db.noteChange({ of: 'pool', id: pool.id }, poolFormOf(pool), null);
  }

  /** Returns why it cannot open hosts at present; null if it can. */
  closed({ enabled, expiresOn }: Pool): 'POOL_OFF' | 'POOL_OVER' | null {
    if (!enabled) return 'POOL_OFF';
    return expiresOn !== '' && expiresOn < this.today() ? 'POOL_OVER' : null;
  }

  /** Returns the current day in the panel's time zone, `YYYY-MM-DD`. */
  today(): string {
    return new Date().toLocaleDateString('sv-SE', { timeZone: this.svc.timezone });
  }

  private async one(condition: string, value: number): Promise<Pool | null> {
    const [row] = await this.db.query<Row>(`SELECT ${COLUMNS} FROM {pool} WHERE ${condition}`, [value]);
    return row ? poolOf(row) : null;
  }

  /** The unique index decides between concurrent requests for one name. @throws PoolRefusal NAME_TAKEN */
  private async unlessTaken<T>(username: string, id: number, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      const [row] = await this.db.query<{ id: number }>('SELECT id FROM {pool} WHERE username_key = ?', [username.toLowerCase()]);
      if (row === undefined || Number(row.id) === id) throw error;
      throw new PoolRefusal('NAME_TAKEN', 'username');
    }
  }
}

const valuesOf = ({ name, username, nodes, webMb, databaseMb, trafficGb, expiresOn, enabled, remark }: PoolTerms): unknown[] => [
  ...[name, username, username.toLowerCase(), JSON.stringify(nodes), webMb, databaseMb, trafficGb, expiresOn],
  ...[enabled ? 'enabled' : 'disabled', remark],
];

/** Form values of a pool; used for row versions and the operation log. */
export const poolFormOf = ({ name, username, nodes, webMb, databaseMb, trafficGb, expiresOn, enabled, remark }: PoolTerms): FormValues => ({
  ...{ name, username, nodes: nodes.join(', '), web_space: webMb, sql_space: databaseMb, flow: trafficGb },
  ...{ expire_date: expiresOn, status: enabled ? 'enabled' : 'disabled', remark },
});

/** Database engines sometimes return numbers as texts. */
function poolOf(row: Row): Pool {
  return {
    id: Number(row.id),
    name: row.name,
    username: row.username,
    nodes: JSON.parse(row.nodes) as string[],
    webMb: Number(row.web_mb),
    databaseMb: Number(row.database_mb),
    trafficGb: Number(row.traffic_gb),
    expiresOn: row.expires_on,
    enabled: row.status === 'enabled',
    remark: row.remark,
  };
}
