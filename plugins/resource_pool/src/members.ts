import { Inject, Injectable } from '@nestjs/common';
import { HostsService, type HostRecord, type PluginDatabase } from '@svc/sdk';

import { amountsOf, overdrawn, sumOf, widest, type Amounts, type Resource } from './amounts.js';
import { POOL_DATABASE } from './pool-database.js';
import type { Pool } from './pools.js';

/**
 * `opening` until its host exists, `open`, or `changing` while its limits are changed. Reserved amounts count in `opening` and `changing`,
 * so that nobody else gets them meanwhile.
 */
export type MemberState = 'opening' | 'open' | 'changing';

/** A host of a pool, or one being opened for it. */
export interface Member {
  readonly id: number;
  readonly poolId: number;
  readonly hostId: number | null;
  /** Its name when it joined the pool. */
  readonly user: string;
  readonly state: MemberState;
  readonly booked: Amounts;
  readonly startsPaused: boolean;
  /** Idempotency key of the opening in the panel. */
  readonly openingKey: string;
}

/** A member with its current host. */
export interface PresentMember extends Member {
  /** Null while it is being opened, and if its host no longer exists. */
  readonly host: HostRecord | null;
  /** Amounts that count against the quota; null if its host no longer exists. */
  readonly counts: Amounts | null;
}

/** Usage of a pool's quota. */
export interface PoolUse {
  readonly used: Amounts;
  readonly hosts: number;
  /** Resources whose quota is exceeded. */
  readonly over: readonly Resource[];
}

interface Row {
  id: number;
  pool_id: number;
  host_id: number | null;
  host_user: string;
  state: MemberState;
  web_mb: number;
  database_mb: number;
  traffic_gb: number;
  starts_paused: number | boolean;
  opening_key: string;
}

const COLUMNS = 'id, pool_id, host_id, host_user, state, web_mb, database_mb, traffic_gb, starts_paused, opening_key';
/** Hosts requested per call. */
const AT_ONCE = 10_000;

/** Rows of members and their hosts: usage is always computed from the hosts' current limits. */
@Injectable()
export class Members {
  constructor(
    @Inject(POOL_DATABASE) private readonly db: PluginDatabase,
    @Inject(HostsService) private readonly hosts: HostsService,
  ) {}

  /** Returns the members of some pools, oldest first. */
  async of(poolIds: readonly number[]): Promise<PresentMember[]> {
    if (poolIds.length === 0) return [];
    const places = poolIds.map(() => '?').join(', ');
    const rows = await this.db.query<Row>(`SELECT ${COLUMNS} FROM {member} WHERE pool_id IN (${places}) ORDER BY id`, [...poolIds]);
    return this.present(rows.map(memberOf));
  }

  /** Adds the current hosts to members. */
  async present(members: readonly Member[]): Promise<PresentMember[]> {
    const ids = members.flatMap(({ hostId }) => (hostId === null ? [] : [hostId]));
    const found = new Map<number, HostRecord>();
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      for (const host of await this.hosts.list(ids.slice(at, at + AT_ONCE))) found.set(host.id, host);
    }
    return members.map((member) => {
      const host = member.hostId === null ? null : (found.get(member.hostId) ?? null);
      return { ...member, host, counts: countsOf(member, host) };
    });
  }

  /** Returns the member for a host of a pool; null if the host is not in this pool. */
  async ofHost(poolId: number, hostId: number): Promise<Member | null> {
    return this.one('pool_id = ? AND host_id = ?', poolId, hostId);
  }

  async find(id: number): Promise<Member | null> {
    return this.one('id = ?', id);
  }

  byRequest(requestKey: string): Promise<Member | null> {
    return this.one('request_key = ?', requestKey);
  }

  /** Whether the host is in any pool. */
  async isBound(hostId: number): Promise<boolean> {
    return (await this.one('host_id = ?', hostId)) !== null;
  }

  async add(member: Omit<Member, 'id'>, requestKey: string | null): Promise<number> {
    const { poolId, hostId, user, state, booked, startsPaused, openingKey } = member;
    const { insertId } = await this.db.run(
      `INSERT INTO {member} (pool_id, host_id, host_user, state, web_mb, database_mb, traffic_gb, starts_paused, opening_key, request_key,
        since) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[poolId, hostId, user, state, booked.webMb, booked.databaseMb, booked.trafficGb, startsPaused, openingKey, requestKey],
        new Date().toISOString(),
      ],
    );
    return insertId;
  }

  /** Records the opened host. @returns false if the opening was given up meanwhile */
  async opened(id: number, hostId: number): Promise<boolean> {
    const { affected } = await this.db.run("UPDATE {member} SET state = 'open', host_id = ? WHERE id = ? AND state = 'opening'", [
      hostId,
      id,
    ]);
    return affected === 1;
  }

  /** Deletes a member whose opening failed. */
  async giveUp(id: number): Promise<void> {
    await this.db.run("DELETE FROM {member} WHERE id = ? AND state = 'opening'", [id]);
  }

  /** Reserves new limits for a host. @returns false while another change is running */
  async changing(id: number, booked: Amounts): Promise<boolean> {
    const { affected } = await this.db.run(
      "UPDATE {member} SET state = 'changing', web_mb = ?, database_mb = ?, traffic_gb = ?, since = ? WHERE id = ? AND state = 'open'",
      [booked.webMb, booked.databaseMb, booked.trafficGb, new Date().toISOString(), id],
    );
    return affected === 1;
  }

  async changed(id: number): Promise<void> {
    await this.db.run("UPDATE {member} SET state = 'open' WHERE id = ? AND state = 'changing'", [id]);
  }

  /** Returns members whose opening or change started before a moment, oldest first. */
  async unfinished(before: Date): Promise<Member[]> {
    const rows = await this.db.query<Row>(
      `SELECT ${COLUMNS} FROM {member} WHERE state IN ('opening', 'changing') AND since < ? ORDER BY since, id LIMIT 500`,
      [before.toISOString()],
    );
    return rows.map(memberOf);
  }

  /** Returns members in order of id, after a given one. */
  async after(id: number, limit: number): Promise<Member[]> {
    const rows = await this.db.query<Row>(`SELECT ${COLUMNS} FROM {member} WHERE id > ? ORDER BY id LIMIT ${limit}`, [id]);
    return rows.map(memberOf);
  }

  /** Removes a host from its pool, if any. */
  async removeHost(hostId: number): Promise<void> {
    await this.db.run('DELETE FROM {member} WHERE host_id = ?', [hostId]);
  }

  /** Removes members from their pool; the hosts are not changed. */
  async remove(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0;
    return (await this.db.run(`DELETE FROM {member} WHERE id IN (${ids.map(() => '?').join(', ')})`, [...ids])).affected;
  }

  async removeAllOf(poolId: number): Promise<void> {
    await this.db.run('DELETE FROM {member} WHERE pool_id = ?', [poolId]);
  }

  private async one(condition: string, ...values: (number | string)[]): Promise<Member | null> {
    const [row] = await this.db.query<Row>(`SELECT ${COLUMNS} FROM {member} WHERE ${condition}`, values);
    return row ? memberOf(row) : null;
  }
}

/** Computes a pool's usage from its members. */
export function useOf(pool: Pool, members: readonly PresentMember[]): PoolUse {
  const counted = members.flatMap(({ counts }) => (counts === null ? [] : [counts]));
  const used = sumOf(counted);
  return { used, hosts: counted.length, over: overdrawn(pool, used) };
}

function countsOf({ state, booked }: Member, host: HostRecord | null): Amounts | null {
  if (state === 'opening') return booked;
  if (host === null) return null;
  return state === 'changing' ? widest(host, booked) : amountsOf((resource) => host[resource]);
}

/** Database engines sometimes return numbers as texts. */
function memberOf(row: Row): Member {
  return {
    id: Number(row.id),
    poolId: Number(row.pool_id),
    hostId: row.host_id === null ? null : Number(row.host_id),
    user: row.host_user,
    state: row.state,
    booked: { webMb: Number(row.web_mb), databaseMb: Number(row.database_mb), trafficGb: Number(row.traffic_gb) },
    startsPaused: Boolean(Number(row.starts_paused)),
    openingKey: row.opening_key,
  };
}
