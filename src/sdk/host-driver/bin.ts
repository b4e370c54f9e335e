import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount } from './server.js';

/**
 * Deleted sites on a kind of server that keeps them: `terminate` puts a site here, and it stays until `purge`. `kept` is what the
 * account was when it was deleted.
 *
 * @example
 * ```ts
 * const kept = new Set<string>();
 * const bin: HostDriverBin = {
 *   has: ({ siteName }) => ({ outcome: 'ok', value: kept.has(siteName) }),
 *   restore: ({ siteName }) => ({ outcome: kept.delete(siteName) ? 'ok' : 'already' }),
 *   purge: ({ siteName }) => (kept.delete(siteName) ? { outcome: 'ok' } : { outcome: 'not_found' }),
 * };
 * ```
 * @since 1.84.0
 */
export interface HostDriverBin {
  /** Whether the site is here. */
  has: (kept: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer<boolean>;
  /**
   * Makes what is kept the site of `account`, which `create` has just made on the same server, and empties its place here. The same again
   * is `already`; `not_found` where it is neither here nor there.
   */
  restore: (kept: HostDriverAccount, account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
  /** Destroys what is kept, for good. One that was cut short goes on where it stopped; `not_found` is success. */
  purge: (kept: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
}
