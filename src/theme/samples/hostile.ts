import { TrustedHtml } from '../trusted-html.js';

/** What an attacker would write into every field: a theme that does not escape it runs it. */
export const ATTACK = `<img src=x onerror=alert(1)>"'`;

/** The same shape with every text replaced by {@link ATTACK}; what is trusted stays. */
export function hostile(value: unknown): unknown {
  if (typeof value === 'string') return ATTACK;
  if (value instanceof TrustedHtml || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(hostile);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hostile(item)]));
}
