import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { Injectable } from '@nestjs/common';

import { DAY_MS, errorMessage, legacyDay, loggerFor } from '../../../common/index.js';
import { ZonedClock } from '../../../config/index.js';
import { Job, JobRuns, type JobTurn } from '../../../jobs/index.js';
import { SiteSettings } from '../../../site/index.js';

import { SiteLogFiles } from './site-log-files.js';

const log = loggerFor('sites');
const JOB = 'site-logs';
/** Days after which a log is compressed: long after it was counted. */
const PACK_AFTER_DAYS = 3;
const OF_SITE = /^(.+?)\.log(?:\.gz|\.cut|\.gz\.part)?$/;

/** Compresses old logs of sites, and removes expired logs and those of deleted sites. */
@Injectable()
export class SiteLogMaintenance {
  constructor(
    private readonly files: SiteLogFiles,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
    private readonly runs: JobRuns,
  ) {}

  /** Work interrupted by a kill is repeated by the next run. @returns number of logs compressed or removed */
  @Job({ name: JOB, dailyAt: '03:50' })
  async run(turn?: JobTurn): Promise<number> {
    const now = this.clock.now();
    // Uses the time of a run about a day ago, so that a wrong clock removes nothing before anyone could notice.
    const witnessed = await this.runs.witnessed(`core:${JOB}`, now);
    let count = witnessed ? await this.files.removeBefore(this.day(witnessed, -this.site.current.siteLogDays)) : 0;
    const known = new Map<string, boolean>();
    const packed = this.day(now, -PACK_AFTER_DAYS);
    for (const day of await this.files.days()) {
      for (const name of await this.files.namesOf(day)) {
        turn?.signal.throwIfAborted();
        const siteName = OF_SITE.exec(name)?.[1];
        if (siteName === undefined) continue;
        if (!known.has(siteName)) known.set(siteName, await this.files.hasSite(siteName));
        const path = join(this.files.folderOf(day), name);
        if (!known.get(siteName) || name.endsWith('.part')) {
          await rm(path, { force: true });
          count += 1;
        } else if (day < packed && name.endsWith('.log')) count += (await this.pack(path)) ? 1 : 0;
      }
    }
    return count;
  }

  private async pack(path: string): Promise<boolean> {
    const draft = `${path}.gz.part`;
    try {
      await pipeline(createReadStream(path), createGzip(), createWriteStream(draft, { mode: 0o600 }));
      await rename(draft, `${path}.gz`);
      await rm(path);
      return true;
    } catch (error) {
      await rm(draft, { force: true });
      log.warn({ reason: errorMessage(error) }, 'a log of a site could not be compressed and stays unchanged');
      return false;
    }
  }

  private day(at: Date, shift: number): string {
    return legacyDay(new Date(at.getTime() + shift * DAY_MS), this.clock.timezone);
  }
}
