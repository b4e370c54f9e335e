import { defineList, moneyText, type CallContext, type FormValues, type SvcFacade } from '@svc/sdk';

import type { OpenServers } from './effective-limits.js';
import { EXTRA_KINDS, type Extra, type ExtraKind } from './extra-terms.js';
import { extraForm } from './extras.js';
import { PERIOD_NAMES } from './periods.js';
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

/** Returns a row of {@link PLANS}. */
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

/** Data of a plan's page. */
export interface PlanPage {
  /** Existing categories. */
  readonly categories: readonly string[];
  readonly servers: OpenServers;
  /** Null for a new plan. */
  readonly editing: Plan | null;
  /** Options of the edited plan. */
  readonly extras: readonly Extra[];
}

/** Initial values for a new plan. */
const NEW: FormValues = {
  active: true,
  free: false,
  sort: 50,
  per_customer: 0,
  trial_days: 0,
  web_mb: 1024,
  database_mb: 256,
  traffic_gb: 0,
  domains: 5,
};

/** Data for plan.liquid: the forms of a plan and its options. */
export function planData(ctx: CallContext, svc: SvcFacade, { categories, servers, editing, extras }: PlanPage): object {
  const form = editing ? planForm(editing) : NEW;
  return {
    id: editing?.id ?? '',
    list: LIST,
    address: editing && `${FORM}&id=${editing.id}`,
    heading: editing ? 'plan_edit_title' : 'plan_add_title',
    version: editing && svc.svc_row_version(form),
    form,
    categories,
    servers: servers.list.map(({ code, name }) => ({ value: code, label: isGroup(code) ? ctx.t('plan_group', { name }) : name })),
    prices: priceFields(ctx, 'plan', form),
    hints: hintsOf(ctx, servers, editing),
    extras:
      editing &&
      extrasOf(editing, servers).map((kind) =>
        extraData(
          ctx,
          svc,
          kind,
          extras.find((one) => one.kind === kind),
        ),
      ),
  };
}

/** Whether the code means a group, within which the panel chooses the server. */
const isGroup = (code: string): boolean => code.startsWith('auto:');

/** Price of the shortest period on sale. */
function priceOf(ctx: CallContext, { prices }: Plan): string {
  const first = PERIOD_NAMES.find((name) => prices[name] !== undefined);
  return first === undefined ? '–' : `${moneyText(prices[first]!)} · ${ctx.t(`period_${first}`)}`;
}

/** Hints of fields, including the servers that do not enforce a limit. */
function hintsOf(ctx: CallContext, servers: OpenServers, editing: Plan | null): object {
  const hintOf = (limit: 'databaseMb' | 'trafficGb' | 'domains' | 'backups', meaning: string): string => {
    const without = servers.withoutEffect(limit);
    return [ctx.t(meaning), without.length > 0 && ctx.t('limit_unenforced', { nodes: without.join(', ') })].filter(Boolean).join(' ');
  };
  return {
    stock: editing ? ctx.t('stock_hint_taken', { taken: editing.taken }) : ctx.t('stock_hint'),
    database_mb: hintOf('databaseMb', 'zero_unlimited'),
    traffic_gb: hintOf('trafficGb', 'zero_unlimited'),
    domains: hintOf('domains', 'zero_unlimited'),
    backups: hintOf('backups', 'backups_hint'),
  };
}

/** Form fields for the price of each period. */
function priceFields(ctx: CallContext, prefix: string, form: FormValues): object[] {
  return PERIOD_NAMES.map((period) => {
    const name = priceField(period);
    const label = ctx.t('price_for', { period: ctx.t(`period_${period}`) });
    return { name, id: idOf(prefix, name), type: 'decimal', label, value: form[name] };
  });
}

/** Kinds of options a plan can have: those that extend an enforced limit. */
function extrasOf(plan: Plan, servers: OpenServers): ExtraKind[] {
  const without = servers.untold(plan);
  return (Object.keys(EXTRA_KINDS) as ExtraKind[]).filter((kind) => plan[EXTRA_KINDS[kind]] > 0 && !without.has(EXTRA_KINDS[kind]));
}

function extraData(ctx: CallContext, svc: SvcFacade, kind: ExtraKind, extra: Extra | undefined): object {
  const form = extraForm(extra);
  const prefix = `extra-${kind}`;
  const unit = ctx.t('extra_unit', { unit: ctx.t(`unit_${kind}`) });
  return {
    kind,
    title: `kind_${kind}`,
    on_sale: (extra?.most ?? 0) > 0,
    version: svc.svc_row_version(form),
    amounts: [
      { name: 'unit', id: idOf(prefix, 'unit'), label: unit, value: form.unit },
      { name: 'most', id: idOf(prefix, 'most'), label: 'extra_most', hint: 'extra_most_hint', value: form.most },
    ],
    prices: priceFields(ctx, prefix, form),
  };
}

const idOf = (prefix: string, name: string): string => `${prefix}-${name}`.replaceAll('_', '-');
