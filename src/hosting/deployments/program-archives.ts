import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Injectable } from '@nestjs/common';
import type yauzl from 'yauzl';

import { DAY_MS, loggerFor, OutboundHttp, whenUsed } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

import { describeFailure, DeployError } from './deploy-errors.js';

const log = loggerFor('hosting');
const zip = whenUsed<typeof yauzl>('yauzl');
/** Maximum size of an archive, in bytes. */
export const MAX_ARCHIVE_BYTES = 512 * 1_048_576;
const MAX_ENTRIES = 100_000;
const FOLDER = 'programs';
const PART = '.part';
/** Maximum size of a downloaded archive, in bytes: the limit of outbound requests. */
const MAX_DOWNLOAD_BYTES = 100 * 1_048_576;
/** Timeout of the download, in milliseconds. */
const FETCH_MS = 120_000;
/** Age in milliseconds after which abandoned uploads and replaced archives are deleted. */
const RETENTION_MS = DAY_MS;

/** An archive of a program. */
export interface KeptArchive {
  /** Relative to the data folder. */
  readonly archivePath: string;
  readonly archiveSize: number;
  readonly hasPhp: boolean;
}

/** Stores the archives of programs below `DATA_DIR/programs`: ZIP files under unique names that are never reused. */
@Injectable()
export class ProgramArchives {
  private readonly folder: string;

  constructor(
    private readonly config: AppConfig,
    private readonly outbound: OutboundHttp,
  ) {
    this.folder = join(config.dataDir, FOLDER);
  }

  /** Stores an archive uploaded in one piece. @throws DeployError ARCHIVE_KIND, ARCHIVE_BROKEN */
  async keep(bytes: Buffer): Promise<KeptArchive> {
    return this.take(async (path) => {
      const handle = await open(path, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
    });
  }

  /** Downloads an archive from a URL. @throws DeployError ARCHIVE_FETCH, ARCHIVE_KIND, ARCHIVE_BROKEN */
  async fetch(url: string): Promise<KeptArchive> {
    return this.take(async (path) => {
      const answer = await this.outbound.download({ url, timeoutMs: FETCH_MS, maxBytes: MAX_DOWNLOAD_BYTES }, path);
      const words = describeFailure(answer, { seconds: FETCH_MS / 1_000, mb: MAX_DOWNLOAD_BYTES / 1_048_576 });
      if (!answer.ok) throw new DeployError('ARCHIVE_FETCH', { answer: words }, { url: 'deploy.archive_fetch_field' });
    });
  }

  /** Returns the bytes received of a chunked upload. @param upload its name, `[a-z0-9]{1,64}` */
  async received(upload: string): Promise<number> {
    return (await stat(this.partOf(upload)).catch(() => null))?.size ?? 0;
  }

  /**
   * Appends a chunk to an upload, which must begin where the previous one ended.
   *
   * @returns the archive after the last chunk; otherwise the bytes received
   * @throws DeployError PIECE, ARCHIVE_KIND, ARCHIVE_BROKEN
   */
  async piece(upload: string, from: number, total: number, bytes: Buffer): Promise<KeptArchive | number> {
    const there = await this.received(upload);
    if (total > MAX_ARCHIVE_BYTES) throw new DeployError('TOO_LONG', { n: MAX_ARCHIVE_BYTES / 1_048_576 });
    // The first chunk restarts the upload, whatever was received before.
    if ((from !== 0 && from !== there) || from + bytes.length > total || bytes.length === 0) throw new DeployError('PIECE', { n: there });
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const handle = await open(this.partOf(upload), from === 0 ? 'w' : 'r+', 0o600);
    try {
      await handle.write(bytes, 0, bytes.length, from);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (from + bytes.length < total) return from + bytes.length;
    return this.take((path) => rename(this.partOf(upload), path));
  }

  /** Stores an archive from a stream. @throws DeployError ARCHIVE_KIND, ARCHIVE_BROKEN */
  async keepFrom(content: Readable): Promise<KeptArchive> {
    return this.take((path) => pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })));
  }

  /** Absolute path of an archive; null if it does not exist. */
  async pathTo({ archivePath }: Pick<KeptArchive, 'archivePath'>): Promise<string | null> {
    const opened = await this.open({ archivePath }).catch(() => null);
    await opened?.handle.close();
    return opened && this.pathOf(archivePath);
  }

  /** Opens an archive; the caller closes it. @throws DeployError ARCHIVE_MISSING */
  async open({ archivePath }: Pick<KeptArchive, 'archivePath'>): Promise<{ handle: FileHandle; size: number }> {
    const handle = archivePath === '' ? null : await open(this.pathOf(archivePath), 'r').catch(() => null);
    const found = await handle?.stat();
    if (handle && found?.isFile()) return { handle, size: found.size };
    await handle?.close();
    throw new DeployError('ARCHIVE_MISSING');
  }

  /** Deletes an archive that no program uses any more. */
  async remove({ archivePath }: Pick<KeptArchive, 'archivePath'>): Promise<void> {
    if (!archivePath.startsWith(`${FOLDER}/`)) return;
    await rm(this.pathOf(archivePath), { force: true }).catch((error: unknown) =>
      log.warn({ err: error }, 'the archive of a program could not be removed'),
    );
  }

  /** Deletes unused archives and abandoned uploads. @returns how many files */
  async sweep(isWanted: (archivePath: string) => Promise<boolean>, now: number): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => null);
      if (!found || now - found.mtimeMs < RETENTION_MS || (await isWanted(`${FOLDER}/${name}`))) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  private async take(write: (path: string) => Promise<void>): Promise<KeptArchive> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const name = `${randomUUID()}.zip`;
    const part = join(this.folder, `${name}${PART}`);
    try {
      await write(part);
      const about = await inspect(part);
      await rename(part, join(this.folder, name));
      return { archivePath: `${FOLDER}/${name}`, ...about };
    } finally {
      await rm(part, { force: true });
    }
  }

  private partOf(upload: string): string {
    return join(this.folder, `upload-${upload}${PART}`);
  }

  /** @throws DeployError ARCHIVE_MISSING for a path outside the data folder */
  private pathOf(archivePath: string): string {
    const root = resolve(this.config.dataDir);
    const path = resolve(root, archivePath);
    if (!path.startsWith(root + sep)) throw new DeployError('ARCHIVE_MISSING');
    return path;
  }
}

/** Checks the file names of an archive. Its content is checked by the server that extracts it. */
async function inspect(path: string): Promise<Omit<KeptArchive, 'archivePath'>> {
  const handle = await open(path, 'r');
  try {
    const { size: archiveSize } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    if (buffer.toString('latin1') !== 'PK') throw new DeployError('ARCHIVE_KIND', {}, { filecx: 'deploy.archive_kind' });
    const archive = await zip().fromFdPromise(handle.fd, { lazyEntries: true, autoClose: false, decodeStrings: false });
    let [hasPhp, count] = [false, 0];
    for await (const { fileName } of archive.eachEntry()) {
      count += 1;
      hasPhp ||= /\.php$/i.test(fileName.toString('latin1'));
      if (count > MAX_ENTRIES) break;
    }
    if (count === 0 || count > MAX_ENTRIES) throw new DeployError('ARCHIVE_BROKEN', {}, { filecx: 'deploy.archive_broken' });
    return { archiveSize, hasPhp };
  } catch (error) {
    if (error instanceof DeployError || (error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw new DeployError('ARCHIVE_BROKEN', {}, { filecx: 'deploy.archive_broken' });
  } finally {
    await handle.close();
  }
}
