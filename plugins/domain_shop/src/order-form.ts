import { html, moneyText, type CallContext, type HostRecord, type SafeHtml } from '@svc/sdk';

import type { Offer } from './offers.js';

/** Fields of the order form. */
export interface GivenFields {
  /** Id or domain of the zone. */
  readonly zone: string;
  readonly prefix: string;
  readonly host: string;
  readonly folder: string;
  /** Number of periods. */
  readonly n: string;
  /** Coupon code. */
  readonly yhq: string;
  readonly type: string;
  readonly seen_total: string;
  readonly request: string;
}

/** Data of the form. */
export interface OrderForm {
  readonly offer: Offer;
  readonly hosts: readonly HostRecord[];
  readonly times: readonly number[];
  readonly given: GivenFields;
}

/** Renders the order form for a name; the server computes the price each time. */
export function orderForm(ctx: CallContext, { offer, hosts, times, given }: OrderForm): SafeHtml {
  const { zone } = offer;
  return html`<form class="columns cart" method="post" action="/domain/buy">
      <input type="hidden" name="zone" value="${zone.id}"><input type="hidden" name="request" value="${given.request}">
      <input type="hidden" name="seen_total" value="${offer.amount - offer.discount}">
      <div class="box">
        <label>${ctx.t('prefix')}
          <input name="prefix" value="${given.prefix}" required maxlength="100" autocapitalize="none" autocomplete="off" spellcheck="false">
          <small>${ctx.t('prefix_hint')}</small></label>
        <label>${ctx.t('host')}
          <select name="host" required>${hosts.map((host) => option(String(host.id), host.user, given.host))}</select>
          <small>${ctx.t('host_hint')}</small></label>
        <label>${ctx.t('folder')}
          <input name="folder" value="${given.folder}" maxlength="255" placeholder="/" autocapitalize="none" autocomplete="off"
            spellcheck="false">
          <small>${ctx.t('folder_hint')}</small></label>
        ${timesField(ctx, offer, times, given.n)}${couponField(ctx, offer, given.yhq)}
      </div>
      ${summary(ctx, offer)}
    </form>`;
}

/** Field for the duration. */
export function timesField(ctx: CallContext, { zone }: Offer, times: readonly number[], chosen: string): SafeHtml | '' {
  if (zone.months === 0) return '';
  const words = (n: number): string =>
    ctx.t('months_for', { n: n * zone.months, price: zone.price === 0 ? ctx.t('free') : moneyText(n * zone.price) });
  return html`<label>${ctx.t('time')}
          <select name="n">${times.map((n) => option(String(n), words(n), chosen))}</select></label>`;
}

/** Coupon field, if there is something to pay. */
export function couponField(ctx: CallContext, { amount }: Offer, given: string): SafeHtml | '' {
  if (amount === 0) return '';
  return html`<label>${ctx.t('coupon')}
          <input name="yhq" value="${given}" maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false">
          <small>${ctx.t('coupon_hint')}</small></label>`;
}

/** Total and buttons of the form. */
export function summary(ctx: CallContext, { zone, amount, discount }: Offer): SafeHtml {
  const total = amount - discount;
  return html`<aside><h2>.${zone.domain}</h2>${zone.description ? html`<p>${zone.description}</p>` : ''}
        <dl class="lines"><dt>${ctx.t('price')}</dt><dd>${moneyText(amount)}</dd>
          ${discount > 0 ? html`<dt>${ctx.t('discount')}</dt><dd>−${moneyText(discount)}</dd>` : ''}
          <dt>${ctx.t('to_pay')}</dt><dd>${moneyText(total)}</dd></dl>
        <button class="button">${ctx.t(total === 0 ? 'get_it' : 'to_payment')}</button>
        <button class="button plain" name="show" value="price" formnovalidate>${ctx.t('show_price')}</button>
      </aside>`;
}

const option = (value: string, text: string, chosen: string): SafeHtml =>
  html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${text}</option>`;
