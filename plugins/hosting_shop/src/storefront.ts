import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { onwards } from '@svc/page-kit';
import { html, SVC_FACADE, type CallContext, type HttpReply, type SvcFacade } from '@svc/sdk';

import { Carts, cartHeaders, isOrderOf, type Cart, type Refused } from './carts.js';
import { catalogue } from './catalogue.js';
import { EffectiveLimits } from './effective-limits.js';
import { noPlanPage, page, signInFor } from './layout.js';
import { orderForm } from './order-form.js';
import { Ordering } from './ordering.js';
import { Plans } from './plans.js';
import type { CartFields } from './quote.js';

/** The public pages: plans, and the cart of one plan. */
@Injectable()
export class Storefront implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(Carts) private readonly carts: Carts,
    @Inject(Ordering) private readonly ordering: Ordering,
    @Inject(EffectiveLimits) private readonly limits: EffectiveLimits,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_add_action('home.blocks', (blocks, ctx) => {
      const link = html`<p>${ctx.t('shop_lead')}</p><a class="btn btn-primary" href="/shop">${ctx.t('to_shop')}</a>`;
      blocks.push({ id: 'shop', title: ctx.t('shop_title'), html: String(link), order: 10 });
    });

    svc.svc_register_route('GET', '/shop', async (_params, ctx) =>
      page(svc, ctx, ctx.t('shop_title'), catalogue(ctx, await this.plans.onSale(), await this.limits.servers())),
    );

    svc.svc_register_route('GET', '/shop/order/{plan_id}', async (params, ctx) => {
      const { period } = ctx.query;
      const cart = await this.carts.of(params.plan_id, period === undefined ? {} : { period }, ctx);
      if (!cart) return noPlanPage(svc, ctx);
      // An invalid period in the URL leads to the default view.
      if ('message' in cart.quote && period !== undefined) return onwards(`/shop/order/${cart.plan.id}`);
      return this.shown(ctx, cart, period === undefined ? {} : { period }, null);
    });

    svc.svc_register_route(
      'POST',
      '/shop/order/{plan_id}',
      async (params, ctx) => {
        const fields = { ...ctx.body, plan_id: params.plan_id };
        if (ctx.body.show !== undefined) return this.again(ctx, fields, null);
        const result = await this.ordering.place(fields, ctx);
        if ('message' in result) return this.again(ctx, fields, result);
        return onwards(result.payUrl ?? result.statusUrl);
      },
      10,
      null,
      { rate: 'order' },
    );
  }

  /** Shows the page again with the input and its errors. */
  private async again(ctx: CallContext, fields: CartFields, refused: Refused | null): Promise<HttpReply> {
    const cart = await this.carts.of(fields.plan_id, fields, ctx);
    if (!cart) return noPlanPage(this.svc, ctx);
    if (!isOrderOf(cart.customer, fields)) return onwards(await signInFor(this.svc, ctx));
    const wrong = refused ?? ('message' in cart.quote ? cart.quote : null);
    return { ...(await this.shown(ctx, cart, fields, wrong)), status: wrong ? 422 : 200 };
  }

  private async shown(
    ctx: CallContext,
    { plan, extras, ineffective, quote, asksForEmail, customer }: Cart,
    given: CartFields,
    refused: Refused | null,
  ): Promise<HttpReply> {
    const shown = 'message' in quote ? null : quote;
    return {
      headers: cartHeaders(ctx),
      body: await orderForm(this.svc, ctx, {
        plan,
        extras,
        ineffective,
        given,
        quote: shown,
        asksForEmail,
        customer: customer?.username ?? '',
        refused,
      }),
    };
  }
}
