import type { AuthPolicy, Scope } from '../../sdk/index.js';

/** @throws Error for an unknown policy: unknown never means open */
export function requirePolicy(slug: string, auth: AuthPolicy | undefined): void {
  if (auth === null || auth === undefined || typeof auth === 'function' || ['', 'none', 'admin', 'user'].includes(auth)) return;
  throw new Error(`${slug}: auth must be null, "none", "admin", "user" or a function, not ${JSON.stringify(auth)}.`);
}

/** @throws Error for anything that is not a side of the panel */
export function requireSide(slug: string, scope: Scope): void {
  if (scope !== 'admin' && scope !== 'user') throw new Error(`${slug}: the scope must be "admin" or "user", not ${JSON.stringify(scope)}.`);
}

/** @throws Error for anything but an object, and for an unknown option: a misspelled option would have no effect */
export function requireOptions<Options>(
  slug: string,
  place: string,
  given: Options | null | undefined,
  names: readonly (keyof Options)[],
): void {
  if (given === undefined || given === null) return;
  if (typeof given !== 'object') throw new Error(`${slug}: the options of ${place} must be an object, not ${JSON.stringify(given)}.`);
  const other = Object.keys(given).find((name) => !names.some((known) => known === name));
  if (other !== undefined) throw new Error(`${slug}: ${place} has no option ${JSON.stringify(other)}, only ${names.join(', ')}.`);
}
