import type { DriverAccount, DriverResult } from '../driver-types.js';

/**
 * Recycle bin of a kind of server: `terminate` moves a site into it, where it stays until {@link purge}. `kept` is the account as it was
 * when deleted.
 */
export interface BinPort {
  /** Whether the site is in the bin. */
  has(kept: DriverAccount, deadline: AbortSignal): Promise<DriverResult<boolean>>;
  /**
   * Makes a site in the bin the site of `account`, which `create` has just created on the same server, and removes it from the bin. A
   * repeated call is `already`; `not_found` if the site is in neither place.
   */
  restore(kept: DriverAccount, account: DriverAccount, deadline: AbortSignal): Promise<DriverResult>;
  /** Permanently deletes a site in the bin. An interrupted call is resumed; `not_found` is success. */
  purge(kept: DriverAccount, deadline: AbortSignal): Promise<DriverResult>;
}
