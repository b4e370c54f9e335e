import type { DriverAccount, DriverResult } from '../driver-types.js';

/**
 * Deleted sites on a kind of server that keeps them: `terminate` puts a site here, and it stays until {@link purge}. `kept` is what the
 * account was when it was deleted.
 */
export interface BinPort {
  /** Whether the site is here. */
  has(kept: DriverAccount, deadline: AbortSignal): Promise<DriverResult<boolean>>;
  /**
   * Makes what is kept the site of `account`, which `create` has just made on the same server, and empties its place here. The same again
   * is `already`; `not_found` where it is neither here nor there.
   */
  restore(kept: DriverAccount, account: DriverAccount, deadline: AbortSignal): Promise<DriverResult>;
  /** Destroys what is kept, for good. One that was cut short goes on where it stopped; `not_found` is success. */
  purge(kept: DriverAccount, deadline: AbortSignal): Promise<DriverResult>;
}
