import { chosenFrom, type ChosenExtras } from './extra-terms.js';

const PREFIX = 'hosting_shop:';

/**
 * The key of a plan with what was bought beside it, as the panel keeps it of a host: `hosting_shop:7`,
 * `hosting_shop:7:web_mb-2-1024,domains-1-5`.
 */
export function packageKey(planId: number, chosen: ChosenExtras = []): string {
  const extras = [...chosen].sort((a, b) => (a.kind < b.kind ? -1 : 1)).map(({ kind, steps, unit }) => `${kind}-${steps}-${unit}`);
  return [`${PREFIX}${planId}`, ...(extras.length > 0 ? [extras.join(',')] : [])].join(':');
}

/** What {@link packageKey} made; null for what is another plugin's, or none. */
export function planOfKey(key: string | null): { readonly planId: number; readonly chosen: ChosenExtras } | null {
  const [, id, extras = ''] = /^hosting_shop:(\d{1,9})(?::([a-z0-9_,-]+))?$/.exec(key ?? '') ?? [];
  if (id === undefined) return null;
  const rows = extras === '' ? [] : extras.split(',').map((part) => /^([a-z_]+)-(\d{1,7})-(\d{1,7})$/.exec(part));
  if (rows.includes(null)) return null;
  // As a purchase keeps them, so that both are read by the same rule.
  const text = JSON.stringify(rows.map((row) => [row![1], Number(row![2]), Number(row![3])]));
  return { planId: Number(id), chosen: extras === '' ? [] : chosenFrom(text) };
}

/** Of what was bought, as a purchase keeps it. */
export function packageOf({ plan_id: planId, extras }: { readonly plan_id: number; readonly extras: string }): string {
  return packageKey(Number(planId), chosenFrom(extras));
}
