import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { payHtml } from '@svc/gateway-kit';
import { amountText, SVC_FACADE, type CallContext, type SvcFacade } from '@svc/sdk';

import { Carts } from './carts.js';
import { effective, EffectiveLimits } from './effective-limits.js';
import { type Extra } from './extra-terms.js';
import { Extras } from './extras.js';
import { lineRows, orderWords } from './order-form.js';
import { Ordering } from './ordering.js';
import { stockLeft, type Plan } from './plan-terms.js';
import { Plans } from './plans.js';

/** JSON API of the shop for programs and other sites. Source: docs/panel-api.md "The shop". */
@Injectable()
export class ShopApi implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(Extras) private readonly extras: Extras,
    @Inject(Carts) private readonly carts: Carts,
    @Inject(Ordering) private readonly ordering: Ordering,
    @Inject(EffectiveLimits) private readonly limits: EffectiveLimits,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_register_route('GET', '/shop/api/plans', async () => {
      const plans = await this.plans.onSale();
      const extras = await this.extras.ofAll(plans.map(({ id }) => id));
      const servers = await this.limits.servers();
      return { code: 'ok', plans: plans.map((plan) => planRow(plan, effective(extras.get(plan.id) ?? [], servers.untold(plan)))) };
    });

    svc.svc_register_route('GET', '/shop/api/plan/{plan_id}', async (params, ctx) => {
      const plan = await this.plans.findOnSale(params.plan_id);
      if (!plan) return { code: ctx.t('plan_gone') };
      const extras = effective(await this.extras.of(plan.id), (await this.limits.servers()).untold(plan));
      return { code: 'ok', plan: planRow(plan, extras), methods: await svc.svc_get_enabled_payment_methods(ctx.locale) };
    });

    svc.svc_register_route('GET', '/shop/api/methods', async (_params, ctx) => ({
      code: 'ok',
      methods: await svc.svc_get_enabled_payment_methods(ctx.locale),
    }));

    // Price of a cart, without ordering.
    svc.svc_register_route('GET', '/shop/api/quote', (_params, ctx) => this.quote(ctx), 10, null, { rate: 'read' });

    svc.svc_register_route('POST', '/shop/api/create_order', (_params, ctx) => this.createOrder(ctx), 10, null, { rate: 'order' });
  }

  private async quote(ctx: CallContext): Promise<object> {
    const cart = await this.carts.of(ctx.query.plan_id, ctx.query, ctx);
    if (!cart) return { code: ctx.t('plan_gone'), fields: { plan_id: ctx.t('plan_gone') } };
    const { quote } = cart;
    if ('message' in quote) return { code: quote.message, fields: { [quote.field]: quote.message } };
    const { base, extras, setupFee, discount, total } = quote;
    return {
      code: 'ok',
      base,
      extras,
      setup_fee: setupFee,
      original: total + discount,
      discount,
      total,
      rmb: amountText(total),
      lines: lineRows(ctx, quote),
      label: orderWords(ctx, quote),
      email: cart.asksForEmail,
    };
  }

  private async createOrder(ctx: CallContext): Promise<object> {
    const result = await this.ordering.place(ctx.body, ctx);
    if ('message' in result) return { code: result.message, fields: { [result.field]: result.message } };
    const { orderNo, payUrl, statusUrl } = result;
    if (payUrl === null) return { code: ctx.t('opened_at_once'), redirect: statusUrl, order_no: orderNo, status_url: statusUrl };
    const html = await payHtml(this.svc, orderNo, ctx.body.type ?? '', payUrl);
    return { code: 'ok', html, order_no: orderNo, pay_url: payUrl, status_url: statusUrl };
  }
}

/** A plan in the API's answer. Money is fen. */
function planRow(plan: Plan, extras: readonly Extra[]): object {
  return {
    id: plan.id,
    name: plan.name,
    description: plan.description,
    category: plan.category,
    node: plan.node,
    spec_web: plan.webMb,
    spec_sql: plan.databaseMb,
    spec_flow: plan.trafficGb,
    spec_domain: plan.domains,
    spec_monitor: plan.monitors,
    spec_backup: plan.backups,
    free: plan.free,
    setup_fee: plan.setupFee,
    trial_days: plan.trialDays,
    stock: stockLeft(plan),
    per_customer: plan.perCustomer,
    periods: Object.keys(plan.prices),
    prices: plan.prices,
    extras: extras.filter(({ most }) => most > 0).map(({ kind, unit, most, prices }) => ({ kind, unit, most, prices })),
  };
}
