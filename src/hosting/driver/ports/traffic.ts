import type { DriverAccount, DriverResult } from '../host-driver.js';

/** Traffic of sites on a kind of server that counts it by the month. */
export interface TrafficPort {
  /** Bytes a site sent in a month. @param month `YYYY-MM` in the zone of the installation */
  ofMonth(account: DriverAccount, month: string, deadline: AbortSignal): Promise<DriverResult<number>>;
}
