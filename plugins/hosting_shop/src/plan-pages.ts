import { amountText, html, moneyText, type CallContext, type FormValues, type SafeHtml, type SvcFacade } from '@svc/sdk';

import type { OpenServers } from './effective-limits.js';
import { EXTRA_KINDS, type Extra } from './extra-terms.js';
import { extraForm } from './extras.js';
import { PERIOD_NAMES, type Prices } from './periods.js';
import { priceField } from './plan-input.js';
import type { Plan } from './plan-terms.js';
import { planForm } from './plans.js';

const PAGE = '/admin/plugin.php?p=hosting_shop&page=plans';

/** What the page of plans shows. */
export interface PlansPage {
  readonly plans: readonly Plan[];
  readonly servers: OpenServers;
  readonly editing: Plan | null;
  /** Of the plan that is edited. */
  readonly extras: readonly Extra[];
}

/** The field of a form that says what it shows. */
type VersionPart = (values: FormValues) => SafeHtml;

/** All plans, and the form of one. */
export function plansPage(ctx: CallContext, svc: SvcFacade, { plans, servers, editing, extras }: PlansPage): string {
  const versionOf: VersionPart = (values) => html`<input type="hidden" name="row_version" value="${svc.svc_row_version(values)}">`;
  return String(
    html`${table(ctx, plans, servers)}${formOfPlan(ctx, plans, servers, editing, editing && versionOf(planForm(editing)))}${
      editing ? extrasPart(ctx, editing, extras, servers, versionOf) : ''
    }`,
  );
}

function table(ctx: CallContext, plans: readonly Plan[], servers: OpenServers): SafeHtml {
  const missing = html` <span class="badge bg-red-lt">${ctx.t('plan_node_gone')}</span>`;
  return html`
    <div class="card mb-3">
      <div class="card-header"><h2 class="card-title">${ctx.t('plan_list')}</h2><div class="card-actions"><a href="/shop" target="_blank"
        rel="noopener">${ctx.t('open_shop')}</a></div></div>
      <div class="table-responsive"><table class="table card-table table-vcenter table-mobile-md">
      <thead><tr><th>${ctx.t('plan_name')}</th><th>${ctx.t('plan_category')}</th><th>${ctx.t('plan_prices')}</th>
        <th>${ctx.t('plan_node')}</th><th>${ctx.t('plan_stock')}</th><th>${ctx.t('plan_state')}</th><th></th></tr></thead>
      <tbody>
        ${plans.length === 0 ? html`<tr><td colspan="7" class="text-secondary">${ctx.t('plan_none')}</td></tr>` : ''}
        ${plans.map(
          (plan) => html`<tr><td data-label="${ctx.t('plan_name')}">${plan.name}</td>
            <td data-label="${ctx.t('plan_category')}">${plan.category || '–'}</td>
            <td data-label="${ctx.t('plan_prices')}">${plan.free ? ctx.t('free') : priceOf(ctx, plan)}</td>
            <td data-label="${ctx.t('plan_node')}">${servers.nameOf(plan)}${servers.ineffective(plan) ? '' : missing}</td>
          <td data-label="${ctx.t('plan_stock')}">
            ${plan.stock === null ? ctx.t('stock_any') : ctx.t('stock_taken', { taken: plan.taken, stock: plan.stock })}</td>
          <td data-label="${ctx.t('plan_state')}">
            <span class="badge ${plan.active ? 'bg-green-lt' : 'bg-secondary-lt'}">${ctx.t(
              plan.active ? 'plan_on_sale' : 'plan_hidden',
            )}</span>
            </td>
          <td class="text-end"><a href="${PAGE}&edit=${plan.id}">${ctx.t('plan_edit')}</a></td></tr>`,
        )}
      </tbody></table></div></div>`;
}

/** Whether a plan that names it leaves the choice among several servers to the panel. */
const isGroup = (code: string): boolean => code.startsWith('auto:');

/** The price of the shortest time it is sold for. */
function priceOf(ctx: CallContext, { prices }: Plan): string {
  const first = PERIOD_NAMES.find((name) => prices[name] !== undefined);
  return first === undefined ? '–' : `${moneyText(prices[first]!)} · ${ctx.t(`period_${first}`)}`;
}

function field(prefix: string, name: string, label: string, value: string | number, hint = ''): SafeHtml {
  const id = `${prefix}-${name.replaceAll('_', '-')}`;
  return html`
    <div class="col-md-6"><label class="form-label" for="${id}">${label}</label>
      <input class="form-control" id="${id}" name="${name}" value="${value}">
      ${hint ? html`<small class="form-hint">${hint}</small>` : ''}</div>`;
}

function priceFields(ctx: CallContext, prefix: string, prices: Prices | undefined): SafeHtml {
  return html`${PERIOD_NAMES.map((name) => {
    const fen = prices?.[name];
    const label = ctx.t('price_for', { period: ctx.t(`period_${name}`) });
    return html`<div class="col-6 col-md-4"><label class="form-label"
      for="${prefix}-${priceField(name).replaceAll('_', '-')}">${label}</label>
      <input class="form-control" id="${prefix}-${priceField(name).replaceAll('_', '-')}" name="${priceField(name)}" inputmode="decimal"
        value="${fen === undefined ? '' : amountText(fen)}"></div>`;
  })}`;
}

function formOfPlan(
  ctx: CallContext,
  plans: readonly Plan[],
  servers: OpenServers,
  editing: Plan | null,
  version: SafeHtml | null,
): SafeHtml {
  const input = (name: string, label: string, value: string | number, hint = ''): SafeHtml => field('plan', name, label, value, hint);
  /** What a limit means, and on which nodes it is kept without effect. */
  const hintOf = (limit: 'databaseMb' | 'trafficGb' | 'domains' | 'backups', meaning = ctx.t('zero_unlimited')): string => {
    const without = servers.withoutEffect(limit);
    return without.length === 0 ? meaning : `${meaning} ${ctx.t('limit_unenforced', { nodes: without.join(', ') })}`;
  };
  const categories = [...new Set(plans.map(({ category }) => category).filter(Boolean))];
  const heading = (key: string): SafeHtml => html`<div class="col-12"><h3 class="mb-0">${ctx.t(key)}</h3></div>`;
  return html`
    <form class="card mb-3" data-ajax="p_hosting_shop_plan_save" data-done="${PAGE}">
      <div class="card-header"><h2 class="card-title">${ctx.t(editing ? 'plan_edit_title' : 'plan_add_title')}</h2></div>
      <div class="card-body"><div class="row g-3">
        <input type="hidden" name="id" value="${editing?.id ?? ''}">${version}
        ${input('name', ctx.t('plan_name'), editing?.name ?? '')}
        <div class="col-md-6"><label class="form-label" for="plan-category">${ctx.t('plan_category')}</label>
          <input class="form-control" id="plan-category" name="category" maxlength="50" list="plan-categories"
            value="${editing?.category ?? ''}">
          <datalist id="plan-categories">${categories.map((name) => html`<option value="${name}"></option>`)}</datalist></div>
        <div class="col-md-6"><label class="form-label" for="plan-node">${ctx.t('plan_node')}</label>
          <select class="form-select" id="plan-node" name="node">${servers.list.map(
            ({ code, name }) =>
              html`<option value="${code}" ${editing?.node === code ? html`selected` : ''}>${
                isGroup(code) ? ctx.t('plan_group', { name }) : name
              }</option>`,
          )}</select><small class="form-hint">${ctx.t('plan_node_hint')}</small></div>
        <div class="col-md-6"><label class="form-label" for="plan-active">${ctx.t('plan_state')}</label>
          <select class="form-select" id="plan-active" name="active"><option value="true">${ctx.t('plan_on_sale')}</option>
          <option value="false" ${editing && !editing.active ? html`selected` : ''}>${ctx.t('plan_hidden')}</option></select></div>
        ${input('sort', ctx.t('plan_sort'), editing?.sort ?? 50, ctx.t('plan_sort_hint'))}
        <div class="col-md-6"><label class="form-label" for="plan-description">${ctx.t('plan_description')}</label>
          <input class="form-control" id="plan-description" name="description" maxlength="255" value="${editing?.description ?? ''}"></div>
        ${heading('plan_prices')}
        <div class="col-12"><small class="form-hint">${ctx.t('plan_prices_hint')}</small></div>
        ${priceFields(ctx, 'plan', editing?.prices)}
        <div class="col-md-6"><label class="form-label" for="plan-free">${ctx.t('plan_free')}</label>
          <select class="form-select" id="plan-free" name="free"><option value="false">${ctx.t('no')}</option>
          <option value="true" ${editing?.free ? html`selected` : ''}>${ctx.t('yes')}</option>
            </select><small class="form-hint">${ctx.t('plan_free_hint')}</small></div>
        ${input('setup_fee', ctx.t('setup_fee'), editing ? amountText(editing.setupFee) : '', ctx.t('setup_fee_hint'))}
        ${input(
          'stock',
          ctx.t('plan_stock'),
          editing?.stock ?? '',
          editing ? ctx.t('stock_hint_taken', { taken: editing.taken }) : ctx.t('stock_hint'),
        )}
        ${input('per_customer', ctx.t('per_customer'), editing?.perCustomer ?? 0, ctx.t('per_customer_hint'))}
        ${input('trial_days', ctx.t('trial_days'), editing?.trialDays ?? 0, ctx.t('trial_days_hint'))}
        ${heading('plan_limits')}
        ${input('web_mb', `${ctx.t('web_space')} (MB)`, editing?.webMb ?? 1024, ctx.t('zero_unlimited'))}
        ${input('database_mb', `${ctx.t('database')} (MB)`, editing?.databaseMb ?? 256, hintOf('databaseMb'))}
        ${input('traffic_gb', `${ctx.t('traffic')} (GB)`, editing?.trafficGb ?? 0, hintOf('trafficGb'))}
        ${input('domains', ctx.t('domains'), editing?.domains ?? 5, hintOf('domains'))}
        ${input('monitors', ctx.t('monitors'), editing?.monitors ?? '', ctx.t('monitors_hint'))}
        ${input('backups', ctx.t('backups'), editing?.backups ?? '', hintOf('backups', ctx.t('backups_hint')))}
        ${input('grace_days', ctx.t('grace_days'), editing?.graceDays ?? '', ctx.t('grace_days_hint'))}
        ${input('keep_days', ctx.t('keep_days'), editing?.keepDays ?? '', ctx.t('keep_days_hint'))}
      </div></div>
      <div class="card-footer text-end">${
        editing ? html`<a class="btn me-2" href="${PAGE}">${ctx.t('plan_cancel')}</a>` : ''
      }<button class="btn btn-primary">${ctx.t('plan_save')}</button></div>
    </form>`;
}

/** The options of a plan, a form for each kind. */
function extrasPart(ctx: CallContext, plan: Plan, extras: readonly Extra[], servers: OpenServers, versionOf: VersionPart): SafeHtml {
  const without = servers.untold(plan);
  const kinds = (Object.keys(EXTRA_KINDS) as (keyof typeof EXTRA_KINDS)[]).filter(
    (kind) => plan[EXTRA_KINDS[kind]] > 0 && !without.has(EXTRA_KINDS[kind]),
  );
  return html`<h2 class="mb-1" id="extras">${ctx.t('extras_of', { plan: plan.name })}</h2>
    <p class="text-secondary">${ctx.t(kinds.length === 0 ? 'extras_unlimited' : 'extras_lead')}</p>
    ${kinds.map((kind) => {
      const extra = extras.find((one) => one.kind === kind);
      const prefix = `extra-${kind.replaceAll('_', '-')}`;
      return html`<form class="card mb-3" data-ajax="p_hosting_shop_extra_save" data-done="${PAGE}&edit=${plan.id}">
        <div class="card-header"><h3 class="card-title">${ctx.t(`kind_${kind}`)}</h3>
          <div class="card-actions">
            <span class="badge ${extra && extra.most > 0 ? 'bg-green-lt' : 'bg-secondary-lt'}">${ctx.t(
              extra && extra.most > 0 ? 'plan_on_sale' : 'extra_off',
            )}</span>
            </div></div>
        <div class="card-body"><div class="row g-3">
          <input type="hidden" name="plan_id" value="${plan.id}"><input type="hidden" name="kind" value="${kind}">
          ${versionOf(extraForm(extra))}
          ${field(prefix, 'unit', ctx.t('extra_unit', { unit: ctx.t(`unit_${kind}`) }), extra?.unit ?? '')}
          ${field(prefix, 'most', ctx.t('extra_most'), extra?.most ?? '', ctx.t('extra_most_hint'))}
          ${priceFields(ctx, prefix, extra?.prices)}
        </div></div>
        <div class="card-footer text-end"><button class="btn btn-primary">${ctx.t('plan_save')}</button></div></form>`;
    })}`;
}
