import { PAUSE_REASON } from './accounts/index.js';
import { isExpired, lastDayOf, type ServiceDays } from './calendar.js';

/** Properties that determine the displayed status of a host. */
interface StatusProperties<State extends string> extends ServiceDays {
  readonly state: State;
  readonly pauseReasons: readonly string[];
}

/**
 * Returns the status shown in lists and on pages: `expired` after the last day, even before the sweep has paused the host, unless it is
 * also paused for another reason.
 *
 * @param today in the time zone of the installation, `YYYY-MM-DD`
 */
export function shownStatus<State extends string>(host: StatusProperties<State>, today: string): State | 'expired' {
  const { state, pauseReasons } = host;
  const runs = state === 'active' || (state === 'paused' && pauseReasons.every((reason) => reason === PAUSE_REASON.expiry));
  return runs && isExpired(lastDayOf(host), today) ? 'expired' : state;
}
