import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount } from './server.js';

/**
 * Deleted sites on a kind of server with a recycle bin: `terminate` moves a site here, and it stays until `purge`. `kept` is the account as
 * it was when it was deleted.
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
  /** Returns whether the site is in the bin. */
  has: (kept: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer<boolean>;
  /**
   * Turns the kept site into the site of `account`, which `create` has just made on the same server, and removes it from the bin. A
   * repeated call returns `already`; `not_found` if it is in neither place.
   */
  restore: (kept: HostDriverAccount, account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
  /** Deletes a kept site permanently. An interrupted purge resumes where it stopped; `not_found` is success. */
  purge: (kept: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer;
}
