import { createReadStream, createWriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { codeOf } from '../../errors.js';
import type { Services } from '../services/services.js';
import type { SiteFolders } from '../users/site-folders.js';
import type { SiteUser } from '../users/system-users.js';

/** Bytes per read. */
const PART = 1024 * 1024;
/** How long after a rename nginx may still write to a log, in milliseconds. */
const LATE_MS = 60_000;
const PACK_AFTER_DAYS = 3;
const KEPT_DAYS = 60;
const DAY_MS = 86_400_000;
const CURSOR = /^(\d{1,20}):(\d{1,15})$/;
const OF_DAY = /^(\d{4}-\d\d-\d\d)\.log(\.gz)?$/;
const CURRENT = 'access.log';
const MAX_ERRORS = 8 * 1024 * 1024;

/** A log file of a site. */
export interface LogFile {
  readonly file: string;
  /** `YYYY-MM-DD` in the time zone of the server. */
  readonly day: string;
  readonly bytes: number;
  readonly isPacked: boolean;
  readonly inode: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  readonly isCurrent: boolean;
}

/** Complete lines and the cursor that follows them. */
export interface LogPart {
  readonly text: Buffer;
  readonly next: string;
}

/** Returns the day of a time in the time zone of the server. */
export function dayOf(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
}

/**
 * Access logs of sites as nginx writes them, one per day. A cursor identifies a file by its inode, so that a rename loses no lines and
 * counts none twice.
 */
export class SiteLogs {
  constructor(
    private readonly folders: SiteFolders,
    private readonly services: Services,
    private readonly now: () => number,
  ) {}

  /** Lists the logs of a site, oldest first. */
  async files(site: Pick<SiteUser, 'user'>): Promise<LogFile[]> {
    const folder = path.join(this.folders.home(site), 'logs');
    const found: LogFile[] = [];
    for (const name of (await fs.readdir(folder).catch((): string[] => [])).sort()) {
      const [, day, packed] = OF_DAY.exec(name) ?? [];
      if (day === undefined && name !== CURRENT) continue;
      const file = path.join(folder, name);
      const stat = await fs.lstat(file, { bigint: true }).catch(() => null);
      if (!stat?.isFile()) continue;
      const changedAt = Number(stat.mtimeMs);
      found.push({
        file,
        day: day ?? dayOf(this.now()),
        bytes: Number(stat.size),
        isPacked: packed !== undefined,
        inode: String(stat.ino),
        changedAt,
        isCurrent: name === CURRENT,
      });
    }
    return found;
  }

  /** Returns the next complete lines after a cursor; an empty cursor starts at the beginning. */
  async read(site: Pick<SiteUser, 'user'>, cursor: string): Promise<LogPart> {
    const files = (await this.files(site)).filter(({ isPacked }) => !isPacked);
    const [, inode, offset] = CURSOR.exec(cursor) ?? [];
    const at = files.findIndex((one) => one.inode === inode);
    if (at >= 0) {
      const part = await partOf(files[at]!, Number(offset));
      if (part) return part;
      // A last line may still arrive shortly after a rename.
      if (files[at]!.isCurrent || this.now() - files[at]!.changedAt < LATE_MS) return { text: Buffer.alloc(0), next: cursor };
    }
    for (const file of files.slice(at + 1)) {
      const part = await partOf(file, 0);
      if (part) return part;
    }
    return { text: Buffer.alloc(0), next: cursor };
  }

  /**
   * Rotates logs at the end of a day, compresses old ones and deletes expired ones. Idempotent; an interrupted run is continued by the next
   * one.
   */
  async care(sites: readonly Pick<SiteUser, 'user'>[], stop?: AbortSignal): Promise<void> {
    let isRenamed = false;
    for (const site of sites) isRenamed = (await this.turnOver(site)) || isRenamed;
    if (isRenamed) await this.services.reopenLogs();
    const before = (days: number): string => dayOf(this.now() - days * DAY_MS);
    for (const site of sites) {
      for (const file of await this.files(site)) {
        if (stop?.aborted) return;
        if (file.isCurrent) continue;
        if (file.day < before(KEPT_DAYS)) await fs.rm(file.file, { force: true });
        else if (!file.isPacked && file.day < before(PACK_AFTER_DAYS)) await pack(file.file, stop);
      }
    }
  }

  private async turnOver(site: Pick<SiteUser, 'user'>): Promise<boolean> {
    const folder = path.join(this.folders.home(site), 'logs');
    const errors = path.join(folder, 'error.log');
    const large = ((await fs.stat(errors).catch(() => null))?.size ?? 0) > MAX_ERRORS;
    if (large) await fs.rename(errors, `${errors}.1`);
    const current = (await this.files(site)).find(({ isCurrent }) => isCurrent);
    if (!current || current.bytes === 0 || dayOf(current.changedAt) >= dayOf(this.now())) return large;
    const target = path.join(folder, `${dayOf(current.changedAt)}.log`);
    // If a log of that day exists, rotation is postponed to the next day change so that nothing is overwritten.
    const isTaken = await fs.access(target).then(
      () => true,
      () => false,
    );
    if (isTaken) return large;
    await fs.rename(current.file, target);
    return true;
  }
}

async function pack(file: string, signal?: AbortSignal): Promise<void> {
  const draft = `${file}.gz.part`;
  await fs.rm(draft, { force: true });
  const { gid } = await fs.stat(file);
  const parts = [createReadStream(file), createGzip(), createWriteStream(draft, { flags: 'wx', mode: 0o640 })];
  await pipeline(parts, signal ? { signal } : {});
  await fs.chown(draft, 0, gid);
  await fs.rename(draft, `${file}.gz`);
  await fs.rm(file, { force: true });
}

/** Returns the next complete lines of a log; null if there are none. */
async function partOf({ file, bytes, inode }: LogFile, offset: number): Promise<LogPart | null> {
  if (bytes <= offset) return null;
  const handle = await fs.open(file, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(PART), 0, PART, offset);
    const read = buffer.subarray(0, bytesRead);
    const end = read.lastIndexOf(10) + 1;
    // nginx does not write lines of this length, so it is skipped.
    const length = end === 0 && bytesRead === PART ? PART : end;
    return length === 0 ? null : { text: Buffer.from(read.subarray(0, end)), next: `${inode}:${offset + length}` };
  } finally {
    await handle.close();
  }
}
