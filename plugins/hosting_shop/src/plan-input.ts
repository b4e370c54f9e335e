import { readAmount, type CallContext } from '@svc/sdk';

import type { OpenServers } from './effective-limits.js';
import { EXTRA_KINDS, type Extra, type ExtraKind } from './extra-terms.js';
import { PERIOD_NAMES, PERIODS, type Period, type Prices } from './periods.js';
import type { Plan, PlanTerms } from './plan-terms.js';

/** Error messages by field. */
export type Problems = Record<string, string>;

/** Maximum values per plan, as in the panel. */
const MAX_COUNT = { monitors: 1_000, backups: 100 } as const;
const MAX_STOCK = 1_000_000;

/** Whole numbers of the form, with their ranges. */
const LIMITS: readonly [field: string, key: 'webMb' | 'databaseMb' | 'trafficGb' | 'domains', min: number, max: number][] = [
  ['web_mb', 'webMb', 0, 10_000_000],
  ['database_mb', 'databaseMb', 0, 10_000_000],
  ['traffic_gb', 'trafficGb', 0, 1_000_000],
  ['domains', 'domains', 0, 10_000],
];

/** Name of the field for a period's price. */
export const priceField = (period: Period): string => (period === 'month' ? 'price' : `price_${period}`);

/**
 * Reads a plan from its form. Missing price fields (programs that only know monthly prices): a new plan gets proportional prices, an
 * existing one keeps its prices.
 *
 * @param present the plan to change
 */
export function readPlan(ctx: CallContext, servers: OpenServers, present: Plan | null): PlanTerms | Problems {
  const { body } = ctx;
  const problems: Problems = {};
  const text = (field: string, max: number, key: string, min = 0): string => {
    const value = (body[field] ?? '').trim();
    if (value.length < min || value.length > max) problems[field] = ctx.t(key);
    return value;
  };
  const whole = (field: string, min: number, max: number, missing: number): number => {
    if (body[field] === undefined) return missing;
    const value = /^\d{1,9}$/.test(body[field].trim()) ? Number(body[field]) : -1;
    if (value < min || value > max) problems[field] = ctx.t('plan_number_rule', { max });
    return value;
  };
  const name = text('name', 120, 'plan_name_rule', 1);
  const description = text('description', 255, 'plan_description_rule');
  const category = body.category === undefined ? (present?.category ?? '') : text('category', 50, 'plan_category_rule');
  if (!servers.ineffective({ node: body.node ?? '' })) problems.node = ctx.t('plan_node_rule');
  const numbers = { webMb: 0, databaseMb: 0, trafficGb: 0, domains: 0 };
  for (const [field, key, min, max] of LIMITS) numbers[key] = whole(field, min, max, -1);
  for (const [field, key] of LIMITS)
    if (numbers[key] === -1) problems[field] ??= ctx.t('plan_number_rule', { max: LIMITS.find(([of]) => of === field)![3] });
  const days = (
    field: 'grace_days' | 'keep_days',
    missing: number | null,
    rule: string,
    isDays: (value: number) => boolean,
  ): number | null => {
    const given = body[field]?.trim();
    if (given === undefined) return missing;
    if (given === '') return null;
    if (!(/^\d{1,4}$/.test(given) && isDays(Number(given)))) problems[field] = ctx.t(rule);
    return Number(given);
  };
  const counts: { monitors: number | null; backups: number | null } = { monitors: null, backups: null };
  for (const [field, max] of Object.entries(MAX_COUNT) as [keyof typeof MAX_COUNT, number][]) {
    const value = (body[field] ?? '').trim();
    if (value === '') continue;
    if (!(/^\d{1,4}$/.test(value) && Number(value) <= max)) problems[field] = ctx.t('plan_monitors_rule', { max });
    counts[field] = Number(value);
  }
  const free = body.free === undefined ? (present?.free ?? false) : body.free === 'true';
  const prices = readPrices(ctx, problems, free, present);
  const setupFee = body.setup_fee === undefined ? (present?.setupFee ?? 0) : (money(body.setup_fee.trim() || '0') ?? -1);
  if (setupFee < 0) problems.setup_fee = ctx.t('plan_fee_rule');
  else if (free && setupFee > 0) problems.setup_fee = ctx.t('plan_free_rule');
  const trialDays = whole('trial_days', 0, 365, present?.trialDays ?? 0);
  if (free && trialDays > 0) problems.trial_days = ctx.t('plan_free_trial_rule');
  const plan: PlanTerms = {
    name,
    description,
    category,
    sort: whole('sort', 0, 9_999, present?.sort ?? 50),
    node: body.node ?? '',
    ...numbers,
    ...counts,
    graceDays: days('grace_days', present?.graceDays ?? null, 'plan_grace_rule', (value) => value <= 27),
    keepDays: days('keep_days', present?.keepDays ?? null, 'plan_keep_rule', (value) => value === 0 || (value >= 3 && value <= 3_650)),
    free,
    prices,
    setupFee,
    stock: readStock(ctx, problems, present),
    perCustomer: whole('per_customer', 0, 1_000, present?.perCustomer ?? 0),
    trialDays,
    active: body.active !== 'false',
  };
  return Object.keys(problems).length > 0 ? problems : plan;
}

function readPrices(ctx: CallContext, problems: Problems, free: boolean, present: Plan | null): Prices {
  const { body } = ctx;
  const prices: Partial<Record<Period, number>> = {};
  const month = money((body.price ?? '').trim());
  for (const period of PERIOD_NAMES) {
    const field = priceField(period);
    const given = body[field]?.trim();
    if (given === undefined && period !== 'month') {
      const missing = present ? present.prices[period] : month === null ? undefined : month * PERIODS[period];
      if (missing !== undefined) prices[period] = free ? 0 : missing;
      continue;
    }
    if (given === undefined || given === '') continue;
    const fen = money(given);
    if (free ? fen !== 0 : fen === null || fen < 1) problems[field] = ctx.t(free ? 'plan_free_rule' : 'plan_price_rule');
    else prices[period] = fen!;
  }
  if (Object.keys(prices).length === 0) problems.price ??= ctx.t(free ? 'plan_free_period_rule' : 'plan_price_rule');
  return prices;
}

function readStock(ctx: CallContext, problems: Problems, present: Plan | null): number | null {
  const given = ctx.body.stock?.trim();
  if (given === undefined) return present?.stock ?? null;
  if (given === '') return null;
  const stock = /^\d{1,7}$/.test(given) ? Number(given) : MAX_STOCK + 1;
  if (stock > MAX_STOCK) problems.stock = ctx.t('plan_stock_rule', { max: MAX_STOCK });
  return stock;
}

/** Reads an option of a plan from its form. */
export function readExtra(ctx: CallContext, plan: Plan | null, servers: OpenServers): Extra | Problems {
  const { body } = ctx;
  const problems: Problems = {};
  if (!plan) problems.plan_id = ctx.t('no_plan');
  const kind = body.kind ?? '';
  if (!Object.hasOwn(EXTRA_KINDS, kind)) problems.kind = ctx.t('extra_kind_rule');
  else if (plan && plan[EXTRA_KINDS[kind as ExtraKind]] === 0) problems.kind = ctx.t('extra_unlimited_rule');
  else if (plan && servers.untold(plan).has(EXTRA_KINDS[kind as ExtraKind]))
    problems.kind = ctx.t('limit_unenforced', { nodes: plan.node });
  const whole = (field: string, min: number, max: number): number => {
    const value = /^\d{1,7}$/.test((body[field] ?? '').trim()) ? Number(body[field]) : -1;
    if (value < min || value > max) problems[field] = ctx.t('extra_number_rule', { min, max });
    return value;
  };
  const unit = whole('unit', 1, 1_000_000);
  const most = whole('most', 0, 1_000);
  const prices: Partial<Record<Period, number>> = {};
  for (const period of PERIOD_NAMES) {
    const given = (body[priceField(period)] ?? '').trim();
    if (given === '') continue;
    const fen = money(given);
    if (fen === null || fen < 1) problems[priceField(period)] = ctx.t('plan_price_rule');
    else prices[period] = fen;
  }
  if (Object.keys(prices).length === 0) problems.price ??= ctx.t('plan_price_rule');
  return Object.keys(problems).length > 0 ? problems : { planId: plan!.id, kind: kind as ExtraKind, unit, most, prices };
}

/** Parses a price in minor units; null if invalid. */
function money(text: string): number | null {
  return text.length > 10 ? null : readAmount(text);
}

/** Whether reading returned errors. */
export function isProblems(read: object): read is Problems {
  return !('prices' in read);
}
