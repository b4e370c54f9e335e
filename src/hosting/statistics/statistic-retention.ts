import { Injectable } from '@nestjs/common';

import { HOUR_MS, legacyTime } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { Job, JobRuns } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';

const JOB = 'statistics-purge';
/** Hours the top lists and visitors of an hour are kept; its numbers are kept for {@link HOUR_DAYS}. */
const DETAIL_HOURS = 25;
/** Days hourly numbers are kept: today and yesterday are shown by the hour. */
const HOUR_DAYS = 3;

/** Removes expired statistics: hourly ones after days, daily and monthly ones as set in the settings. */
@Injectable()
export class StatisticRetention {
  private readonly strip;
  private readonly forget;

  constructor(
    database: Database,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
    private readonly runs: JobRuns,
  ) {
    this.strip = database.statement(
      `UPDATE {SiteStatistic} SET {SiteStatistic.detail} = '' WHERE {SiteStatistic.unit} = 'h' AND {SiteStatistic.at} < ?
        AND {SiteStatistic.detail} <> ''`,
    );
    this.forget = database.statement('DELETE FROM {SiteStatistic} WHERE {SiteStatistic.unit} = ? AND {SiteStatistic.at} < ?');
  }

  /** @returns number of rows removed */
  @Job({ name: JOB, everyMinutes: 60 })
  async run(): Promise<number> {
    // Uses the time of a run about a day ago, so that a wrong clock removes nothing before anyone could notice.
    const now = await this.runs.witnessed(`core:${JOB}`, this.clock.now());
    if (!now) return 0;
    const hoursAgo = (hours: number): string => legacyTime(new Date(now.getTime() - hours * HOUR_MS), this.clock.timezone);
    await this.strip.run(hoursAgo(DETAIL_HOURS).replace(' ', 'T').slice(0, 13));
    const oldest = monthsBefore(hoursAgo(0).slice(0, 10), this.site.current.statisticsMonths);
    let gone = 0;
    for (const [unit, at] of [
      ['h', hoursAgo(HOUR_DAYS * 24).slice(0, 10)],
      ['d', oldest],
      ['m', oldest.slice(0, 7)],
    ] as const)
      gone += (await this.forget.run(unit, at)).affected;
    return gone;
  }
}

/** Returns the first day of the month `count` months earlier, `YYYY-MM-DD`. */
function monthsBefore(day: string, count: number): string {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() - count);
  return at.toISOString().slice(0, 10);
}
