import type { Readable } from 'node:stream';

import type { DriverAccount, DriverNode, DriverResult } from '../driver-types.js';

/** A day's raw log of a site. */
export interface SiteLogDay {
  /** `YYYY-MM-DD` in the zone of the installation. */
  readonly day: string;
  /** Bytes it takes where it lies. */
  readonly bytes: number;
  /** Whether it is kept compressed by gzip, and is sent so. */
  readonly isPacked: boolean;
  /** Whether requests were left out because the day had more than one log may hold. */
  readonly isCut: boolean;
}

/** Some of a site's log. */
export interface SiteLogPart {
  /** Whole lines in the combined format, each with its end; empty where there is nothing new. */
  readonly text: string;
  /** What `read` takes to go on; the same as before where there is nothing new. At most 64 characters. */
  readonly next: string;
}

/**
 * Access logs of sites on a kind of server that writes them, in the combined format
 * (https://httpd.apache.org/docs/current/logs.html#combined). The server logs; the panel counts what is in them, keeps the numbers and
 * draws them. What stands in a log was written by strangers.
 */
export interface StatisticsPort {
  /** Names of a node's sites whose log may have grown since a moment; some more do no harm. @param since null: since ever */
  grown(node: DriverNode, since: Date | null, deadline: AbortSignal): Promise<DriverResult<readonly string[]>>;
  /**
   * Reads on in the log of a site; everything is read once by who follows `next`, however long ago that was.
   *
   * @param cursor `next` of the part before; empty for the first
   */
  read(account: DriverAccount, cursor: string, deadline: AbortSignal): Promise<DriverResult<SiteLogPart>>;
  /** The last lines of the log, the newest last. @param lines at most so many, no more than 1,000 */
  last(account: DriverAccount, lines: number, deadline: AbortSignal): Promise<DriverResult<readonly string[]>>;
  /** The days there is a log of, newest first. */
  days(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<readonly SiteLogDay[]>>;
  /** The log of a day as it is at this moment; who does not read the stream to its end destroys it. `not_found` where there is none. */
  open(
    account: DriverAccount,
    day: string,
    deadline: AbortSignal,
  ): Promise<DriverResult<{ readonly log: SiteLogDay; readonly content: Readable }>>;
}
