import { messageOf } from '../errors.js';
import type { Log } from '../log.js';
import type { PanelSettings } from '../scan/panel-settings.js';
import type { Schedule, StateStore } from '../state/state-store.js';
import { parseCron } from '../cron.js';

/** Missed full scans up to this age are made up for. */
const CRON_LOOKBACK_MINUTES = 60;

/** A scan the agent starts itself. */
export interface OwnScan {
  readonly mode: 'full' | 'incremental';
  readonly reason: string;
}

/** Schedules the agent's own scans: full scans by a cron expression, incremental ones by interval. */
export class ScanPlan {
  private schedule: Schedule = { cronMinute: 0, fullPending: false, lastScanAt: 0, lastScanMs: 0 };
  private loggedExpression = '';

  /** @param intervalMs minimum time between two incremental scans, in milliseconds */
  constructor(
    private readonly store: StateStore,
    private readonly log: Log,
    private readonly now: () => number,
    private readonly intervalMs: number,
  ) {}

  /** Loads the stored schedule. */
  async load(): Promise<void> {
    this.schedule = await this.store.schedule();
  }

  /** Checks which minutes since the last call the cron expression matched. Called every round, even while no scan can start. */
  async update(settings: PanelSettings, enabled: boolean): Promise<void> {
    const minute = Math.floor(this.now() / 60_000);
    const last = this.schedule.cronMinute;
    // A clock set back slightly does not repeat a match; one that was far ahead does not delay scans forever.
    if (minute <= last && minute >= last - CRON_LOOKBACK_MINUTES) return;
    const since = Math.max(last === 0 ? minute - 1 : last, minute - CRON_LOOKBACK_MINUTES);
    if (!enabled || !settings.fullEnabled) this.schedule.fullPending = false;
    else if (this.cronMatched(settings.fullCron, since, minute)) this.schedule.fullPending = true;
    this.schedule.cronMinute = minute;
    await this.store.saveSchedule(this.schedule);
  }

  /** Returns the due scan; null for none. */
  due(): OwnScan | null {
    if (this.schedule.fullPending) return { mode: 'full', reason: 'cron' };
    // Limits long scans to a sixth of the time, in favor of the sites.
    const spacing = Math.max(this.intervalMs, this.schedule.lastScanMs * 5);
    return Math.abs(this.now() - this.schedule.lastScanAt) >= spacing ? { mode: 'incremental', reason: 'interval' } : null;
  }

  /** Records the end of an own scan. @param began milliseconds since 1970 */
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
      if (this.loggedExpression !== expression)
        this.log.warning(`Full scans are disabled: the cron expression from the panel is invalid. ${messageOf(error)}`);
      this.loggedExpression = expression;
      return false;
    }
    for (let minute = since + 1; minute <= until; minute++) if (matches(new Date(minute * 60_000))) return true;
    return false;
  }
}
