import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { lookAgainLink } from '@svc/page-kit';
import {
  html,
  moneyText,
  NamesService,
  OrdersService,
  SVC_FACADE,
  type CallContext,
  type HttpReply,
  type SafeHtml,
  type SvcFacade,
} from '@svc/sdk';

import { nonePage, page, shownName } from './layout.js';
import { Sales, type Sale } from './sales.js';

/** Shows the status of an order to anyone with its link. */
@Injectable()
export class StatusPage implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(OrdersService) private readonly orders: OrdersService,
    @Inject(NamesService) private readonly names: NamesService,
    @Inject(Sales) private readonly sales: Sales,
  ) {}

  onModuleInit(): void {
    this.svc.svc_register_route('GET', '/domain/status/{key}', async ({ key = '' }, ctx) => {
      const sale = /^[0-9a-f]{32}$/.test(key) ? await this.sales.byKey(key) : null;
      return sale ? this.shown(ctx, sale) : nonePage(this.svc, ctx, ctx.t('no_order'), ctx.t('no_order_text'));
    });
  }

  private async shown(ctx: CallContext, sale: Sale): Promise<HttpReply> {
    const order = sale.order_no.startsWith('free-') ? null : await this.orders.get(sale.order_no);
    const status = order?.status ?? 'paid';
    const isPaid = status !== 'unpaid' && status !== 'closed';
    const steps: [string, boolean][] = [
      ['step_ordered', true],
      ...(order ? [['step_paid', isPaid] as [string, boolean]] : []),
      [sale.kind === 'buy' ? 'step_yours' : 'step_renewed', sale.state === 'done'],
      ...(sale.kind === 'buy' ? [['step_shown', sale.shown === 'yes'] as [string, boolean]] : []),
    ];
    const waits = isPaid && (sale.state === 'pending' || (sale.state === 'done' && sale.shown === 'no'));
    const lookAgain = waits ? 2 : status === 'unpaid' ? 10 : 0;
    return page(
      this.svc,
      ctx,
      ctx.t('status_title'),
      html`<ol class="steps">${steps.map(([key, done]) => html`<li class="${done ? 'done' : ''}">${ctx.t(key)}</li>`)}</ol>
      <dl>${
        order ? html`<dt>${ctx.t('order')}</dt><dd>${sale.order_no}</dd>` : ''
      }<dt>${ctx.t('name')}</dt><dd>${shownName(sale.name)}</dd><dt>${ctx.t('price')}</dt><dd>${moneyText(order?.amount ?? 0)}</dd></dl>
      ${
        status === 'closed'
          ? html`<p class="alert" role="alert">${ctx.t('closed_text')}</p><p><a href="/domain">${ctx.t('back')}</a></p>`
          : ''
      }
      ${lookAgain && sale.state === 'pending' ? html`<p>${ctx.t(isPaid ? 'waits_delivery' : 'waits_payment')}</p>` : ''}
      ${order && status === 'unpaid' ? html`<p><a class="button" href="${order.pay_url}">${ctx.t('to_payment')}</a></p>` : ''}
      ${
        sale.state === 'gone'
          ? html`<p class="alert"
        role="alert">${ctx.t(status === 'refunded' ? 'gone_refunded' : 'gone_text')} ${sale.remark}</p>`
          : ''
      }
      ${sale.state === 'done' ? await this.done(ctx, sale) : ''}
      ${lookAgain ? lookAgainLink(ctx) : ''}`,
      { lookAgain },
    );
  }

  private async done(ctx: CallContext, sale: Sale): Promise<SafeHtml> {
    const name = sale.name_id === null ? null : await this.names.get(sale.name_id);
    if (!name) return html``;
    const trouble =
      sale.shown !== 'yes' && sale.remark !== '' ? html`<p class="alert" role="alert">${ctx.t('unshown_text')} ${sale.remark}</p>` : '';
    return html`${trouble}<p class="success">${ctx.t(sale.kind === 'buy' ? 'yours_text' : 'renewed_text')}</p>
      <dl><dt>${ctx.t('name')}</dt><dd><a href="http://${name.name}/">${shownName(name.name)}</a></dd><dt>${ctx.t('last_day')}</dt>
        <dd>${name.expiresOn ?? ctx.t('never')}</dd>
        ${name.dns ? html`<dt>${ctx.t('dns')}</dt><dd>${ctx.t(`dns_${name.dns}`)}</dd>` : ''}</dl>
      <p><a class="button" href="/domain/mine">${ctx.t('my_names')}</a></p>`;
  }
}
