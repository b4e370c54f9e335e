import type { ApiKey } from '../auth/index.js';
import { DAY_MS } from '../common/index.js';
import type { FormValues } from '../http/index.js';

import type { PermissionWords } from './permission-words.js';

/** What the form of a key shows, by the names of its fields. */
export function keyForm({ name, patterns, addresses, expiresAt, enabled }: ApiKey, words: PermissionWords) {
  const dq = expiresAt ? dayOf(expiresAt) : '';
  return { name, dq, ips: addresses ?? '', kg: enabled, ...words.form(patterns) } satisfies FormValues;
}

/** The last day somebody gave, from the moment it is over. */
function dayOf(over: Date): string {
  return new Date(over.getTime() - DAY_MS).toISOString().slice(0, 10);
}
