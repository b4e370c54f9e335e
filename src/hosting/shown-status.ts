import { PAUSE_REASON } from './accounts/index.js';
import { isExpired, lastDayOf, type ServiceDays } from './calendar.js';

/** What of a host says how it stands. */
interface Standing<State extends string> extends ServiceDays {
  readonly state: State;
  readonly pauseReasons: readonly string[];
}

/**
 * How lists and pages show a host: as expired from the end of its last day on, whether or not the sweep has paused it yet, unless
 * it is paused for something else too.
 *
 * @param today in the panel's zone, `YYYY-MM-DD`
 */
export function shownStatus<State extends string>(host: Standing<State>, today: string): State | 'expired' {
  const { state, pauseReasons } = host;
  const runs = state === 'active' || (state === 'paused' && pauseReasons.every((reason) => reason === PAUSE_REASON.expiry));
  return runs && isExpired(lastDayOf(host), today) ? 'expired' : state;
}
