import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { legacyTime } from '../../../common/index.js';
import { ZonedClock } from '../../../config/index.js';
import type { DriverAccount, DriverNode, DriverResult, SiteLogDay, SiteLogPart, StatisticsPort } from '../../driver/index.js';

import { type LogFile, SiteLogFiles } from './site-log-files.js';

/** Bytes read at a time; far longer than any line. */
const PART = 256 * 1024;
/** Bytes read from the end of a log to find the last lines. */
const TAIL = 256 * 1024;
/** How long after midnight lines may still be written to the previous day's log, in milliseconds. */
const LATE_MS = 60_000;
const CURSOR = /^(\d{4}-\d\d-\d\d):(\d{1,15})$/;

/** Logs of the built-in server's sites. A cursor consists of a day and a byte offset. */
@Injectable()
export class EmbeddedStatistics implements StatisticsPort {
  constructor(
    private readonly files: SiteLogFiles,
    private readonly clock: ZonedClock,
  ) {}

  async grown(_node: DriverNode, since: Date | null, deadline: AbortSignal): Promise<DriverResult<readonly string[]>> {
    const from = since?.getTime() ?? 0;
    const first = since === null ? '' : this.dayAt(from);
    const names = new Set<string>();
    for (const day of await this.files.days()) {
      if (day < first) continue;
      for (const name of await this.files.namesOf(day)) {
        deadline.throwIfAborted();
        const siteName = /^(.+)\.log$/.exec(name)?.[1];
        if (siteName === undefined || names.has(siteName)) continue;
        const changed = await stat(join(this.files.folderOf(day), name)).catch(() => null);
        if (changed && changed.mtimeMs >= from) names.add(siteName);
      }
    }
    return { outcome: 'ok', value: [...names] };
  }

  async read({ siteName }: DriverAccount, cursor: string): Promise<DriverResult<SiteLogPart>> {
    const days = await this.files.days();
    const [, at, offset] = CURSOR.exec(cursor) ?? [];
    if (at !== undefined) {
      const file = await this.files.find(siteName, at);
      // A compressed log was read already: logs are compressed days later.
      const part = file && !file.isPacked ? await this.nextPart(file, at, Number(offset)) : null;
      if (part || !this.isOver(at)) return { outcome: 'ok', value: part ?? { text: '', next: cursor } };
    }
    for (const day of days) {
      if (at !== undefined && day <= at) continue;
      const file = await this.files.find(siteName, day);
      const part = file && !file.isPacked ? await this.nextPart(file, day, 0) : null;
      if (part) return { outcome: 'ok', value: part };
    }
    return { outcome: 'ok', value: { text: '', next: cursor } };
  }

  async last({ siteName }: DriverAccount, lines: number): Promise<DriverResult<readonly string[]>> {
    for (const day of (await this.files.days()).reverse()) {
      const file = await this.files.find(siteName, day);
      if (!file || file.isPacked || file.bytes === 0) continue;
      const begin = Math.max(0, file.bytes - TAIL);
      const text = await bytesOf(file.path, begin, TAIL);
      const found = text.slice(begin === 0 ? 0 : text.indexOf('\n') + 1, text.lastIndexOf('\n') + 1).split('\n');
      return { outcome: 'ok', value: found.filter((line) => line !== '').slice(-lines) };
    }
    return { outcome: 'ok', value: [] };
  }

  async days({ siteName }: DriverAccount): Promise<DriverResult<readonly SiteLogDay[]>> {
    const logs: SiteLogDay[] = [];
    for (const day of (await this.files.days()).reverse()) {
      const file = await this.files.find(siteName, day);
      if (file) logs.push(await this.describe(siteName, day, file));
    }
    return { outcome: 'ok', value: logs };
  }

  async open({ siteName }: DriverAccount, day: string): Promise<DriverResult<{ log: SiteLogDay; content: Readable }>> {
    const file = (await this.files.days()).includes(day) ? await this.files.find(siteName, day) : null;
    if (!file) return { outcome: 'not_found' };
    const log = await this.describe(siteName, day, file);
    // Lines appended in the meantime are left out, because the length was already announced.
    const content = createReadStream(file.path, { start: 0, end: Math.max(0, file.bytes - 1) });
    return { outcome: 'ok', value: { log, content } };
  }

  private async describe(siteName: string, day: string, { bytes, isPacked }: LogFile): Promise<SiteLogDay> {
    return { day, bytes, isPacked, isCut: await this.files.isCut(siteName, day) };
  }

  /** Returns the next complete lines of a log; null if there are none. */
  private async nextPart({ path, bytes }: LogFile, day: string, offset: number): Promise<SiteLogPart | null> {
    if (bytes <= offset) return null;
    const text = await bytesOf(path, offset, PART);
    const end = text.lastIndexOf('\n') + 1;
    // The panel never writes a line this long: skip it.
    const length = end === 0 && text.length === PART ? PART : end;
    return length === 0 ? null : { text: text.slice(0, end), next: `${day}:${offset + length}` };
  }

  private isOver(day: string): boolean {
    return this.dayAt(this.clock.now().getTime() - LATE_MS) > day;
  }

  private dayAt(time: number): string {
    return legacyTime(new Date(time), this.clock.timezone).slice(0, 10);
  }
}

async function bytesOf(path: string, offset: number, length: number): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
