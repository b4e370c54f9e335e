import { amountText, defineList, html, moneyText, type CallContext, type FormValues, type SafeHtml, type SvcFacade } from '@svc/sdk';

import type { OpenServers } from './effective-limits.js';
import { EXTRA_KINDS, type Extra } from './extra-terms.js';
import { extraForm } from './extras.js';
import { PERIOD_NAMES, type Prices } from './periods.js';
import { priceField } from './plan-input.js';
import type { Plan } from './plan-terms.js';
import { planForm } from './plans.js';

const LIST = '/admin/plugin.php?p=hosting_shop&page=plans';
const FORM = '/admin/plugin.php?p=hosting_shop&page=plan';

/** All plans, in the order of the shop. */
export const PLANS = defineList({
  id: 'plans',
  operation: 'p_hosting_shop_plans',
  whole: true,
  empty: 'plan_none',
  columns: [
    { field: 'name', title: 'plan_name' },
    { field: 'category', title: 'plan_category' },
    { field: 'price', title: 'plan_prices' },
    {
      field: 'server',
      title: 'plan_node',
      kind: 'named',
      notes: [{ text: ({ is_gone: isGone }, t) => (isGone ? t('plan_node_gone') : ''), tone: 'danger' }],
    },
    { field: 'stock', title: 'plan_stock' },
    {
      field: 'state',
      title: 'plan_state',
      kind: 'badge',
      badges: { on_sale: ['green', 'plan_on_sale'], hidden: ['secondary', 'plan_hidden'] },
    },
  ],
  actions: [{ label: 'plan_edit', href: ({ id }) => `${FORM}&id=${String(id)}` }],
});

/** A row of {@link PLANS}. */
export function planRow(ctx: CallContext, plan: Plan, servers: OpenServers): object {
  const { id, name, category, free, stock, taken, active } = plan;
  return {
    id,
    name,
    category,
    price: free ? ctx.t('free') : priceOf(ctx, plan),
    server: servers.nameOf(plan),
    is_gone: !servers.ineffective(plan),
    stock: stock === null ? ctx.t('stock_any') : ctx.t('stock_taken', { taken, stock }),
    state: active ? 'on_sale' : 'hidden',
  };
}

/** What the page of a plan shows. */
export interface PlanPage {
  /** Names of those there are. */
  readonly categories: readonly string[];
  readonly servers: OpenServers;
  /** Null: a new one is made. */
  readonly editing: Plan | null;
  /** Of the plan that is edited. */
  readonly extras: readonly Extra[];
}

/** The field of a form that says what it shows. */
type VersionPart = (values: FormValues) => SafeHtml;

/** The forms of a plan and of its options. */
export function planPage(ctx: CallContext, svc: SvcFacade, { categories, servers, editing, extras }: PlanPage): string {
  const versionOf: VersionPart = (values) => html`<input type="hidden" name="row_version" value="${svc.svc_row_version(values)}">`;
  return String(
    html`${formOfPlan(ctx, categories, servers, editing, editing && versionOf(planForm(editing)))}${
      editing ? extrasPart(ctx, editing, extras, servers, versionOf) : ''
    }`,
  );
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
  categories: readonly string[],
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
  const heading = (key: string): SafeHtml => html`<div class="col-12"><h3 class="mb-0">${ctx.t(key)}</h3></div>`;
  return html`
    <form class="card mb-3" data-ajax="p_hosting_shop_plan_save" data-done="${LIST}">
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
      <div class="card-footer text-end"><a class="btn me-2" href="${LIST}">${ctx.t('plan_cancel')}</a><button
        class="btn btn-primary">${ctx.t('plan_save')}</button></div>
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
      return html`<form class="card mb-3" data-ajax="p_hosting_shop_extra_save" data-done="${FORM}&id=${plan.id}">
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
