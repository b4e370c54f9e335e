import { Injectable } from '@nestjs/common';

import { AppError, type ErrorShape } from '../../common/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { SiteLogDay } from '../driver/index.js';
import { callerOf, FileLinks } from '../files/index.js';
import type { OpenSite } from '../site-tools/index.js';

import './texts.js';

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

  /** A link that downloads the log of a day once, for who asked. @returns its token @throws LogMissing; HostingError as {@link OpenSite.ask} */
  async link(site: OpenSite, day: string, ctx: CallContext): Promise<string> {
    if (!(await this.days(site)).some((log) => log.day === day)) throw new LogMissing(day);
    return this.links.issue({ accountId: site.account.id, path: `log:${day}` }, callerOf(ctx));
  }

  /** Uses a link up; null for one that is none, is somebody else's, or is to a file. */
  async redeem(token: string, ctx: CallContext): Promise<{ readonly accountId: number; readonly day: string } | null> {
    const linked = await this.links.redeem(token, callerOf(ctx));
    const day = LINKED.exec(linked?.path ?? '')?.[1];
    return linked && day !== undefined ? { accountId: linked.accountId, day } : null;
  }
}
