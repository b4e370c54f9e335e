import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { between, searchOf } from '@svc/gateway-kit';
import {
  amountText,
  defineList,
  HostsService,
  SVC_FACADE,
  type AjaxResult,
  type CallContext,
  type ListDeclaration,
  type PluginDatabase,
  type SvcFacade,
} from '@svc/sdk';

import { chosenFrom } from './extra-terms.js';
import { periodOf } from './periods.js';
import { SHOP_DATABASE } from './shop-database.js';
import { PURCHASE_COLUMNS, type Purchase } from './shop-orders.js';

type Badges = NonNullable<ListDeclaration['columns'][number]['badges']>;

const STATES: Badges = {
  pending: ['yellow', 'sale_pending'],
  opened: ['green', 'sale_opened'],
  failed: ['red', 'sale_failed'],
  name_taken: ['orange', 'sale_name_taken'],
  renamed: ['yellow', 'sale_renamed'],
};
const KINDS: Badges = {
  paid: ['blue', 'kind_paid'],
  free: ['secondary', 'kind_free'],
  trial: ['azure', 'kind_trial'],
};

const SALES = defineList({
  id: 'sales',
  operation: 'p_hosting_shop_sales',
  sort: '-id',
  empty: 'sales_none',
  search: [
    ['username', 'username'],
    ['order_no', 'order'],
  ],
  filters: [
    {
      field: 'state',
      label: 'plan_state',
      choices: Object.entries(STATES).map(([value, [, title]]) => [value, title] as const),
    },
  ],
  columns: [
    {
      field: 'order_no',
      title: 'order',
      kind: 'named',
      href: (row) => (row.kind === 'paid' ? `/admin/order?ddh=${String(row.order_no)}` : ''),
    },
    { field: 'username', title: 'username' },
    { field: 'plan', title: 'menu_plans' },
    { field: 'period', title: 'period' },
    { field: 'rmb', title: 'amount', kind: 'money' },
    { field: 'state', title: 'plan_state', kind: 'badge', badges: STATES },
    { field: 'remark', title: 'remark', kind: 'brief' },
  ],
});

const ASSETS = defineList({
  id: 'assets',
  operation: 'p_hosting_shop_assets',
  sort: '-id',
  empty: 'assets_none',
  search: [['username', 'username']],
  columns: [
    { field: 'user', title: 'username', kind: 'named', href: (row) => (row.host_id ? `/admin/host?id=${String(row.host_id)}` : '') },
    { field: 'plan', title: 'menu_plans' },
    { field: 'server', title: 'plan_node' },
    { field: 'kind', title: 'plan_kind', kind: 'badge', badges: KINDS },
    { field: 'extras', title: 'extras' },
    { field: 'expires', title: 'expires', kind: 'expiry' },
    { field: 'state', title: 'plan_state' },
  ],
});

/** Sales and the resulting hosts, for administrators. */
@Injectable()
export class SalesAdmin implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(HostsService) private readonly hosts: HostsService,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_page('admin', 'sales', 'pages/sales.liquid', 'menu_sales', { lists: [SALES] });
    svc.svc_register_page('admin', 'assets', 'pages/assets.liquid', 'menu_assets', { lists: [ASSETS] });
    svc.svc_register_ajax('admin', 'p_hosting_shop_sales', (ctx) => this.sales(ctx), 'admin', { rate: 'read' });
    svc.svc_register_ajax('admin', 'p_hosting_shop_assets', (ctx) => this.assets(ctx), 'admin', { rate: 'read' });
  }

  private async sales(ctx: CallContext): Promise<AjaxResult> {
    const state = ctx.body.state ?? '';
    const only = Object.hasOwn(STATES, state) ? 'state = ?' : '';
    const { total, rows } = await this.page(ctx, ['username', 'order_no'], only, only ? [state] : []);
    return { total, rows: rows.map((row) => saleRow(ctx, row)) };
  }

  private async assets(ctx: CallContext): Promise<AjaxResult> {
    const { total, rows } = await this.page(ctx, ['username'], 'host_id IS NOT NULL', []);
    return { total, rows: await Promise.all(rows.map((row) => this.assetRow(ctx, row))) };
  }

  private async page(
    ctx: CallContext,
    searched: readonly string[],
    condition: string,
    params: readonly unknown[],
  ): Promise<{ total: number; rows: Purchase[] }> {
    const { name, value: looked } = searchOf(ctx.body.where);
    const value = looked.slice(0, 64);
    const isSearched = searched.includes(name) && value !== '';
    const conditions = [condition, isSearched ? `${name} LIKE ? ESCAPE '!'` : ''].filter(Boolean);
    const values = [...params, ...(isSearched ? [`%${value.replace(/[!%_]/g, '!$&')}%`] : [])];
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const size = between(ctx.body.limit, 1, 200, 20);
    const at = (between(ctx.body.page, 1, 1_000_000, 1) - 1) * size;
    const direction = ctx.body.sortOrder === 'asc' ? 'ASC' : 'DESC';
    const [count] = await this.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM {purchase} ${where}`, values);
    const rows = await this.db.query<Purchase>(
      `SELECT ${PURCHASE_COLUMNS} FROM {purchase} ${where} ORDER BY id ${direction} LIMIT ${size} OFFSET ${at}`,
      values,
    );
    return { total: Number(count?.n ?? 0), rows };
  }

  private async assetRow(ctx: CallContext, row: Purchase): Promise<object> {
    const host = await this.hosts.get(Number(row.host_id));
    const extras = chosenFrom(row.extras).map(
      ({ kind, steps, unit }) => `${ctx.t(`kind_${kind}`)} +${steps * unit} ${ctx.t(`unit_${kind}`)}`,
    );
    return {
      host_id: host ? Number(row.host_id) : 0,
      user: host?.user ?? row.username,
      plan: row.plan_name || `#${row.plan_id}`,
      server: host?.node ?? '–',
      kind: row.kind,
      extras: extras.join(', ') || '–',
      expires: host ? (host.expiresOn ?? '0') : '',
      state: ctx.t(host ? `host_${host.status}` : 'host_gone'),
    };
  }
}

function saleRow(ctx: CallContext, row: Purchase): object {
  const period = periodOf(row.months);
  const time = row.kind === 'trial' ? ctx.t('trial_of', { n: Number(row.days) }) : period ? ctx.t(`period_${period}`) : '';
  return {
    order_no: row.order_no,
    kind: row.kind,
    username: row.username,
    plan: row.plan_name || `#${row.plan_id}`,
    period: time,
    rmb: amountText(Number(row.amount)),
    state: row.state,
    remark: [Number(row.past_stock) ? ctx.t('past_stock') : '', row.remark].filter(Boolean).join('\n') || '–',
  };
}
