import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { empty, onwards } from '@svc/page-kit';
import {
  CustomersService,
  html,
  moneyText,
  OrdersService,
  SVC_FACADE,
  type CallContext,
  type CustomerRecord,
  type HttpReply,
  type PluginDatabase,
  type SvcFacade,
} from '@svc/sdk';

import { page } from './layout.js';
import { periodOf } from './periods.js';
import { SHOP_DATABASE } from './shop-database.js';
import { PURCHASE_COLUMNS, statusPath, type Purchase } from './shop-orders.js';

/** Maximum number of rows per answer. */
const MAX_ROWS = 100;
const NOBODY = { code: 'not_login', logged_in: false };

/** Orders of the signed-in customer, and the resulting hosts. Source: docs/panel-api.md "The shop". */
@Injectable()
export class Mine implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(OrdersService) private readonly orders: OrdersService,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_route('GET', '/shop/api/assets', async (_params, ctx) => {
      const customer = await this.customers.current(ctx);
      return customer ? { code: 'ok', assets: await this.assetsOf(customer, ctx) } : NOBODY;
    });
    svc.svc_register_route('GET', '/shop/api/orders', async (_params, ctx) => {
      const customer = await this.customers.current(ctx);
      return customer ? { code: 'ok', ...(await this.ordersOf(customer, ctx)) } : NOBODY;
    });
    svc.svc_add_filter('accounts.links', (links: unknown[], ctx: CallContext) => [
      ...links,
      { href: '/shop/assets', title: ctx.t('my_hosts') },
      { href: '/shop', title: ctx.t('to_shop') },
    ]);
    svc.svc_register_route('GET', '/shop/assets', (_params, ctx) =>
      this.forCustomer(ctx, '/shop/assets', (customer) => this.assetsPage(customer, ctx)),
    );
    svc.svc_register_route('GET', '/shop/orders', (_params, ctx) =>
      this.forCustomer(ctx, '/shop/orders', (customer) => this.ordersPage(customer, ctx)),
    );
  }

  private async forCustomer(
    ctx: CallContext,
    path: string,
    show: (customer: CustomerRecord) => Promise<string>,
  ): Promise<string | HttpReply> {
    const customer = await this.customers.current(ctx);
    return customer ? show(customer) : onwards(`/account/login?next=${path}`);
  }

  /** Returns the customer's hosts opened by the shop. */
  private async assetsOf({ id }: CustomerRecord, ctx: CallContext): Promise<AssetRow[]> {
    const hosts = (await this.customers.hostsOf(id)).slice(0, MAX_ROWS);
    if (hosts.length === 0) return [];
    const rows = await this.db.query<Purchase>(
      `SELECT ${PURCHASE_COLUMNS} FROM {purchase} WHERE host_id IN (${hosts.map(() => '?').join(', ')}) AND state = 'opened' ORDER BY id`,
      hosts.map((host) => host.id),
    );
    const bought = new Map(rows.map((row) => [Number(row.host_id), row]));
    return hosts.flatMap((host) => {
      const row = bought.get(host.id);
      if (!row) return [];
      return [
        {
          host_id: host.id,
          user: host.user,
          url: host.url,
          plan_id: Number(row.plan_id),
          plan_name: row.plan_name || ctx.t('plan_number', { id: Number(row.plan_id) }),
          order_no: row.order_no,
          expire_at: host.expiresOn,
          status: host.status,
        },
      ];
    });
  }

  private async ordersOf(
    { id }: CustomerRecord,
    ctx: CallContext,
  ): Promise<{ orders: OrderRow[]; total: number; page: number; per_page: number }> {
    const size = Math.min(Math.max(wholeOf(ctx.query.per_page, 20), 1), MAX_ROWS);
    const at = Math.max(wholeOf(ctx.query.page, 1), 1);
    const [count] = await this.db.query<{ n: number }>('SELECT COUNT(*) AS n FROM {purchase} WHERE customer_id = ?', [id]);
    const rows = await this.db.query<Purchase>(
      `SELECT ${PURCHASE_COLUMNS} FROM {purchase} WHERE customer_id = ? ORDER BY id DESC LIMIT ${size} OFFSET ${(at - 1) * size}`,
      [id],
    );
    const orders = await Promise.all(rows.map((row) => this.orderRow(row)));
    return { orders, total: Number(count?.n ?? 0), page: at, per_page: size };
  }

  private async orderRow(row: Purchase): Promise<OrderRow> {
    const order = row.kind === 'paid' ? await this.orders.get(row.order_no) : null;
    return {
      order_no: row.order_no,
      plan_id: Number(row.plan_id),
      plan_name: row.plan_name,
      period: row.kind === 'trial' ? 'trial' : (periodOf(row.months) ?? ''),
      amount_cents: Number(row.amount),
      status: row.kind === 'paid' ? (order?.status ?? 'closed') : 'paid',
      opened: row.state === 'opened',
      host_id: row.host_id === null ? null : Number(row.host_id),
      created_at: row.ordered_at,
      status_url: statusPath(row.view_key),
      pay_url: order?.status === 'unpaid' ? order.pay_url : null,
    };
  }

  private async assetsPage(customer: CustomerRecord, ctx: CallContext): Promise<string> {
    const assets = await this.assetsOf(customer, ctx);
    return page(
      this.svc,
      ctx,
      ctx.t('my_hosts'),
      html`${tabs(ctx)}
      ${assets.length === 0 ? empty(ctx.t('my_hosts_none')) : ''}
      <ul class="rows">${assets.map(
        (asset) => html`<li><div><strong>${asset.user}</strong> · ${asset.plan_name}<br><a href="${asset.url}">${asset.url}</a></div>
        <div>${ctx.t('expires')}: ${asset.expire_at ?? ctx.t('never')}<br>${ctx.t(`host_${asset.status}`)}</div>
        <form method="post" action="/account/hosts/${asset.host_id}/open"><button class="button" name="page"
          value="renew">${ctx.t('renew_host')}</button>
          <button class="button plain" name="page" value="package">${ctx.t('change_host')}</button></form></li>`,
      )}</ul>`,
    );
  }

  private async ordersPage(customer: CustomerRecord, ctx: CallContext): Promise<string> {
    const { orders, total, page: at, per_page: size } = await this.ordersOf(customer, ctx);
    const link = (number: number, key: string, isThere: boolean): unknown =>
      isThere ? html`<a href="/shop/orders?page=${number}">${ctx.t(key)}</a> ` : '';
    return page(
      this.svc,
      ctx,
      ctx.t('my_orders'),
      html`${tabs(ctx)}
      ${orders.length === 0 ? empty(ctx.t('my_orders_none')) : ''}
      <ul class="rows">${orders.map(
        (order) => html`<li><div><strong>${order.plan_name}</strong>
          · ${ctx.t(order.period === 'trial' ? 'kind_trial' : `period_${order.period}`)}<br><small>${order.order_no}</small></div>
        <div>${moneyText(order.amount_cents)} · ${ctx.t(`order_${order.status}`)}<br>
            <a href="${order.status_url}">${ctx.t('order_details')}</a>${
              order.pay_url ? html` · <a href="${order.pay_url}">${ctx.t('to_payment')}</a>` : ''
            }</div></li>`,
      )}</ul>
      <p>${link(at - 1, 'page_before', at > 1)}${link(at + 1, 'page_after', at * size < total)}</p>`,
    );
  }
}

/** A host in the API's answer. */
interface AssetRow {
  readonly host_id: number;
  readonly user: string;
  readonly url: string;
  readonly plan_id: number;
  readonly plan_name: string;
  readonly order_no: string;
  /** `YYYY-MM-DD`; null: never. */
  readonly expire_at: string | null;
  readonly status: string;
}

/** An order in the API's answer. */
interface OrderRow {
  readonly order_no: string;
  readonly plan_id: number;
  readonly plan_name: string;
  readonly period: string;
  /** Fen. */
  readonly amount_cents: number;
  readonly status: string;
  readonly opened: boolean;
  readonly host_id: number | null;
  readonly created_at: string;
  readonly status_url: string;
  readonly pay_url: string | null;
}

function tabs(ctx: CallContext): unknown {
  return html`<p class="lead"><a href="/shop/assets">${ctx.t('my_hosts')}</a> · <a href="/shop/orders">${ctx.t('my_orders')}</a> ·
    <a href="/shop">${ctx.t('shop_title')}</a></p>`;
}

function wholeOf(text: string | undefined, missing: number): number {
  return /^\d{1,6}$/.test(text ?? '') ? Number(text) : missing;
}
