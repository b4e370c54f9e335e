import { Injectable } from '@nestjs/common';

import { errorMessage, legacyTime, loggerFor } from '../../../common/index.js';
import { ZonedClock } from '../../../config/index.js';
import { SiteSettings } from '../../../site/index.js';

import { logLine, type LoggedVisit, logTime, anonymized } from './log-line.js';
import { SiteLogFiles } from './site-log-files.js';

/** Write interval in milliseconds; also the maximum a killed process loses. */
const WRITE_EVERY_MS = 1_000;
/** Maximum buffered characters; lines beyond are dropped. */
const MAX_BUFFERED = 16 * 1024 * 1024;
/** Buffered characters that trigger a write before the interval has passed. */
const WRITE_THRESHOLD = 1024 * 1024;
/** Logs written in parallel. */
const PARALLEL_WRITES = 16;

/**
 * Writes the access logs of the built-in server's sites, in batches once a second; several processes may write in parallel. Serving never
 * waits for logging and continues if the disk is full: lines that cannot be written are dropped, which is logged once until it works again.
 */
@Injectable()
export class SiteLogWriter {
  private buffered = new Map<string, string[]>();
  private bufferedLength = 0;
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  /** Whether dropped lines have been logged. */
  private isFailing = false;
  private readonly log = loggerFor('sites');
  /** Logs whose last write ended in the middle of a line. */
  private readonly torn = new Set<string>();
  private second = -1;
  private time = '';

  constructor(
    private readonly files: SiteLogFiles,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
  ) {}

  /** Starts the periodic writes. */
  start(): void {
    this.timer ??= setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  /** Stops the periodic writes and writes the remaining lines. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    await this.write();
  }

  /** Logs a completed request. */
  note(siteName: string, visit: Omit<LoggedVisit, 'time'>): void {
    const address = this.site.current.logsNetworksOnly ? anonymized(visit.address) : visit.address;
    const line = logLine({ ...visit, address, time: this.now() });
    if (this.bufferedLength + line.length > MAX_BUFFERED) return this.reportFailure('more requests than can be written');
    const lines = this.buffered.get(siteName);
    if (lines) lines.push(line);
    else this.buffered.set(siteName, [line]);
    this.bufferedLength += line.length;
    if (this.bufferedLength >= WRITE_THRESHOLD && this.bufferedLength - line.length < WRITE_THRESHOLD) void this.write();
  }

  /** Writes the buffered lines. */
  write(): Promise<void> {
    this.writing = this.writing.then(() => this.writeNow());
    return this.writing;
  }

  private async writeNow(): Promise<void> {
    const batches = this.buffered;
    this.buffered = new Map();
    this.bufferedLength = 0;
    const day = legacyTime(this.clock.now(), this.clock.timezone).slice(0, 10);
    const all = [...batches];
    for (let start = 0; start < all.length; start += PARALLEL_WRITES)
      await Promise.all(all.slice(start, start + PARALLEL_WRITES).map(([siteName, lines]) => this.append(siteName, day, lines)));
  }

  private async append(siteName: string, day: string, lines: readonly string[]): Promise<void> {
    const key = `${day}/${siteName}`;
    // Terminates a partial line; readers skip invalid lines.
    const text = (this.torn.has(key) ? '\n' : '') + lines.join('');
    try {
      const outcome = await this.files.append(siteName, day, Buffer.from(text, 'latin1'));
      if (outcome === 'first')
        this.log.warn(
          { site: siteName, day, bytes: this.files.largest },
          'the log of a site has reached its maximum; the rest of the day is dropped',
        );
      if (outcome !== 'written') return;
      this.torn.delete(key);
      if (this.isFailing) this.log.info('access logs of sites can be written again');
      this.isFailing = false;
    } catch (error) {
      if (this.torn.size < 10_000) this.torn.add(key);
      this.reportFailure(errorMessage(error));
    }
  }

  private reportFailure(reason: string): void {
    if (!this.isFailing) this.log.error({ reason }, 'access logs of sites cannot be written; requests are served but not logged');
    this.isFailing = true;
  }

  private now(): string {
    const moment = this.clock.now();
    const second = Math.floor(moment.getTime() / 1_000);
    if (second !== this.second) {
      this.second = second;
      this.time = logTime(moment, legacyTime(moment, this.clock.timezone));
    }
    return this.time;
  }
}
