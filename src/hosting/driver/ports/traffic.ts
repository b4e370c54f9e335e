import type { DriverAccount, DriverResult } from '../driver-types.js';

/** Traffic of sites on a kind of server that counts it by the month. */
export interface TrafficPort {
  /** Whether this process counts what its sites send, so that what the panel itself sends of them is counted with it. */
  readonly isCountedHere: boolean;
  /** Bytes a site sent in a month. @param month `YYYY-MM` in the zone of the installation */
  ofMonth(account: DriverAccount, month: string, deadline: AbortSignal): Promise<DriverResult<number>>;
}
