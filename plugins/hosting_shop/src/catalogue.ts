import { empty } from '@svc/page-kit';
import { html, moneyText, type CallContext, type SafeHtml } from '@svc/sdk';

import type { Ineffective, OpenServers } from './effective-limits.js';
import { features } from './layout.js';
import { PERIOD_NAMES, type Period } from './periods.js';
import { stockLeft, type Plan } from './plan-terms.js';

/** Stock up to which the shop shows the number left. */
const FEW = 5;

/** Renders the plans on sale by category, in the order of each category's first plan. */
export function catalogue(ctx: CallContext, plans: readonly Plan[], servers: OpenServers): SafeHtml {
  const categories = new Map<string, Plan[]>();
  for (const plan of plans) categories.set(plan.category, [...(categories.get(plan.category) ?? []), plan]);
  const isOne = categories.size === 1;
  return html`
    <p class="lead">${ctx.t('shop_lead')}</p>
    ${plans.length === 0 ? empty(ctx.t('no_plans')) : ''}
    ${[...categories].map(
      ([category, members]) => html`
      ${isOne && category === '' ? '' : html`<h2 class="category">${category === '' ? ctx.t('category_none') : category}</h2>`}
      <ul class="plans">${members.map((plan) => card(ctx, plan, servers.untold(plan)))}</ul>`,
    )}`;
}

function card(ctx: CallContext, plan: Plan, ineffective: Ineffective): SafeHtml {
  const left = stockLeft(plan);
  return html`
    <li>
      <h3>${plan.name}</h3>
      ${cheapest(ctx, plan)}
      ${plan.setupFee > 0 ? html`<p class="soft">${ctx.t('setup_fee_once', { price: moneyText(plan.setupFee) })}</p>` : ''}
      <p>${plan.description}</p>
      ${features(ctx, plan, ineffective)}
      ${
        plan.trialDays > 0 && left !== 0
          ? html`<p><a href="/shop/order/${plan.id}?period=trial">${ctx.t('try_it', { n: plan.trialDays })}</a></p>`
          : ''
      }
      ${left !== null && left > 0 && left <= FEW ? html`<p class="soft">${ctx.t('few_left', { n: left })}</p>` : ''}
      ${
        left === 0
          ? html`<p class="sold-out">${ctx.t('sold_out')}</p>`
          : html`<a class="button" href="/shop/order/${plan.id}">${ctx.t(plan.free ? 'get_it' : 'order_now')}</a>`
      }
    </li>`;
}

/** Price of the shortest period on sale. */
function cheapest(ctx: CallContext, { prices, free }: Plan): SafeHtml {
  const period = PERIOD_NAMES.find((name) => prices[name] !== undefined);
  if (period === undefined) return html``;
  if (free) return html`<p class="price">${ctx.t('free')}</p>`;
  return html`<p class="price">${moneyText(prices[period]!)}<small>${perPeriod(ctx, period)}</small></p>`;
}

function perPeriod(ctx: CallContext, period: Period): string {
  return period === 'month' ? ctx.t('per_month') : `/ ${ctx.t(`period_${period}`)}`;
}
