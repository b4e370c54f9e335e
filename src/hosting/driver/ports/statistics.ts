import type { Readable } from 'node:stream';

import type { DriverAccount, DriverNode, DriverResult } from '../driver-types.js';

/** The raw log of a site for one day. */
export interface SiteLogDay {
  /** `YYYY-MM-DD` in the time zone of the installation. */
  readonly day: string;
  /** Size on disk in bytes. */
  readonly bytes: number;
  /** Whether it is stored, and sent, compressed by gzip. */
  readonly isPacked: boolean;
  /** Whether requests are missing because the day exceeded the size limit of a log. */
  readonly isCut: boolean;
}

/** A part of a site's log. */
export interface SiteLogPart {
  /** Whole lines in the combined format, each with its line end; empty if there is nothing new. */
  readonly text: string;
  /** Cursor for the next `read`; unchanged if there is nothing new. At most 64 characters. */
  readonly next: string;
}

/**
 * Access logs of sites on a kind of server, in the combined format (https://httpd.apache.org/docs/current/logs.html#combined). The server
 * writes the logs; the panel evaluates them, stores the statistics and draws the charts. Log content is untrusted input.
 */
export interface StatisticsPort {
  /** Names of a node's sites whose log may have grown since a time; extra names do no harm. @param since null for all */
  grown(node: DriverNode, since: Date | null, deadline: AbortSignal): Promise<DriverResult<readonly string[]>>;
  /**
   * Reads the next part of a site's log; following `next` reads everything exactly once, however much time passes.
   *
   * @param cursor `next` of the previous part; empty for the first
   */
  read(account: DriverAccount, cursor: string, deadline: AbortSignal): Promise<DriverResult<SiteLogPart>>;
  /** The last lines of the log, newest last. @param lines maximum number, at most 1,000 */
  last(account: DriverAccount, lines: number, deadline: AbortSignal): Promise<DriverResult<readonly string[]>>;
  /** The days with a log, newest first. */
  days(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<readonly SiteLogDay[]>>;
  /**
   * Opens the log of a day in its present state; the caller must destroy a stream it does not read to the end. `not_found` if none exists.
   */
  open(
    account: DriverAccount,
    day: string,
    deadline: AbortSignal,
  ): Promise<DriverResult<{ readonly log: SiteLogDay; readonly content: Readable }>>;
}
