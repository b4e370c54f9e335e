import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  html,
  HostsService,
  OrdersService,
  SVC_FACADE,
  type CallContext,
  type HttpReply,
  type OrderSummary,
  type SafeHtml,
  type SiteInfo,
  type SvcFacade,
} from '@svc/sdk';

import { PERIODS } from './periods.js';
import { type Plan, Plans } from './plans.js';
import { Provisioning } from './provisioning.js';
import { type Purchase, ShopOrders } from './shop-orders.js';

/** What is wrong with an order. */
interface Refused {
  readonly field: string;
  readonly message: string;
}

/** An order, and where it goes on. */
interface Ordered {
  readonly order_no: string;
  readonly pay_url: string;
  readonly status_url: string;
}

const USERNAME = /^[a-z0-9][a-z0-9_-]{5,31}$/i;
/** What the panel takes when the account is opened, and at least eight: after the payment it would be too late to say no. */
const PASSWORD = /^[^\p{Cc}\uFFFD]{8,64}$/u;
const MAX_ORDER_NAME = 127;

/** The public side: plans, the order form, and the page that shows how far an order got. */
@Injectable()
export class Storefront implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(OrdersService) private readonly panelOrders: OrdersService,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(ShopOrders) private readonly orders: ShopOrders,
    @Inject(Provisioning) private readonly provisioning: Provisioning,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_add_action('home.blocks', (blocks, ctx) => {
      const link = html`<p>${ctx.t('shop_lead')}</p><a class="btn btn-primary" href="/shop">${ctx.t('to_shop')}</a>`;
      blocks.push({ id: 'shop', title: ctx.t('shop_title'), html: String(link), order: 10 });
    });

    svc.svc_register_route('GET', '/shop', async (_params, ctx) => {
      const onSale = await this.plans.onSale();
      return page(
        svc.site,
        ctx,
        ctx.t('shop_title'),
        html`
        <p class="lead">${ctx.t('shop_lead')}</p>
        ${onSale.length === 0 ? html`<p class="empty">${ctx.t('no_plans')}</p>` : ''}
        <ul class="plans">${onSale.map(
          (plan) => html`
          <li>
            <h2>${plan.name}</h2>
            <p class="price">${price(plan.priceMonth)}<small>${ctx.t('per_month')}</small></p>
            <p>${plan.description}</p>
            ${features(ctx, plan)}
            <a class="button" href="/shop/order/${plan.id}">${ctx.t('order_now')}</a>
          </li>`,
        )}
        </ul>`,
      );
    });

    svc.svc_register_route('GET', '/shop/order/{plan_id}', async (params, ctx) => {
      const plan = await this.planOnSale(params.plan_id);
      if (!plan)
        return {
          status: 404,
          body: page(svc.site, ctx, ctx.t('no_plan'), html`<p>${ctx.t('no_plan')}</p><p><a href="/shop">${ctx.t('back')}</a></p>`),
        };
      return orderForm(svc.site, ctx, plan, {}, '');
    });

    svc.svc_register_route(
      'POST',
      '/shop/order/{plan_id}',
      async (params, ctx) => {
        const plan = await this.planOnSale(params.plan_id);
        const result = await this.createOrder({ ...ctx.body, plan_id: params.plan_id }, ctx);
        if ('message' in result) {
          if (!plan) return { status: 404, body: page(svc.site, ctx, result.message, html`<p><a href="/shop">${ctx.t('back')}</a></p>`) };
          return { status: 422, body: orderForm(svc.site, ctx, plan, ctx.body, result.message) };
        }
        return { status: 303, headers: { Location: result.pay_url }, body: '' };
      },
      10,
      null,
      { rate: 'order' },
    );

    const purchaseOf = async (key: string | undefined): Promise<Purchase | null> =>
      /^[0-9a-f]{32}$/.test(key ?? '') ? this.orders.findByKey(key!) : null;

    svc.svc_register_route('GET', '/shop/status/{key}', async (params, ctx) => {
      const purchase = await purchaseOf(params.key);
      const order = purchase && (await this.panelOrders.get(purchase.order_no));
      return order ? this.statusPage(ctx, order, purchase) : noOrderPage(svc.site, ctx);
    });

    // Another name for a paid purchase whose name somebody else has by now.
    svc.svc_register_route('POST', '/shop/status/{key}', async (params, ctx) => {
      const purchase = await purchaseOf(params.key);
      const order = purchase && (await this.panelOrders.get(purchase.order_no));
      if (!purchase || !order) return noOrderPage(svc.site, ctx);
      const username = (ctx.body.username ?? '').trim();
      const message = purchase.state === 'name_taken' ? await this.nameProblem(username, ctx) : '';
      if (message) return { status: 422, body: await this.statusPage(ctx, order, purchase, username, message) };
      if (await this.orders.rename(purchase.order_no, username))
        await this.provisioning.openRenamed((await this.orders.find(purchase.order_no))!);
      return { status: 303, headers: { Location: `/shop/status/${params.key}` }, body: '' };
    });

    svc.svc_register_route('GET', '/shop/api/plans', async () => ({
      code: 'ok',
      plans: (await this.plans.onSale()).map((plan) => ({
        id: plan.id,
        name: plan.name,
        description: plan.description,
        node: plan.node,
        spec_web: plan.webMb,
        spec_sql: plan.databaseMb,
        spec_flow: plan.trafficGb,
        spec_domain: plan.domains,
        spec_monitor: plan.monitors,
        spec_backup: plan.backups,
        periods: Object.keys(PERIODS),
        prices: Object.fromEntries(Object.entries(PERIODS).map(([name, months]) => [name, plan.priceMonth * months])),
      })),
    }));

    svc.svc_register_route('GET', '/shop/api/methods', async () => ({ code: 'ok', methods: await svc.svc_get_enabled_payment_methods() }));

    svc.svc_register_route(
      'POST',
      '/shop/api/create_order',
      async (_params, ctx) => {
        const result = await this.createOrder(ctx.body, ctx);
        if ('message' in result) return { code: result.message, fields: { [result.field]: result.message } };
        return { code: 'ok', order_no: result.order_no, pay_url: result.pay_url, status_url: result.status_url };
      },
      10,
      null,
      { rate: 'order' },
    );
  }

  /** Checks the form and writes the order; `{field, message}` says what is wrong. */
  private async createOrder(fields: Readonly<Record<string, string | undefined>>, ctx: CallContext): Promise<Refused | Ordered> {
    const refuse = (field: string, key: string): Refused => ({ field, message: ctx.t(key) });
    const plan = await this.planOnSale(fields.plan_id);
    if (!plan) return refuse('plan_id', 'plan_gone');
    const period = fields.period ?? '';
    if (!Object.hasOwn(PERIODS, period)) return refuse('period', 'bad_period');
    const username = (fields.username ?? '').trim();
    const password = fields.password ?? '';
    if (!USERNAME.test(username)) return refuse('username', 'bad_username');
    if (!PASSWORD.test(password)) return refuse('password', 'bad_password');
    const type = fields.type ?? '';
    if (type !== '' && !(await this.isOffered(type))) return refuse('type', 'bad_method');
    if (!(await this.hosts.nodes()).some((node) => node.code === plan.node)) return refuse('plan_id', 'no_node');
    const message = await this.nameProblem(username, ctx);
    if (message) return { field: 'username', message };
    const months = PERIODS[period]!;
    const name = ctx.t('order_name', { plan: plan.name, period: ctx.t(`period_${period}`) });
    try {
      const { order, statusUrl } = await this.orders.create({
        plan,
        months,
        name: firstCharacters(name, MAX_ORDER_NAME),
        username,
        password,
        type: type || undefined,
        ip: ctx.ip,
      });
      return { order_no: order.ddh, pay_url: order.pay_url, status_url: statusUrl };
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'TOO_MANY_UNPAID') return refuse('username', 'too_many_unpaid');
      throw error;
    }
  }

  /** Whether buyers can choose this payment method now. */
  private async isOffered(type: string): Promise<boolean> {
    return (await this.svc.svc_get_enabled_payment_methods()).some(({ plugin, method }) => this.svc.svc_pay_type(plugin, method) === type);
  }

  /** What is wrong with an account name; empty when it may be had. */
  private async nameProblem(username: string, ctx: CallContext): Promise<string> {
    if (!USERNAME.test(username)) return ctx.t('bad_username');
    return (await this.hosts.get(username)) || (await this.orders.isNameWanted(username)) ? ctx.t('name_taken') : '';
  }

  private async planOnSale(id: string | undefined): Promise<Plan | null> {
    const plan = /^\d{1,9}$/.test(id ?? '') ? await this.plans.find(Number(id)) : null;
    return plan?.active ? plan : null;
  }

  /** @param given a name that was refused, with `message` saying why */
  private async statusPage(ctx: CallContext, order: OrderSummary, purchase: Purchase, given = '', message = ''): Promise<string> {
    const host = purchase.host_id ? await this.hosts.get(Number(purchase.host_id)) : null;
    const isPaid = order.status === 'paid' || order.status === 'partly_refunded';
    const steps: [string, boolean][] = [
      ['step_ordered', true],
      ['step_paid', isPaid],
      ['step_opened', purchase.state === 'opened'],
    ];
    const asksForName = isPaid && purchase.state === 'name_taken';
    const waiting = purchase.state !== 'opened' && !asksForName;
    const isInTrouble = purchase.state === 'failed' || (purchase.state === 'renamed' && purchase.remark !== '');
    return page(
      this.svc.site,
      ctx,
      ctx.t('status_title'),
      html`
        <ol class="steps">${steps.map(([key, done]) => html`<li class="${done ? 'done' : ''}">${ctx.t(key)}</li>`)}</ol>
        <dl><dt>${ctx.t('order')}</dt><dd>${order.ddh}</dd><dt>${ctx.t('item')}</dt><dd>${order.name}</dd><dt>${ctx.t('amount')}</dt><dd>¥${order.money}</dd></dl>
        ${order.status === 'closed' ? html`<p class="alert" role="alert">${ctx.t('closed_text')}</p><p><a href="/shop">${ctx.t('back')}</a></p>` : ''}
        ${order.status === 'unpaid' ? html`<p><a class="button" href="${order.pay_url}">${ctx.t('to_payment')}</a></p>` : ''}
        ${isInTrouble ? html`<p class="alert" role="alert">${ctx.t('failed_text')}</p>` : ''}
        ${
          asksForName
            ? html`
          <p class="alert" role="alert">${message || ctx.t('name_taken_text', { username: purchase.username })}</p>
          <form method="post">
            ${usernameField(ctx, given)}
            <button class="button">${ctx.t('rename')}</button>
          </form>`
            : ''
        }
        ${
          host
            ? html`
          <p class="success">${ctx.t('opened_text')}</p>
          <dl><dt>${ctx.t('site')}</dt><dd><a href="${host.url}">${host.url}</a></dd><dt>${ctx.t('username')}</dt><dd>${host.user}</dd><dt>${ctx.t('expires')}</dt><dd>${host.expiresOn ?? ctx.t('never')}</dd></dl>
          <p><a class="button" href="/user/login">${ctx.t('sign_in')}</a></p>`
            : ''
        }`,
      waiting && isPaid ? 2 : waiting && order.status === 'unpaid' ? 10 : 0,
    );
  }
}

/** Cut by characters, as the panel counts them, never in the middle of one. */
function firstCharacters(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('');
}

function orderForm(site: SiteInfo, ctx: CallContext, plan: Plan, given: Readonly<Record<string, string>>, message: string): string {
  return page(
    site,
    ctx,
    plan.name,
    html`
    ${message ? html`<p class="alert" role="alert">${message}</p>` : ''}
    <div class="columns">
      <form method="post" action="/shop/order/${plan.id}">
        <label>${ctx.t('period')}
          <select name="period">${Object.entries(PERIODS).map(
            ([name, months]) => html`
            <option value="${name}" ${given.period === name ? html`selected` : ''}>${ctx.t(`period_${name}`)} — ${price(plan.priceMonth * months)}</option>`,
          )}
          </select></label>
        ${usernameField(ctx, given.username ?? '')}
        <label>${ctx.t('password')}
          <input name="password" type="password" required minlength="8" maxlength="64" autocomplete="new-password">
          <small>${ctx.t('password_hint')}</small></label>
        <button class="button">${ctx.t('to_payment')}</button>
      </form>
      <aside><h2>${plan.name}</h2><p>${plan.description}</p>${features(ctx, plan)}</aside>
    </div>`,
  );
}

function usernameField(ctx: CallContext, value: string): SafeHtml {
  return html`<label>${ctx.t('username')}
          <input name="username" value="${value}" required minlength="6" maxlength="32" autocomplete="username" autocapitalize="none" spellcheck="false">
          <small>${ctx.t('username_hint')}</small></label>`;
}

function noOrderPage(site: SiteInfo, ctx: CallContext): HttpReply {
  return { status: 404, body: page(site, ctx, ctx.t('no_order'), html`<p>${ctx.t('no_order_text')}</p>`) };
}

function features(ctx: CallContext, plan: Plan): SafeHtml {
  const unlimited = (value: number, text: string): string => (value === 0 ? ctx.t('unlimited') : text);
  return html`<ul class="features">
    <li>${ctx.t('web_space')} ${unlimited(plan.webMb, `${plan.webMb} MB`)}</li>
    <li>${ctx.t('database')} ${unlimited(plan.databaseMb, `${plan.databaseMb} MB`)}</li>
    <li>${ctx.t('traffic')} ${unlimited(plan.trafficGb, `${plan.trafficGb} GB`)}</li>
    <li>${ctx.t('domains')} ${unlimited(plan.domains, String(plan.domains))}</li>
    ${plan.monitors === null ? '' : html`<li>${ctx.t('monitors')} ${plan.monitors === 0 ? ctx.t('monitors_none') : plan.monitors}</li>`}
    ${plan.backups === null ? '' : html`<li>${ctx.t('backups')} ${plan.backups === 0 ? ctx.t('monitors_none') : plan.backups}</li>`}
  </ul>`;
}

function price(fen: number): string {
  return `¥${(fen / 100).toFixed(2)}`;
}

/** @param refresh seconds after which the page looks again */
function page(site: SiteInfo, ctx: CallContext, title: string, content: SafeHtml, refresh = 0): string {
  return String(html`<!doctype html>
<html lang="${ctx.locale}">
<head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
  ${refresh ? html`<meta http-equiv="refresh" content="${refresh}">` : ''}
  <title>${title} · ${site.name()}</title>
  <link rel="stylesheet" href="/app_plugins/hosting_shop/shop.css">
  <script src="/app_plugins/hosting_shop/appearance.js"></script>
</head>
<body>
  <header><a href="/">${site.name()}</a><nav><a href="/shop">${ctx.t('shop_title')}</a><a href="?lang=${ctx.t('other_language')}" hreflang="${ctx.t('other_language')}" lang="${ctx.t('other_language')}">${ctx.t('other_language_name')}</a><button type="button" data-appearance aria-label="${ctx.t('appearance')}" title="${ctx.t('appearance')}">◐</button><a href="/user/login">${ctx.t('sign_in')}</a></nav></header>
  <main><h1>${title}</h1>${content}</main>
</body>
</html>`);
}
