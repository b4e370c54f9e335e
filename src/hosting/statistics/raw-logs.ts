import { Injectable } from '@nestjs/common';

import { AppError, type ErrorShape } from '../../common/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { SiteLogDay } from '../driver/index.js';
import { callerOf, FileLinks, type SiteDownload } from '../files/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** What a link to the log of a day has in place of a path, which begins with a slash. */
const LINKED = /^log:(\d{4}-\d\d-\d\d)$/;

/** There is no log of that day. */
export class LogMissing extends AppError<'LOG_MISSING'> {
  constructor(day: string) {
    super('LOG_MISSING', { day });
  }

  get shape(): ErrorShape {
    return { err: 'E_NOTEXIST', text: 'sitestats.log_missing' };
  }
}

/** Raw logs of a site, for who takes them along. */
@Injectable()
export class RawLogs {
  constructor(private readonly links: FileLinks) {}

  /** The days there is a log of, newest first. @throws HostingError as {@link OpenSite.ask} */
  days(site: OpenSite): Promise<readonly SiteLogDay[]> {
    return site.ask('statistics', (port, account, deadline) => port.days(account, deadline));
  }

  /**
   * A link that downloads the log of a day once, for who asked.
   *
   * @returns its token
   * @throws LogMissing; HostingError as {@link OpenSite.ask}
   */
  async link(site: OpenSite, day: string, ctx: CallContext): Promise<string> {
    if (!(await this.days(site)).some((log) => log.day === day)) throw new LogMissing(day);
    return this.links.issue({ accountId: site.account.id, path: `log:${day}` }, callerOf(ctx));
  }

  /** The log of a day, as it lies there. @param path what a link to it has @throws LogMissing; HostingError as {@link OpenSite.ask} */
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
