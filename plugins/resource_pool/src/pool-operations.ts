import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { between, searchOf } from '@svc/gateway-kit';
import { PasswordsService, SVC_FACADE, type AjaxResult, type CallContext, type SvcFacade } from '@svc/sdk';

import { answered, done, inProblems } from './answers.js';
import { idOf } from './form-fields.js';
import { Members, useOf } from './members.js';
import { readPool } from './pool-input.js';
import { Pools, poolFormOf, type Pool } from './pools.js';
import { PoolRefusal } from './refusals.js';
import { Servers } from './servers.js';
import { Sessions } from './sessions.js';
import { amountText, useText } from './words.js';

/** Administrators' operations on pools. Source: docs/panel-api.md "Resource pools". */
@Injectable()
export class PoolOperations implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(PasswordsService) private readonly passwords: PasswordsService,
    @Inject(Pools) private readonly pools: Pools,
    @Inject(Members) private readonly members: Members,
    @Inject(Servers) private readonly servers: Servers,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_ajax('admin', 'p_respool_list', (ctx) => this.list(ctx), 'admin', { rate: 'read' });
    svc.svc_register_ajax('admin', 'p_respool_save', (ctx) => answered(ctx, () => this.save(ctx)), 'admin', { audit: 'audit.pool_saved' });
    svc.svc_register_ajax('admin', 'p_respool_status', (ctx) => answered(ctx, () => this.setStatus(ctx)), 'admin', {
      audit: 'audit.pool_switched',
    });
    svc.svc_register_ajax('admin', 'p_respool_delete', (ctx) => answered(ctx, () => this.remove(ctx)), 'admin', {
      audit: 'audit.pool_deleted',
      secondProof: true,
    });
  }

  private async list(ctx: CallContext): Promise<AjaxResult> {
    const { body } = ctx;
    const size = between(body.limit, 1, 200, 20);
    const { total, pools } = await this.pools.page({
      search: searchOf(body.where).value.trim().slice(0, 120),
      status: ['enabled', 'disabled'].includes(body.status ?? '') ? body.status! : '',
      sort: body.sort ?? 'id',
      descending: body.sortOrder !== 'asc',
      at: (between(body.page, 1, 1_000_000, 1) - 1) * size,
      size,
    });
    const members = await this.members.of(pools.map(({ id }) => id));
    const rows = pools.map((pool) =>
      this.row(
        ctx,
        pool,
        members.filter(({ poolId }) => poolId === pool.id),
      ),
    );
    return { total, rows };
  }

  private row(ctx: CallContext, pool: Pool, members: Parameters<typeof useOf>[1]): object {
    const { used, hosts, over } = useOf(pool, members);
    const closed = this.pools.closed(pool);
    return {
      id: pool.id,
      name: pool.name,
      username: pool.username,
      nodes: pool.nodes,
      web_space: pool.webMb,
      sql_space: pool.databaseMb,
      flow: pool.trafficGb,
      web_used: useText(ctx, pool, used, 'webMb'),
      sql_used: useText(ctx, pool, used, 'databaseMb'),
      flow_used: useText(ctx, pool, used, 'trafficGb'),
      over: over.map((resource) => ctx.t(resource)).join(', '),
      hosts,
      expire_date: pool.expiresOn,
      status: pool.enabled ? 'enabled' : 'disabled',
      state: closed === null ? 'open' : closed === 'POOL_OFF' ? 'off' : 'over',
      remark: pool.remark,
    };
  }

  private async save(ctx: CallContext): Promise<AjaxResult> {
    const id = idOf(ctx.body.id);
    const before = id === 0 ? null : await this.pools.find(id);
    if (id === 0 ? (ctx.body.id ?? '') !== '' : before === null) throw new PoolRefusal('POOL_MISSING');
    const input = readPool(ctx, await this.servers.all(), before);
    if ('problems' in input) return inProblems(ctx, input.problems);
    const { terms, password } = input;
    const hash = password === '' ? null : await this.passwords.hash(password);
    if (before === null) return done(ctx.t('pool_added'), { id: await this.pools.add(terms, hash!) });
    await this.svc.db.transaction(async () => {
      const present = await this.pools.lock(id);
      this.svc.svc_check_row_version(ctx.body.row_version, poolFormOf(present));
      await this.pools.change(present, terms);
      if (hash !== null) await this.pools.setPassword(id, hash);
      if (hash !== null || !terms.enabled) await this.sessions.endAll(id);
    });
    const { used } = useOf(before, await this.members.of([id]));
    const over = useOf({ ...before, ...terms }, await this.members.of([id])).over;
    const text = over.length > 0 ? ctx.t('pool_saved_over', { used: over.map((one) => amountText(ctx, used[one], one)).join(', ') }) : '';
    return done(text || ctx.t('pool_saved'), { id });
  }

  private async setStatus(ctx: CallContext): Promise<AjaxResult> {
    const { status = '' } = ctx.body;
    if (status !== 'enabled' && status !== 'disabled') return inProblems(ctx, { status: 'field_status' });
    const pool = await this.pools.find(idOf(ctx.body.id));
    if (!pool) throw new PoolRefusal('POOL_MISSING');
    await this.pools.change(pool, { ...pool, enabled: status === 'enabled' });
    if (status === 'disabled') await this.sessions.endAll(pool.id);
    return done(ctx.t(status === 'enabled' ? 'pool_on' : 'pool_off'), { status });
  }

  /** Deletes the pool, its sessions and memberships; its hosts stay and belong to the reseller alone. */
  private async remove(ctx: CallContext): Promise<AjaxResult> {
    return this.svc.db.transaction(async () => {
      const pool = await this.pools.lock(idOf(ctx.body.id));
      const members = await this.members.of([pool.id]);
      if (members.some(({ state }) => state === 'opening')) throw new PoolRefusal('POOL_BUSY');
      await this.members.removeAllOf(pool.id);
      await this.sessions.endAll(pool.id);
      await this.pools.remove(pool);
      return members.length === 0 ? done(ctx.t('pool_deleted')) : done(ctx.t('pool_deleted_hosts', { n: members.length }));
    });
  }
}
