import { frame, type Frame } from '@svc/page-kit';
import { html, type CallContext, type CustomerRecord, type HttpReply, type SafeHtml, type SvcFacade } from '@svc/sdk';

import type { Ineffective } from './effective-limits.js';
import type { Plan } from './plan-terms.js';

/**
 * Renders a page of the shop.
 *
 * @param around `lookAgain`: seconds after which the page polls the status, 0: never; `problem`: error message, `wrong`: error messages by
 *   field; `at`: URL of the page with the form
 */
export async function page(
  svc: SvcFacade,
  ctx: CallContext,
  title: string,
  content: SafeHtml,
  around: Pick<Frame, 'lookAgain' | 'problem' | 'wrong' | 'at'> = {},
): Promise<string> {
  const customer = await svc.customers.current(ctx);
  return frame(ctx, title, content, {
    svc,
    style: 'shop.css',
    scripts: ['cart.js'],
    links: html`<a href="/shop">${ctx.t('shop_title')}</a>`,
    own: await ownLink(svc, ctx, customer),
    account: customer?.username ?? '',
    kept: {},
    ...around,
  });
}

/** Link to the signed-in user's own pages; for visitors, to the sign-in that leads back here. */
async function ownLink(svc: SvcFacade, ctx: CallContext, customer: CustomerRecord | null): Promise<SafeHtml> {
  if (customer) return html`<a href="/account">${ctx.t('my_account')}</a>`;
  if (ctx.user) return html`<a href="/user/">${ctx.t('my_panel')}</a>`;
  return html`<a href="${await signInFor(svc, ctx)}" data-signs-in>${ctx.t('sign_in_link')}</a>`;
}

/** Returns the sign-in URL that leads back to this page. */
export async function signInFor(svc: SvcFacade, ctx: CallContext): Promise<string> {
  return String(await svc.svc_apply_filters('accounts.sign_in', '/user/login', ctx, ctx.path));
}

/** Renders a "not found" page for a plan. */
export async function noPlanPage(svc: SvcFacade, ctx: CallContext): Promise<HttpReply> {
  return {
    status: 404,
    body: await page(svc, ctx, ctx.t('no_plan'), html`<p>${ctx.t('no_plan')}</p><p><a href="/shop">${ctx.t('back')}</a></p>`),
  };
}

/** Lists the enforced limits of a plan. */
export function features(ctx: CallContext, plan: Plan, ineffective: Ineffective | undefined): SafeHtml {
  const has = (limit: string): boolean => !ineffective?.has(limit);
  const unlimited = (value: number, text: string): string => (value === 0 ? ctx.t('unlimited') : text);
  return html`<ul class="features">
    <li>${ctx.t('web_space')} ${unlimited(plan.webMb, `${plan.webMb} MB`)}</li>
    ${has('databaseMb') ? html`<li>${ctx.t('database')} ${unlimited(plan.databaseMb, `${plan.databaseMb} MB`)}</li>` : ''}
    ${has('trafficGb') ? html`<li>${ctx.t('traffic')} ${unlimited(plan.trafficGb, `${plan.trafficGb} GB`)}</li>` : ''}
    ${has('domains') ? html`<li>${ctx.t('domains')} ${unlimited(plan.domains, String(plan.domains))}</li>` : ''}
    ${plan.monitors === null ? '' : html`<li>${ctx.t('monitors')} ${plan.monitors === 0 ? ctx.t('monitors_none') : plan.monitors}</li>`}
    ${
      plan.backups === null || !has('backups')
        ? ''
        : html`<li>${ctx.t('backups')} ${plan.backups === 0 ? ctx.t('monitors_none') : plan.backups}</li>`
    }
  </ul>`;
}

/** Field for an account's name. */
export function usernameField(ctx: CallContext, value: string): SafeHtml {
  return html`<label>${ctx.t('username')}
          <input name="username" value="${value}" required minlength="6" maxlength="32" autocomplete="username" autocapitalize="none"
            spellcheck="false">
          <small>${ctx.t('username_hint')}</small></label>`;
}
