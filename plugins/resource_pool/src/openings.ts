import { randomUUID } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { HostsService, SVC_FACADE, type HostRecord, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import { withoutRoom, type Amounts } from './amounts.js';
import { idOf } from './form-fields.js';
import { limitsForm, type HostWish } from './host-input.js';
import { Members, useOf, type Member, type PoolUse, type PresentMember } from './members.js';
import { POOL_DATABASE } from './pool-database.js';
import { Pools, type Pool } from './pools.js';
import { PoolRefusal, refuseFor } from './refusals.js';
import { mayBeOn, placesOf, Servers, type Place } from './servers.js';

/** Suspension reason of hosts suspended by their pool. */
export const SUSPENDED = 'resource_pool';

/** What a pool can still open. */
export interface PoolRoom {
  /** Why it cannot open hosts; null if it can. */
  readonly closed: 'POOL_OFF' | 'POOL_OVER' | null;
  readonly use: PoolUse;
  readonly places: readonly Place[];
}

/** Result of an opening. */
export interface OpenedHost {
  readonly host: HostRecord;
  /** Whether an earlier attempt of the same request had opened it, or had started to: the password is that of the earlier attempt. */
  readonly before: 'no' | 'begun' | 'opened';
}

/**
 * Spends a pool's quota. It is reserved in a transaction that locks the pool, before the panel is asked to open or extend a host; the
 * outcome is recorded afterwards, at the latest by `MemberMaintenance`. So concurrent requests in any process cannot exceed the quota.
 */
@Injectable()
export class Openings {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(POOL_DATABASE) private readonly db: PluginDatabase,
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(Pools) private readonly pools: Pools,
    @Inject(Members) private readonly members: Members,
    @Inject(Servers) private readonly servers: Servers,
  ) {}

  /**
   * Opens a host in a pool. A repeated request returns the host it opened.
   *
   * @param isOwner the sub-reseller, whose hosts must expire with the pool at the latest
   * @throws PoolRefusal; errors of the panel
   */
  async open(poolId: number, wish: HostWish, isOwner: boolean): Promise<OpenedHost> {
    const { member, isNew } = await this.book(poolId, wish, isOwner);
    if (member.hostId !== null) {
      const host = await this.hosts.get(member.hostId);
      if (host) return { host, before: 'opened' };
      throw new PoolRefusal('REQUEST_USED');
    }
    let host: HostRecord;
    try {
      host = await this.hosts.provision({
        ...{ node: wish.node, user: wish.user, password: wish.password, expiresOn: wish.expiresOn, ...wish.limits },
        idempotencyKey: member.openingKey,
      });
    } catch (error) {
      // A server that did not answer may have created the host: then the panel continues, and the reservation stays.
      if (await this.hosts.opened(member.openingKey)) throw new PoolRefusal('OPENING');
      await this.members.giveUp(member.id);
      throw error;
    }
    return { host: await this.finish(member, host), before: isNew ? 'no' : 'begun' };
  }

  /** Makes the opened host a member. */
  async finish(member: Member, host: HostRecord): Promise<HostRecord> {
    const opened = member.startsPaused && host.status === 'active' ? await this.hosts.pause(host.id, SUSPENDED) : host;
    // The opening was given up, but the host exists and must count.
    if (!(await this.members.opened(member.id, host.id)) && !(await this.members.isBound(host.id))) {
      await this.members.add({ ...member, hostId: host.id, state: 'open' }, null);
    }
    return opened;
  }

  /** Returns usage and available servers of a pool. */
  async roomOf(pool: Pool): Promise<PoolRoom> {
    const [members, all] = await Promise.all([this.members.of([pool.id]), this.servers.all()]);
    return { closed: this.pools.closed(pool), use: useOf(pool, members), places: placesOf(pool, all) };
  }

  /** Adds an existing host to a pool. @param named its id or its name @throws PoolRefusal */
  async bind(poolId: number, named: string): Promise<HostRecord> {
    const all = await this.servers.all();
    const id = idOf(named);
    const found = (id > 0 ? await this.hosts.get(id) : null) ?? (await this.hosts.get(named));
    if (!found) throw new PoolRefusal('HOST_MISSING', 'host_id');
    try {
      return await this.db.transaction(async () => {
        const pool = await this.lockOpen(poolId);
        const host = await this.hosts.get(found.id);
        if (!host) throw new PoolRefusal('HOST_MISSING', 'host_id');
        if (await this.members.isBound(host.id)) throw new PoolRefusal('HOST_BOUND', 'host_id');
        if (!mayBeOn(pool, all, host.node)) throw new PoolRefusal('HOST_ELSEWHERE', 'host_id', { node: host.node });
        refuseFor([lackOfRoom(pool, await this.members.of([pool.id]), host)]);
        await this.members.add(
          { poolId, hostId: host.id, user: host.user, state: 'open', booked: host, startsPaused: false, openingKey: '' },
          null,
        );
        return host;
      });
    } catch (error) {
      // The unique index decides between two pools that bind it concurrently.
      if (!(error instanceof PoolRefusal) && (await this.members.isBound(found.id))) throw new PoolRefusal('HOST_BOUND', 'host_id');
      throw error;
    }
  }

  /**
   * Changes the limits of a host.
   *
   * @param version row version of the form
   * @throws PoolRefusal; RefusedForm; errors of the panel
   */
  async change(poolId: number, hostId: number, limits: HostWish['limits'], version?: string): Promise<HostRecord> {
    const member = await this.db.transaction(async () => {
      const pool = await this.lockOpen(poolId);
      const all = await this.members.of([poolId]);
      const own = all.find((one) => one.hostId === hostId);
      if (!own?.host) throw new PoolRefusal('HOST_MISSING');
      this.svc.svc_check_row_version(version, limitsForm(own.host));
      const others = all.filter(({ id }) => id !== own.id);
      refuseFor([lackOfRoom(pool, others, limits, own.host)]);
      if (!(await this.members.changing(own.id, limits))) throw new PoolRefusal('HOST_BUSY');
      return own;
    });
    try {
      return await this.hosts.setQuota(hostId, limits);
    } finally {
      await this.members.changed(member.id);
    }
  }

  /** Changes a host's expiry, at most to that of its pool. @throws PoolRefusal; errors of the panel */
  async renew(pool: Pool, hostId: number, expiresOn: string | null): Promise<HostRecord> {
    const closed = this.pools.closed(pool);
    if (closed) throw new PoolRefusal(closed);
    refuseFor([beyondEnd(pool, expiresOn)]);
    if (expiresOn !== null && expiresOn < this.pools.today()) throw new PoolRefusal('LAST_DAY', 'expire_date', { day: this.pools.today() });
    return this.hosts.renew(hostId, expiresOn);
  }

  private async book(poolId: number, wish: HostWish, isOwner: boolean): Promise<{ member: Member; isNew: boolean }> {
    const all = await this.servers.all();
    const { limits, user, startsPaused } = wish;
    return this.db.transaction(async () => {
      const pool = await this.lockOpen(poolId);
      const requestKey = wish.request === '' ? null : `${poolId}:${wish.request}`;
      const before = requestKey === null ? null : await this.members.byRequest(requestKey);
      if (before) {
        if (before.user.toLowerCase() !== user.toLowerCase()) throw new PoolRefusal('REQUEST_USED');
        return { member: before, isNew: false };
      }
      refuseFor([
        placesOf(pool, all).some(({ code }) => code === wish.node) ? null : new PoolRefusal('NODE', 'node'),
        isOwner ? beyondEnd(pool, wish.expiresOn) : null,
        lackOfRoom(pool, await this.members.of([poolId]), limits),
      ]);
      const booked: Amounts = limits;
      const member = { poolId, hostId: null, user, state: 'opening', booked, startsPaused, openingKey: randomUUID() } as const;
      return { member: { ...member, id: await this.members.add(member, requestKey) }, isNew: true };
    });
  }

  /** Locks an enabled pool. @throws PoolRefusal */
  private async lockOpen(poolId: number): Promise<Pool> {
    const pool = await this.pools.lock(poolId);
    const closed = this.pools.closed(pool);
    if (closed) throw new PoolRefusal(closed);
    return pool;
  }
}

/** Returns LAST_DAY if a host would expire after its pool. */
function beyondEnd(pool: Pool, expiresOn: string | null): PoolRefusal | null {
  const isWithin = pool.expiresOn === '' || (expiresOn !== null && expiresOn <= pool.expiresOn);
  return isWithin ? null : new PoolRefusal('LAST_DAY', 'expire_date', { day: pool.expiresOn });
}

/** Returns NO_ROOM if a quota is insufficient. @param has the host's current limits */
function lackOfRoom(pool: Pool, others: readonly PresentMember[], wanted: Amounts, has: Amounts | null = null): PoolRefusal | null {
  const { used } = useOf(pool, others);
  const short = withoutRoom(pool, used, wanted, has);
  if (short.length === 0) return null;
  const shortages = short.map((resource) => ({ resource, quota: pool[resource], left: pool[resource] - used[resource] }));
  return new PoolRefusal('NO_ROOM', [], {}, shortages);
}
