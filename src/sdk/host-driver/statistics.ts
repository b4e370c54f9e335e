import type { Readable } from 'node:stream';

import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount, HostDriverNode } from './server.js';

/**
 * The raw access log of a site for one day.
 *
 * @example
 * ```ts
 * const today: HostDriverLogDay = { day: '2027-01-31', bytes: 4_096, isPacked: false, isCut: false };
 * ```
 * @since 1.84.0
 */
export interface HostDriverLogDay {
  /** `YYYY-MM-DD` in the time zone of the installation. */
  readonly day: string;
  /** Size in bytes as stored, which is also what `open` sends. */
  readonly bytes: number;
  /** Whether it is stored gzip-compressed, and sent that way. */
  readonly isPacked: boolean;
  /** Whether requests are missing because the day exceeded the maximum size of a log. */
  readonly isCut: boolean;
}

/**
 * Access logs of sites on a kind of server that writes them, in the combined format. The server writes the logs; the panel analyses them,
 * stores the figures and charts them.
 *
 * @example
 * ```ts
 * const log = new Map<string, string>();
 * const statistics: HostDriverStatistics = {
 *   grown: () => ({ outcome: 'ok', value: [...log.keys()] }),
 *   read({ siteName }, cursor) {
 *     const all = log.get(siteName) ?? '';
 *     const text = all.slice(Number(cursor), Number(cursor) + 65_536);
 *     const whole = text.slice(0, text.lastIndexOf('\n') + 1);
 *     return { outcome: 'ok', value: { text: whole, next: whole === '' ? cursor : String(Number(cursor) + whole.length) } };
 *   },
 *   last: ({ siteName }, lines) => ({ outcome: 'ok', value: (log.get(siteName) ?? '').split('\n').filter(Boolean).slice(-lines) }),
 *   days: () => ({ outcome: 'ok', value: [] }),
 *   open: () => ({ outcome: 'not_found' }),
 * };
 * ```
 * @since 1.84.0
 */
export interface HostDriverStatistics {
  /**
   * Returns the names of a node's sites whose log may have grown since a moment, at most 100,000; additional names do no harm. `since` is
   * null for the complete log.
   */
  grown: (node: HostDriverNode, since: Date | null, deadline: AbortSignal) => HostDriverAnswer<string[]>;
  /**
   * Reads the next part of a site's log; following `next` reads everything exactly once. `cursor` is `next` of the previous part, empty for
   * the first. `text` consists of complete lines, each with its line end, at most 1 MiB; `next` has at most 64 characters, and is unchanged
   * if there is nothing new.
   */
  read: (
    account: HostDriverAccount,
    cursor: string,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly text: string; readonly next: string }>;
  /** Returns the last lines of the log, newest last; `lines` is at most 1,000. */
  last: (account: HostDriverAccount, lines: number, deadline: AbortSignal) => HostDriverAnswer<string[]>;
  /** Returns the days that have a log, newest first, at most 1,000. */
  days: (account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer<HostDriverLogDay[]>;
  /** Opens the current log of a day; destroy the stream if you do not read it to its end. `not_found` if no log exists. */
  open: (
    account: HostDriverAccount,
    day: string,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly log: HostDriverLogDay; readonly content: Readable }>;
}
