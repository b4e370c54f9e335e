import type { AuthPolicy, Scope } from '../../sdk/index.js';

/** @throws Error for a policy the panel does not know: unknown never means open */
export function requirePolicy(slug: string, auth: AuthPolicy | undefined): void {
  if (auth === null || auth === undefined || typeof auth === 'function' || ['', 'none', 'admin', 'user'].includes(auth)) return;
  throw new Error(`${slug}: auth must be null, "none", "admin", "user" or a function, not ${JSON.stringify(auth)}.`);
}

/** @throws Error for what is no side of the panel */
export function requireSide(slug: string, scope: Scope): void {
  if (scope !== 'admin' && scope !== 'user') throw new Error(`${slug}: the scope must be "admin" or "user", not ${JSON.stringify(scope)}.`);
}
