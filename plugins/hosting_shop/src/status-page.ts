import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { lookAgainLink, onwards } from '@svc/page-kit';
import { html, HostsService, OrdersService, SVC_FACADE, moneyText, type CallContext, type HttpReply, type SvcFacade } from '@svc/sdk';

import { AccountNames } from './account-names.js';
import { page, usernameField } from './layout.js';
import { Provisioning } from './provisioning.js';
import { type Purchase, ShopOrders } from './shop-orders.js';

/** A purchase and the state of its order. */
interface Shown {
  readonly purchase: Purchase;
  /** Null for a free purchase. */
  readonly order: { readonly status: string; readonly name: string; readonly amount: number; readonly pay_url: string } | null;
}

/** Shows the status of a purchase to anyone with its link. */
@Injectable()
export class StatusPage implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(OrdersService) private readonly panelOrders: OrdersService,
    @Inject(ShopOrders) private readonly orders: ShopOrders,
    @Inject(AccountNames) private readonly names: AccountNames,
    @Inject(Provisioning) private readonly provisioning: Provisioning,
  ) {}

  onModuleInit(): void {
    this.svc.svc_register_route('GET', '/shop/status/{key}', async (params, ctx) => {
      const shown = await this.find(params.key);
      return shown ? this.render(ctx, shown) : this.none(ctx);
    });

    // Chooses another name for a paid purchase whose name was taken.
    this.svc.svc_register_route('POST', '/shop/status/{key}', async (params, ctx) => {
      const shown = await this.find(params.key);
      if (!shown) return this.none(ctx);
      const { purchase } = shown;
      const username = (ctx.body.username ?? '').trim();
      const message = purchase.state === 'name_taken' ? await this.names.problem(username, ctx) : '';
      if (message) return { status: 422, body: await this.render(ctx, shown, username, message) };
      if (await this.orders.rename(purchase.order_no, username))
        await this.provisioning.openRenamed((await this.orders.find(purchase.order_no))!);
      return onwards(`/shop/status/${params.key}`);
    });
  }

  private async find(key: string | undefined): Promise<Shown | null> {
    const purchase = /^[0-9a-f]{32}$/.test(key ?? '') ? await this.orders.findByKey(key!) : null;
    if (!purchase) return null;
    if (purchase.kind !== 'paid') return { purchase, order: null };
    const order = await this.panelOrders.get(purchase.order_no);
    return order && { purchase, order };
  }

  private async none(ctx: CallContext): Promise<HttpReply> {
    const next = html`<p>${ctx.t('no_order_text')}</p><p>${ctx.t('no_order_next')}</p>
      <p><a class="button" href="/shop/orders">${ctx.t('my_orders')}</a> <a class="button plain" href="/user/login">${ctx.t('sign_in')}</a>
        <a class="button plain" href="/shop">${ctx.t('back')}</a></p>`;
    return { status: 404, body: await page(this.svc, ctx, ctx.t('no_order'), next) };
  }

  /** @param given a rejected name, with the reason in `message` */
  private async render(ctx: CallContext, { purchase, order }: Shown, given = '', message = ''): Promise<string> {
    const host = purchase.host_id ? await this.hosts.get(Number(purchase.host_id)) : null;
    const status = order?.status ?? 'paid';
    const isPaid = status === 'paid' || status === 'partly_refunded';
    const steps: [string, boolean][] = [
      ['step_ordered', true],
      ...(order ? [['step_paid', isPaid] as [string, boolean]] : []),
      ['step_opened', purchase.state === 'opened'],
    ];
    const asksForName = isPaid && purchase.state === 'name_taken';
    const waiting = purchase.state !== 'opened' && !asksForName;
    const isInTrouble = purchase.state === 'failed' || (purchase.state === 'renamed' && purchase.remark !== '');
    const lookAgain = waiting && isPaid ? 2 : waiting && status === 'unpaid' ? 10 : 0;
    return page(
      this.svc,
      ctx,
      ctx.t('status_title'),
      html`
        <ol class="steps">${steps.map(([key, done]) => html`<li class="${done ? 'done' : ''}">${ctx.t(key)}</li>`)}</ol>
        <dl>${
          order ? html`<dt>${ctx.t('order')}</dt><dd>${purchase.order_no}</dd>` : ''
        }<dt>${ctx.t('item')}</dt><dd>${order?.name ?? purchase.plan_name}</dd><dt>${ctx.t('amount')}</dt>
          <dd>${moneyText(order?.amount ?? 0)}</dd></dl>
        ${
          status === 'closed'
            ? html`<p class="alert" role="alert">${ctx.t('closed_text')}</p><p><a href="/shop">${ctx.t('back')}</a></p>`
            : ''
        }
        ${lookAgain && !isInTrouble ? html`<p>${ctx.t(isPaid ? 'waits_opening' : 'waits_payment')}</p>` : ''}
        ${order && status === 'unpaid' ? html`<p><a class="button" href="${order.pay_url}">${ctx.t('to_payment')}</a></p>` : ''}
        ${isInTrouble ? html`<p class="alert" role="alert">${ctx.t(order ? 'failed_text' : 'failed_free_text')}</p>` : ''}
        ${
          asksForName
            ? html`
          <p class="alert"
            role="alert">${message || ctx.t(order ? 'name_taken_text' : 'name_taken_free_text', { username: purchase.username })}</p>
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
          <dl><dt>${ctx.t('site')}</dt><dd><a href="${host.url}">${host.url}</a></dd><dt>${ctx.t('username')}</dt><dd>${host.user}</dd>
            <dt>${ctx.t('expires')}</dt><dd>${host.expiresOn ?? ctx.t('never')}</dd></dl>
          <p>${
            purchase.customer_id === null
              ? ''
              : html`<a class="button"
            href="/shop/assets">${ctx.t('my_hosts')}</a> `
          }<a class="button${purchase.customer_id === null ? '' : ' plain'}"
            href="/user/login">${ctx.t('sign_in')}</a></p>`
            : ''
        }
        ${lookAgain ? lookAgainLink(ctx) : ''}`,
      { lookAgain, ...(message && { wrong: { username: message } }) },
    );
  }
}
