import type { Period, Prices } from './periods.js';

/** Kinds of options, and the plan limit each one extends. */
export const EXTRA_KINDS = { web_mb: 'webMb', database_mb: 'databaseMb', traffic_gb: 'trafficGb', domains: 'domains' } as const;

/** One of {@link EXTRA_KINDS}. */
export type ExtraKind = keyof typeof EXTRA_KINDS;

/** An option of a plan: extends a limit in steps. */
export interface Extra {
  readonly planId: number;
  readonly kind: ExtraKind;
  /** Amount per step, in the unit of its kind. */
  readonly unit: number;
  /** Maximum number of steps; 0: not sold to new buyers. */
  readonly most: number;
  /** Price per step and period, in fen. */
  readonly prices: Prices;
}

/** Chosen options, with the size of a step at the time of purchase. */
export type ChosenExtras = readonly { readonly kind: ExtraKind; readonly steps: number; readonly unit: number }[];

/** Plan limits that options extend. */
export interface Widened {
  webMb: number;
  databaseMb: number;
  trafficGb: number;
  domains: number;
}

/** Returns the limits of a plan including its options; unlimited stays unlimited. */
export function withExtras({ webMb, databaseMb, trafficGb, domains }: Readonly<Widened>, chosen: ChosenExtras): Widened {
  const wider: Widened = { webMb, databaseMb, trafficGb, domains };
  for (const { kind, steps, unit } of chosen) {
    const limit = EXTRA_KINDS[kind];
    if (wider[limit] > 0) wider[limit] += steps * unit;
  }
  return wider;
}

/** Price of the chosen options for a period, in fen; undefined if one is not sold for that period. */
export function extrasPrice(extras: readonly Extra[], chosen: ChosenExtras, period: Period): number | undefined {
  let sum = 0;
  for (const { kind, steps } of chosen) {
    const price = extras.find((extra) => extra.kind === kind)?.prices[period];
    if (price === undefined) return undefined;
    sum += price * steps;
  }
  return sum;
}

/** Serializes options for a purchase's row. */
export function extrasText(chosen: ChosenExtras): string {
  return chosen.length === 0 ? '' : JSON.stringify(chosen.map(({ kind, steps, unit }) => [kind, steps, unit]));
}

/** Parses the result of {@link extrasText}. */
export function chosenFrom(text: string): ChosenExtras {
  const rows = (text === '' ? [] : JSON.parse(text)) as [ExtraKind, number, number][];
  return rows.map(([kind, steps, unit]) => ({ kind, steps, unit }));
}
