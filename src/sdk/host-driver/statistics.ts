import type { Readable } from 'node:stream';

import type { HostDriverAnswer } from './answers.js';
import type { HostDriverAccount, HostDriverNode } from './server.js';

/**
 * A day's raw log of a site.
 *
 * @example
 * ```ts
 * const today: HostDriverLogDay = { day: '2027-01-31', bytes: 4_096, isPacked: false, isCut: false };
 * ```
 * @since 1.84.0
 */
export interface HostDriverLogDay {
  /** `YYYY-MM-DD` in the zone of the installation. */
  readonly day: string;
  /** Bytes it takes where it lies, and that `open` sends. */
  readonly bytes: number;
  /** Whether it is kept compressed by gzip, and is sent so. */
  readonly isPacked: boolean;
  /** Whether requests were left out because the day had more than one log may hold. */
  readonly isCut: boolean;
}

/**
 * Access logs of sites on a kind of server that writes them, in the combined format. The server logs; the panel counts what is in them,
 * keeps the numbers and draws them.
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
   * Names of a node's sites whose log may have grown since a moment, at most 100,000; some more do no harm.
   * `since` is null for: since ever.
   */
  grown: (node: HostDriverNode, since: Date | null, deadline: AbortSignal) => HostDriverAnswer<string[]>;
  /**
   * Reads on in the log of a site; everything is read once by who follows `next`. `cursor` is `next` of the part before, empty for
   * the first. `text` is whole lines, each with its end, of at most 1 MiB; `next` has at most 64 characters, and is the same as
   * before where there is nothing new.
   */
  read: (
    account: HostDriverAccount,
    cursor: string,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly text: string; readonly next: string }>;
  /** The last lines of the log, the newest last; `lines` is at most 1,000. */
  last: (account: HostDriverAccount, lines: number, deadline: AbortSignal) => HostDriverAnswer<string[]>;
  /** The days there is a log of, newest first, at most 1,000. */
  days: (account: HostDriverAccount, deadline: AbortSignal) => HostDriverAnswer<HostDriverLogDay[]>;
  /** The log of a day as it is at this moment; who does not read the stream to its end destroys it. `not_found` where there is none. */
  open: (
    account: HostDriverAccount,
    day: string,
    deadline: AbortSignal,
  ) => HostDriverAnswer<{ readonly log: HostDriverLogDay; readonly content: Readable }>;
}
