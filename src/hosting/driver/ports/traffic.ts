import type { DriverAccount, DriverResult } from '../driver-types.js';

/** Monthly traffic of sites on a kind of server that counts it. */
export interface TrafficPort {
  /** Whether this process counts the traffic of sites, so that responses sent by the panel itself are included. */
  readonly isCountedHere: boolean;
  /** Bytes a site sent in a month. @param month `YYYY-MM` in the time zone of the installation */
  ofMonth(account: DriverAccount, month: string, deadline: AbortSignal): Promise<DriverResult<number>>;
}
