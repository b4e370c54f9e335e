import { html, type CallContext, type HostRecord, type SafeHtml } from '@svc/sdk';

import { FIELDS, RESOURCES, UNITS } from './amounts.js';
import { SUSPENDED } from './openings.js';
import type { Pool } from './pools.js';
import { quotaHint } from './words.js';

/** Badge with the state of a host. */
export function stateBadge(ctx: CallContext, host: HostRecord | null, hostId: number | null): SafeHtml {
  if (hostId === null || host?.status === 'provisioning') return html`<span class="state stopped">${ctx.t('host_opening')}</span>`;
  if (host === null) return html`<span class="state stopped">${ctx.t('host_gone')}</span>`;
  if (host.status === 'active') return html`<span class="state">${ctx.t('host_active')}</span>`;
  const why = host.pauseReasons.includes(SUSPENDED)
    ? 'paused_by_you'
    : host.pauseReasons.includes('expiry')
      ? 'paused_expiry'
      : 'host_paused';
  return html`<span class="state stopped">${ctx.t(why)}</span>`;
}

/** Field for the expiry date of a host. */
export function dayField(ctx: CallContext, pool: Pool, value: string): SafeHtml {
  const hint = pool.expiresOn === '' ? ctx.t('never_hint') : ctx.t('until_hint', { day: pool.expiresOn });
  const bounds = pool.expiresOn === '' ? '' : html`max="${pool.expiresOn}" required`;
  return html`<label>${ctx.t('last_day')}<input name="expire_date" type="date" value="${value}" ${bounds}><small>${hint}</small></label>`;
}

/** Fields for the limits of a host. */
export function amountFields(
  ctx: CallContext,
  pool: Pool,
  valueOf: (name: string, value: number | undefined) => string,
  host?: HostRecord,
): SafeHtml {
  return html`${RESOURCES.map((resource) => {
    const isEndless = pool[resource] === 0;
    return html`<label>${ctx.t(resource)} (${UNITS[resource]})<input name="${FIELDS[resource]}" inputmode="numeric" maxlength="9"
      value="${valueOf(FIELDS[resource], host?.[resource])}" ${isEndless ? '' : html`required`}>
      <small>${quotaHint(ctx, pool, resource)}</small></label>`;
  })}<label>${ctx.t('domains')}<input name="domain_count" inputmode="numeric" maxlength="9"
    value="${valueOf('domain_count', host?.domains)}"><small>${ctx.t('zero_endless')}</small></label>`;
}

/** Joins the error texts of a form. */
export const problemText = (ctx: CallContext, problems: Readonly<Record<string, string>>): string =>
  [...new Set(Object.values(problems))].map((key) => ctx.t(key)).join(' ');

/** Shows a generated password once. */
export const secret = (ctx: CallContext, password: string): SafeHtml => html`<section class="card"><p>${ctx.t('password_once')}</p>
  <dl><dt>${ctx.t('password')}</dt><dd><code>${password}</code></dd></dl></section>`;

/** Shows what the owner of a new host needs. */
export function credentials(ctx: CallContext, host: HostRecord, made: string | null, panel: string): SafeHtml {
  return html`<p>${ctx.t(made === null ? 'opened_text' : 'opened_text_made')}</p><dl>
    <dt>${ctx.t('host_sign_in')}</dt><dd><a href="/user/login" target="_blank" rel="noopener">${panel}/user/login</a></dd>
    <dt>${ctx.t('host_name')}</dt><dd>${host.user}</dd>
    ${made === null ? '' : html`<dt>${ctx.t('password')}</dt><dd><code>${made}</code></dd>`}
    <dt>${ctx.t('site_address')}</dt><dd><a href="${host.url}" target="_blank" rel="noopener">${host.url}</a></dd>
    <dt>${ctx.t('last_day')}</dt><dd>${host.expiresOn ?? ctx.t('never')}</dd></dl>
    <div class="actions"><a class="button" href="/pool/host/${host.id}">${ctx.t('to_host')}</a><a class="button plain"
      href="/pool/open">${ctx.t('open_another')}</a><a href="/pool">${ctx.t('back')}</a></div>`;
}
