import { Injectable } from '@nestjs/common';

import { AppError, type ErrorShape } from '../../common/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { SiteLogDay } from '../driver/index.js';
import { callerOf, FileLinks, type SiteDownload } from '../files/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** Path in a link to the log of a day; a file path starts with a slash instead. */
const LINKED = /^log:(\d{4}-\d\d-\d\d)$/;

/** The log of that day does not exist. */
export class LogMissing extends AppError<'LOG_MISSING'> {
  constructor(day: string) {
    super('LOG_MISSING', { day });
  }

  get shape(): ErrorShape {
    return { err: 'E_NOTEXIST', text: 'sitestats.log_missing' };
  }
}

/** Raw logs of a site, for download. */
@Injectable()
export class RawLogs {
  constructor(private readonly links: FileLinks) {}

  /** Returns the days with a log, newest first. @throws HostingError as {@link OpenSite.ask} */
  days(site: OpenSite): Promise<readonly SiteLogDay[]> {
    return site.ask('statistics', (port, account, deadline) => port.days(account, deadline));
  }

  /**
   * Issues a single-use link to the log of a day, for the requester.
   *
   * @returns its token
   * @throws LogMissing; HostingError as {@link OpenSite.ask}
   */
  async link(site: OpenSite, day: string, ctx: CallContext): Promise<string> {
    if (!(await this.days(site)).some((log) => log.day === day)) throw new LogMissing(day);
    return this.links.issue({ accountId: site.account.id, path: `log:${day}` }, callerOf(ctx));
  }

  /** Opens the log of a day as stored. @param path of its link @throws LogMissing; HostingError as {@link OpenSite.ask} */
  async open(site: OpenSite, path: string): Promise<SiteDownload> {
    const day = LINKED.exec(path)?.[1] ?? '';
    const { log, content } = await site
      .ask('statistics', (port, account, deadline) => port.open(account, day, deadline))
      .catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'SITE_MISSING' ? new LogMissing(day) : error;
      });
    return {
      name: `${site.account.username.replace(/[^A-Za-z0-9._-]/g, '_')}-${day}.log${log.isPacked ? '.gz' : ''}`,
      ...(log.isPacked ? { type: 'application/gzip' } : {}),
      bytes: log.bytes,
      content,
    };
  }
}
