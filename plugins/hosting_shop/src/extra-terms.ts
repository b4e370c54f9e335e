import type { Period, Prices } from './periods.js';

/** What may be bought beside a plan, and the limit of the plan it adds to. */
export const EXTRA_KINDS = { web_mb: 'webMb', database_mb: 'databaseMb', traffic_gb: 'trafficGb', domains: 'domains' } as const;

/** One of {@link EXTRA_KINDS}. */
export type ExtraKind = keyof typeof EXTRA_KINDS;

/** An option of a plan: so much more of a limit, in steps. */
export interface Extra {
  readonly planId: number;
  readonly kind: ExtraKind;
  /** How much one step adds, in the unit of its kind. */
  readonly unit: number;
  /** Most steps; 0: not sold to new buyers. */
  readonly most: number;
  /** Fen of one step for each time it is sold for. */
  readonly prices: Prices;
}

/** Steps of options somebody chose, with how much a step was when he did. */
export type ChosenExtras = readonly { readonly kind: ExtraKind; readonly steps: number; readonly unit: number }[];

/** Limits of a plan that options widen. */
export interface Widened {
  webMb: number;
  databaseMb: number;
  trafficGb: number;
  domains: number;
}

/** The limits of a plan with what was bought beside it; what is unlimited stays so. */
export function withExtras({ webMb, databaseMb, trafficGb, domains }: Readonly<Widened>, chosen: ChosenExtras): Widened {
  const wider: Widened = { webMb, databaseMb, trafficGb, domains };
  for (const { kind, steps, unit } of chosen) {
    const limit = EXTRA_KINDS[kind];
    if (wider[limit] > 0) wider[limit] += steps * unit;
  }
  return wider;
}

/** Fen of what was chosen, for a time; undefined where some of it is not sold for that. */
export function extrasPrice(extras: readonly Extra[], chosen: ChosenExtras, period: Period): number | undefined {
  let sum = 0;
  for (const { kind, steps } of chosen) {
    const price = extras.find((extra) => extra.kind === kind)?.prices[period];
    if (price === undefined) return undefined;
    sum += price * steps;
  }
  return sum;
}

/** As a purchase keeps them. */
export function extrasText(chosen: ChosenExtras): string {
  return chosen.length === 0 ? '' : JSON.stringify(chosen.map(({ kind, steps, unit }) => [kind, steps, unit]));
}

/** What {@link extrasText} made. */
export function chosenFrom(text: string): ChosenExtras {
  const rows = (text === '' ? [] : JSON.parse(text)) as [ExtraKind, number, number][];
  return rows.map(([kind, steps, unit]) => ({ kind, steps, unit }));
}
