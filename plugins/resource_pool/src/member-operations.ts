import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { between, searchOf } from '@svc/gateway-kit';
import { SVC_FACADE, type AjaxResult, type CallContext, type SvcFacade } from '@svc/sdk';

import { answered, done, inProblems } from './answers.js';
import { idOf } from './form-fields.js';
import { readHost } from './host-input.js';
import { MemberMaintenance } from './member-maintenance.js';
import { Members, useOf, type PresentMember } from './members.js';
import { Openings } from './openings.js';
import { Pools, type Pool } from './pools.js';
import { PoolRefusal } from './refusals.js';
import { mayBeOn, Servers, type Place } from './servers.js';
import { limitText, useText } from './words.js';

/** Administrators' operations on hosts of pools: list, open, bind. Source: docs/panel-api.md "Resource pools". */
@Injectable()
export class MemberOperations implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Pools) private readonly pools: Pools,
    @Inject(Members) private readonly members: Members,
    @Inject(Servers) private readonly servers: Servers,
    @Inject(Openings) private readonly openings: Openings,
    @Inject(MemberMaintenance) private readonly maintenance: MemberMaintenance,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_ajax('admin', 'p_respool_hosts', (ctx) => this.list(ctx), 'admin', { rate: 'read' });
    svc.svc_register_ajax('admin', 'p_respool_sums', (ctx) => this.sums(ctx), 'admin', { rate: 'read' });
    svc.svc_register_ajax('admin', 'p_respool_open_host', (ctx) => answered(ctx, () => this.open(ctx)), 'admin', {
      audit: 'audit.host_opened',
      rate: 'expensive',
      needs: 'addzj',
    });
    svc.svc_register_ajax('admin', 'p_respool_bind_host', (ctx) => answered(ctx, () => this.bind(ctx)), 'admin', {
      audit: 'audit.host_bound',
    });
    svc.svc_register_ajax('admin', 'p_respool_unbind_host', (ctx) => answered(ctx, () => this.unbind(ctx)), 'admin', {
      audit: 'audit.host_released',
    });
    svc.svc_register_ajax('admin', 'p_respool_prune', (ctx) => this.prune(ctx), 'admin', { audit: 'audit.pruned', rate: 'expensive' });
    svc.svc_register_ajax('admin', 'p_respool_repair', (ctx) => this.repair(ctx), 'admin', { audit: 'audit.repaired', rate: 'expensive' });
  }

  private async list(ctx: CallContext): Promise<AjaxResult> {
    const { body } = ctx;
    const pool = await this.pools.find(idOf(body.pool));
    if (!pool) return { total: 0, rows: [] };
    const text = searchOf(body.where).value.trim().toLowerCase();
    const all = (await this.members.of([pool.id])).filter(({ user, host }) => (host?.user ?? user).toLowerCase().includes(text)).reverse();
    const size = between(body.limit, 1, 200, 20);
    const at = (between(body.page, 1, 1_000_000, 1) - 1) * size;
    const places = await this.servers.all();
    return { total: all.length, rows: all.slice(at, at + size).map((member) => rowOf(ctx, pool, places, member)) };
  }

  private async sums(ctx: CallContext): Promise<AjaxResult> {
    const pool = await this.pools.find(idOf(ctx.body.pool));
    if (!pool) return {};
    const { used, hosts, over } = useOf(pool, await this.members.of([pool.id]));
    return {
      pool: pool.name,
      hosts,
      web: useText(ctx, pool, used, 'webMb'),
      sql: useText(ctx, pool, used, 'databaseMb'),
      flow: useText(ctx, pool, used, 'trafficGb'),
      over: over.length === 0 ? ctx.t('within') : ctx.t('over_by', { what: over.map((resource) => ctx.t(resource)).join(', ') }),
    };
  }

  private async open(ctx: CallContext): Promise<AjaxResult> {
    const { wish, problems } = readHost(ctx);
    if (Object.keys(problems).length > 0) return inProblems(ctx, problems);
    const { host } = await this.openings.open(idOf(ctx.body.pool_id), wish, false);
    return done(ctx.t('host_opened', { user: host.user }), { host_id: host.id });
  }

  private async bind(ctx: CallContext): Promise<AjaxResult> {
    const { pool_id, host_id = '' } = ctx.body;
    const named = host_id.trim();
    if (named === '' || named.length > 64) return inProblems(ctx, { host_id: 'field_host' });
    const host = await this.openings.bind(idOf(pool_id), named);
    return done(ctx.t('host_bound', { user: host.user }), { host_id: host.id });
  }

  private async unbind(ctx: CallContext): Promise<AjaxResult> {
    const { pool_id, host_id } = ctx.body;
    const member = await this.members.ofHost(idOf(pool_id), idOf(host_id));
    if (!member) throw new PoolRefusal('HOST_MISSING');
    await this.members.remove([member.id]);
    return done(ctx.t('host_unbound', { user: member.user }));
  }

  private async prune(ctx: CallContext): Promise<AjaxResult> {
    const n = await this.maintenance.prune();
    return done(ctx.t(n === 0 ? 'pruned_none' : 'pruned', { n }), { removed: n });
  }

  private async repair(ctx: CallContext): Promise<AjaxResult> {
    const { adopted, released } = await this.maintenance.repair();
    return done(ctx.t(adopted + released === 0 ? 'repaired_none' : 'repaired', { adopted, released }), { adopted, released });
  }
}

function rowOf(ctx: CallContext, pool: Pool, places: readonly Place[], { id, hostId, user, state, booked, host }: PresentMember): object {
  const limits = host ?? booked;
  const notes = [
    ...(host && !mayBeOn(pool, places, host.node) ? [ctx.t('note_elsewhere')] : []),
    ...(state === 'opening' ? [ctx.t('note_opening')] : []),
    ...(hostId !== null && host === null ? [ctx.t('note_gone')] : []),
  ];
  return {
    id,
    pool_id: pool.id,
    host_id: hostId ?? 0,
    user: host?.user ?? user,
    notes,
    node: host?.node ?? '–',
    web: limitText(ctx, limits.webMb, 'webMb'),
    sql: limitText(ctx, limits.databaseMb, 'databaseMb'),
    flow: limitText(ctx, limits.trafficGb, 'trafficGb'),
    domains: host === null ? '–' : host.domains === 0 ? ctx.t('endless') : host.domains,
    expire_date: host?.expiresOn ?? '',
    state: state === 'opening' ? 'opening' : (host?.status ?? 'gone'),
  };
}
