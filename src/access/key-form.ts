import type { ApiKey } from '../auth/index.js';
import { DAY_MS } from '../common/index.js';
import type { FormValues } from '../http/index.js';

import type { PermissionWords } from './permission-words.js';

/** Form values of an API key, by field name. */
export function keyForm({ name, patterns, addresses, expiresAt, enabled }: ApiKey, words: PermissionWords) {
  const dq = expiresAt ? dayOf(expiresAt) : '';
  return { name, dq, ips: addresses ?? '', kg: enabled, ...words.form(patterns) } satisfies FormValues;
}

/** Returns the last valid day for an expiry time, which is the end of that day. */
function dayOf(over: Date): string {
  return new Date(over.getTime() - DAY_MS).toISOString().slice(0, 10);
}
