import { chosenFrom, type ChosenExtras } from './extra-terms.js';

const PREFIX = 'hosting_shop:';

/**
 * Returns the key of a plan with its options, as the panel stores it for a host: `hosting_shop:7`,
 * `hosting_shop:7:web_mb-2-1024,domains-1-5`.
 */
export function packageKey(planId: number, chosen: ChosenExtras = []): string {
  const extras = [...chosen].sort((a, b) => (a.kind < b.kind ? -1 : 1)).map(({ kind, steps, unit }) => `${kind}-${steps}-${unit}`);
  return [`${PREFIX}${planId}`, ...(extras.length > 0 ? [extras.join(',')] : [])].join(':');
}

/** Parses the result of {@link packageKey}; null for keys of other plugins and invalid ones. */
export function planOfKey(key: string | null): { readonly planId: number; readonly chosen: ChosenExtras } | null {
  const [, id, extras = ''] = /^hosting_shop:(\d{1,9})(?::([a-z0-9_,-]+))?$/.exec(key ?? '') ?? [];
  if (id === undefined) return null;
  const rows = extras === '' ? [] : extras.split(',').map((part) => /^([a-z_]+)-(\d{1,7})-(\d{1,7})$/.exec(part));
  if (rows.includes(null)) return null;
  // Serialized like a purchase's options, so that one parser reads both.
  const text = JSON.stringify(rows.map((row) => [row![1], Number(row![2]), Number(row![3])]));
  return { planId: Number(id), chosen: extras === '' ? [] : chosenFrom(text) };
}

/** Returns the package key of a purchase. */
export function packageOf({ plan_id: planId, extras }: { readonly plan_id: number; readonly extras: string }): string {
  return packageKey(Number(planId), chosenFrom(extras));
}
