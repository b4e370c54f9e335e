import { TrustedHtml } from '../trusted-html.js';

/** An injection attempt for every field: a theme that does not escape it runs it. */
export const ATTACK = `<img src=x onerror=alert(1)>"'`;

/** Returns the same structure with every text replaced by {@link ATTACK}; trusted values are kept. */
export function hostile(value: unknown): unknown {
  if (typeof value === 'string') return ATTACK;
  if (value instanceof TrustedHtml || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(hostile);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hostile(item)]));
}
