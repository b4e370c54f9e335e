import { html, moneyText, type CallContext, type SafeHtml, type SvcFacade } from '@svc/sdk';

import type { Refused } from './carts.js';
import type { Ineffective } from './effective-limits.js';
import type { Extra } from './extra-terms.js';
import { features, page, usernameField } from './layout.js';
import { PERIOD_NAMES } from './periods.js';
import type { Plan } from './plan-terms.js';
import { extraField, type CartFields, type Quote } from './quote.js';

/** Data of the order page. */
export interface OrderForm {
  readonly plan: Plan;
  readonly extras: readonly Extra[];
  /** Limits of the plan that are not shown; undefined if no host can be opened on its server. */
  readonly ineffective: Ineffective | undefined;
  /** Fields entered before. */
  readonly given: CartFields;
  /** Current price; null if it cannot be ordered. */
  readonly quote: Quote | null;
  /** Name of the signed-in customer; empty for none. */
  readonly customer: string;
  /** Whether a mail address is required. */
  readonly asksForEmail: boolean;
  /** Error; null for none. */
  readonly refused: Refused | null;
}

/** Renders the cart of one plan with its options and price; the server recalculates the price after each change. */
export function orderForm(svc: SvcFacade, ctx: CallContext, form: OrderForm): Promise<string> {
  const { plan, extras, given, quote, refused } = form;
  const isTrial = quote?.period === null;
  const offered = extras.filter(({ most }) => most > 0);
  return page(
    svc,
    ctx,
    plan.name,
    html`
    <form class="columns cart" method="post" action="/shop/order/${plan.id}" data-cart="/shop/api/quote" data-trial="${String(isTrial)}">
      <input type="hidden" name="plan_id" value="${plan.id}">
      <input type="hidden" name="ordering_as" value="${form.customer}">
      <input type="hidden" name="seen_total" value="${quote?.total ?? ''}" data-total>
      <div class="box">
        <label>${ctx.t('period')}
          <select name="period">${periods(ctx, plan, given.period ?? '')}</select></label>
        ${offered.map((extra) => (isTrial ? keptInput(extra, given) : extraInput(ctx, extra, given)))}
        ${
          form.customer
            ? html`<p class="soft">${ctx.t('ordering_as', { customer: form.customer })} <a href="/shop/assets">${ctx.t('my_hosts')}</a></p>`
            : ''
        }
        ${usernameField(ctx, given.username ?? '')}
        <label>${ctx.t('password')}
          <input name="password" type="password" required minlength="8" maxlength="64" autocomplete="new-password">
          <small>${ctx.t('password_hint')}</small></label>
        ${
          form.asksForEmail
            ? html`<label>${ctx.t('email')}
          <input name="email" type="email" value="${given.email ?? ''}" required maxlength="128" autocomplete="email">
          <small>${ctx.t('email_hint')}</small></label>`
            : ''
        }
        ${isTrial ? '' : couponInput(ctx, given.yhq ?? '')}
      </div>
      <aside><h2>${plan.name}</h2><p>${plan.description}</p>${features(ctx, plan, form.ineffective)}
        <dl class="lines" data-lines aria-live="polite">${quote ? lines(ctx, quote) : ''}</dl>
        <button class="button" data-order>${orderWords(ctx, quote)}</button>
        <button class="button plain" name="show" value="price" formnovalidate data-look>${ctx.t('show_price')}</button>
      </aside>
    </form>`,
    { at: `/shop/order/${plan.id}`, ...(refused && { problem: refused.message, wrong: { [refused.field]: refused.message } }) },
  );
}

/** Label of the order button. */
export function orderWords(ctx: CallContext, quote: Quote | null): string {
  return ctx.t(quote?.total === 0 ? 'open_now' : 'to_payment');
}

/** Returns the items of the price: names and amounts, the total last. */
export function lineRows(
  ctx: CallContext,
  { plan, period, base, extras, setupFee, coupon, discount, total }: Quote,
): [name: string, amount: string][] {
  const what = period === null ? ctx.t('trial_of', { n: plan.trialDays }) : `${plan.name} · ${ctx.t(`period_${period}`)}`;
  const rows: [string, number, boolean][] = [
    [what, base, true],
    [ctx.t('extras'), extras, extras > 0],
    [ctx.t('setup_fee'), setupFee, setupFee > 0],
    [ctx.t('price_before'), total + discount, discount > 0],
    [ctx.t('coupon_discount', { code: coupon.toUpperCase() }), -discount, discount > 0],
    [ctx.t(discount > 0 ? 'to_pay' : 'total'), total, true],
  ];
  return rows.filter(([, , shown]) => shown).map(([name, fen]) => [name, moneyText(fen)]);
}

function lines(ctx: CallContext, quote: Quote): SafeHtml {
  return html`${lineRows(ctx, quote).map(([name, amount]) => html`<dt>${name}</dt><dd>${amount}</dd>`)}`;
}

function periods(ctx: CallContext, plan: Plan, chosen: string): SafeHtml {
  const option = (value: string, text: string): SafeHtml =>
    html`<option value="${value}" ${chosen === value ? html`selected` : ''}>${text}</option>`;
  return html`${PERIOD_NAMES.filter((name) => plan.prices[name] !== undefined).map((name) =>
    option(name, `${ctx.t(`period_${name}`)} — ${moneyText(plan.prices[name]!)}`),
  )}${plan.trialDays > 0 ? option('trial', ctx.t('trial_of', { n: plan.trialDays })) : ''}`;
}

function extraInput(ctx: CallContext, { kind, unit, most, prices }: Extra, given: CartFields): SafeHtml {
  const name = extraField(kind);
  const sold = PERIOD_NAMES.filter((period) => prices[period] !== undefined);
  const words = sold.map((period) => `${ctx.t(`period_${period}`)} ${moneyText(prices[period]!)}`).join(ctx.t('list_comma'));
  return html`<label>${ctx.t(`extra_${kind}`, { n: unit })}
    <input name="${name}" type="number" inputmode="numeric" min="0" max="${most}" value="${given[name] ?? '0'}">
    <small>${ctx.t('extra_hint', { prices: words, max: most })}</small></label>`;
}

function couponInput(ctx: CallContext, given: string): SafeHtml {
  return html`<label>${ctx.t('coupon')}
    <input name="yhq" value="${given}" maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false">
    <small>${ctx.t('coupon_hint')}</small></label>`;
}

/** A trial has no options; earlier choices are kept for the next period selected. */
function keptInput({ kind }: Extra, given: CartFields): SafeHtml {
  const name = extraField(kind);
  return html`<input type="hidden" name="${name}" value="${given[name] ?? '0'}">`;
}
