import { EXTRA_KINDS, extrasPrice, type ChosenExtras, type Extra, type ExtraKind } from './extra-terms.js';
import { isPeriod, type Period } from './periods.js';
import type { Plan } from './plan-terms.js';

/** Fields of a cart as submitted. */
export type CartFields = Readonly<Record<string, string | undefined>>;

/** Items of a cart and their current prices. Money is fen. */
export interface Quote {
  readonly plan: Plan;
  /** Null for a trial. */
  readonly period: Period | null;
  readonly chosen: ChosenExtras;
  readonly base: number;
  readonly extras: number;
  readonly setupFee: number;
  /** As entered; empty for none. */
  readonly coupon: string;
  /** Discount of the coupon. */
  readonly discount: number;
  /** Total to pay. */
  readonly total: number;
}

/** An invalid field and the key of its error text. */
export interface Problem {
  readonly field: string;
  readonly key: string;
  readonly params?: Record<string, string | number>;
}

/** Name of the field for an option. */
export const extraField = (kind: ExtraKind): string => `extra_${kind}`;

/** Computes the price of a cart from the current plan and options; prices submitted with the cart are ignored. */
export function quote(plan: Plan, extras: readonly Extra[], fields: CartFields): Quote | Problem {
  if (fields.period === 'trial') {
    if (plan.trialDays === 0) return { field: 'period', key: 'no_trial' };
    return { plan, period: null, chosen: [], base: 0, extras: 0, setupFee: 0, coupon: '', discount: 0, total: 0 };
  }
  const period = fields.period ?? '';
  if (!isPeriod(period)) return { field: 'period', key: 'bad_period' };
  const base = plan.prices[period];
  if (base === undefined) return { field: 'period', key: 'period_not_sold' };
  const chosen: { kind: ExtraKind; steps: number; unit: number }[] = [];
  for (const kind of Object.keys(EXTRA_KINDS) as ExtraKind[]) {
    const given = (fields[extraField(kind)] ?? '').trim();
    if (given === '' || given === '0') continue;
    const extra = extras.find((one) => one.kind === kind);
    if (!extra) return { field: extraField(kind), key: 'extra_gone' };
    const { unit, most, prices } = extra;
    const steps = /^\d{1,6}$/.test(given) ? Number(given) : -1;
    if (steps < 0 || steps > most) return { field: extraField(kind), key: 'extra_rule', params: { max: most } };
    if (prices[period] === undefined) return { field: extraField(kind), key: 'extra_not_sold' };
    if (steps > 0) chosen.push({ kind, steps, unit });
  }
  const more = extrasPrice(extras, chosen, period)!;
  const total = base + more + plan.setupFee;
  return { plan, period, chosen, base, extras: more, setupFee: plan.setupFee, coupon: '', discount: 0, total };
}
