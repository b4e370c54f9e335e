import { messageOf } from '../errors.js';
import type { Log } from '../log.js';
import type { PanelSettings } from '../scan/panel-settings.js';
import type { Schedule, StateStore } from '../state/state-store.js';
import { parseCron } from '../cron.js';

/** Missed full scans are made up for when they are not older. */
const CRON_LOOKBACK_MINUTES = 60;

/** A scan the agent begins by itself. */
export interface OwnScan {
  readonly mode: 'full' | 'incremental';
  readonly reason: string;
}

/** When the agent scans by itself: in full in the minutes a cron expression names, else incrementally now and then. */
export class ScanPlan {
  private schedule: Schedule = { cronMinute: 0, fullPending: false, lastScanAt: 0, lastScanMs: 0 };
  private cronTold = '';

  /** @param intervalMs least time between two incremental scans */
  constructor(
    private readonly store: StateStore,
    private readonly log: Log,
    private readonly now: () => number,
    private readonly intervalMs: number,
  ) {}

  /** Takes up what the last process knew. */
  async load(): Promise<void> {
    this.schedule = await this.store.schedule();
  }

  /** Notes which minutes the cron expression matched since it was last asked; every round, also while nothing can begin. */
  async follow(settings: PanelSettings, enabled: boolean): Promise<void> {
    const minute = Math.floor(this.now() / 60_000);
    const last = this.schedule.cronMinute;
    // A clock that is set back a little does not repeat a match; one that was far ahead does not put off scans for ever.
    if (minute <= last && minute >= last - CRON_LOOKBACK_MINUTES) return;
    const since = Math.max(last === 0 ? minute - 1 : last, minute - CRON_LOOKBACK_MINUTES);
    if (!enabled || !settings.fullEnabled) this.schedule.fullPending = false;
    else if (this.cronMatched(settings.fullCron, since, minute)) this.schedule.fullPending = true;
    this.schedule.cronMinute = minute;
    await this.store.saveSchedule(this.schedule);
  }

  /** The scan that is due; null for none. */
  due(): OwnScan | null {
    if (this.schedule.fullPending) return { mode: 'full', reason: 'cron' };
    // A scan that takes long makes room for the sites: at most a sixth of the time goes into scanning.
    const spacing = Math.max(this.intervalMs, this.schedule.lastScanMs * 5);
    return Math.abs(this.now() - this.schedule.lastScanAt) >= spacing ? { mode: 'incremental', reason: 'interval' } : null;
  }

  /** A scan of its own has ended. @param began milliseconds since 1970 */
  async ended(mode: OwnScan['mode'], began: number): Promise<void> {
    this.schedule.lastScanAt = this.now();
    this.schedule.lastScanMs = this.now() - began;
    if (mode === 'full') this.schedule.fullPending = false;
    await this.store.saveSchedule(this.schedule);
  }

  private cronMatched(expression: string, since: number, until: number) {
    let matches;
    try {
      matches = parseCron(expression);
    } catch (error) {
      if (this.cronTold !== expression)
        this.log.warning(`No full scans: the cron expression of the panel cannot be read. ${messageOf(error)}`);
      this.cronTold = expression;
      return false;
    }
    for (let minute = since + 1; minute <= until; minute++) if (matches(new Date(minute * 60_000))) return true;
    return false;
  }
}
