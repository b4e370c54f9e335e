import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, makeFolders } from '../../../common/index.js';
import { AppConfig } from '../../../config/index.js';
import { PortRefusal, type ServerProblemCode, type SpaceMeter } from '../../driver/index.js';
import { ArchiveFolder, isDiskFull, SiteArea, KeyedMutex } from '../../embedded/index.js';

import { PanelProblem } from '../client/index.js';

import type { PanelDisk } from './panel-disk.js';
import type { PanelEntry } from './panel-entry.js';
import type { RemoteSite } from './remote-site.js';

/** After this time, in milliseconds, a folder left by a crashed process is deleted. */
const ABANDONED_MS = DAY_MS;
/** Bytes received between two checks of the free disk space. */
const RECHECK_BYTES = 1024 * 1024;
/** Bytes per uploaded chunk. */
const CHUNK = 4 * 1024 * 1024;

/** Thrown when the disk of this machine has no room for a copy. */
class DiskRefusal extends PortRefusal<Extract<ServerProblemCode, 'PANEL_DISK'>> {}

/** The site, and the signal that aborts the work. */
type RemoteWork = Pick<RemoteSite, 'place' | 'signal'>;

/** A temporary local copy of a site's files. Archives are made and read here, never by the server, whose panel works as root. */
export class LocalCopy {
  readonly area: SiteArea;
  readonly archives: ArchiveFolder;

  constructor(
    private readonly disk: PanelDisk,
    readonly folder: string,
    now: () => number,
  ) {
    this.area = new SiteArea(folder, new KeyedMutex(), now);
    this.archives = new ArchiveFolder(join(folder, 'archives'), () => new DiskRefusal('PANEL_DISK'));
  }

  /** Downloads a file or creates a folder, as {@link RemoteSite.walk} yields them. @param parts target path below `public` */
  async get(
    site: RemoteSite,
    found: { readonly parts: readonly string[]; readonly entry: PanelEntry },
    below: readonly string[],
  ): Promise<void> {
    const { parts, entry } = found;
    const to = join(this.area.files, ...below, entry.name);
    if (entry.type === 'folder') await mkdir(to, { recursive: true });
    else await this.getFile(site, site.at([...parts, entry.name]), to, entry.size);
  }

  /**
   * Downloads the file at a checked path.
   *
   * @param size as reported by the server; the download may be larger
   * @throws DiskRefusal PANEL_DISK if the disk of this machine, which may also hold the panel's database, could become full
   */
  async getFile({ place, signal }: RemoteWork, path: string, to: string, size: number): Promise<void> {
    await this.archives.requireRoom(size);
    const { content } = await this.disk.open(place.node, path, 0, signal);
    const { archives } = this;
    await pipeline(
      content,
      async function* (chunks: AsyncIterable<Buffer>) {
        let unchecked = 0;
        for await (const chunk of chunks) {
          unchecked += chunk.length;
          if (unchecked > RECHECK_BYTES) {
            await archives.requireRoom(chunk.length);
            unchecked = 0;
          }
          yield chunk;
        }
      },
      createWriteStream(to, { flags: 'wx', mode: 0o600 }),
      { signal },
    ).catch((error: unknown) => {
      throw isCutOff(error) ? new PanelProblem({ outcome: 'unknown', message: error.message }, { cause: error }) : error;
    });
  }

  /**
   * Limits what may be written here to the free space of this machine's disk and the quota of the account.
   *
   * @param account asked whether it could use that much; null if that is certain
   */
  spaceFor(account: SpaceMeter | null): SpaceMeter {
    let used = 0;
    const fits = async (bytes: number): Promise<boolean> => (await account?.fits(used + bytes)) ?? true;
    return {
      fits,
      take: async (bytes) => {
        if (!(await fits(bytes))) return false;
        await this.archives.requireRoom(bytes);
        used += bytes;
        return true;
      },
      giveBack: (bytes) => {
        used -= bytes;
        return Promise.resolve();
      },
    };
  }

  /** Uploads the content of a local folder to a folder next to the site's files. @param onFile called after each file */
  async put({ place, signal }: RemoteWork, from: string, to: string, onFile: () => void = () => undefined): Promise<void> {
    await this.disk.makeFolder(place.node, to, signal);
    for (const entry of await readdir(from, { withFileTypes: true })) {
      signal.throwIfAborted();
      const path = join(from, entry.name);
      if (entry.isDirectory()) await this.put({ place, signal }, path, `${to}/${entry.name}`, onFile);
      else {
        await this.putFile({ place, signal }, path, to, entry.name);
        onFile();
      }
    }
  }

  /** Uploads a file. */
  async putFile({ place, signal }: RemoteWork, from: string, folder: string, name: string): Promise<void> {
    const { size } = await stat(from);
    const handle = await open(from);
    try {
      for (let start = 0; start === 0 || start < size;) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(CHUNK, size - start)), 0, undefined, start);
        start = Math.max(1, await this.disk.piece(place.node, { folder, name, size, start }, buffer.subarray(0, bytesRead), signal));
      }
    } finally {
      await handle.close();
    }
  }
}

/** Whether the transfer from a server was cut off. */
const isCutOff = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code));

/** Creates temporary folders for copies and removes them. */
@Injectable()
export class LocalCopies {
  private readonly root: string;

  constructor(
    config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.root = join(config.dataDir, 'baota-work');
  }

  /** @throws DiskRefusal PANEL_DISK when the disk of this machine becomes full during the work; what `work` throws */
  async with<T>(disk: PanelDisk, work: (copy: LocalCopy) => Promise<T>): Promise<T> {
    try {
      return await this.inFolder(disk, work);
    } catch (error) {
      throw isDiskFull(error) ? new DiskRefusal('PANEL_DISK', {}, { cause: error }) : error;
    }
  }

  private async inFolder<T>(disk: PanelDisk, work: (copy: LocalCopy) => Promise<T>): Promise<T> {
    makeFolders(this.root, 0o700);
    await this.clear();
    const folder = await mkdtemp(join(this.root, 'copy-'));
    try {
      await mkdir(join(folder, 'public'));
      return await work(new LocalCopy(disk, folder, () => this.clock.now().getTime()));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async clear(): Promise<void> {
    for (const name of await readdir(this.root)) {
      const found = await stat(join(this.root, name)).catch(() => null);
      if (found && found.mtimeMs < Date.now() - ABANDONED_MS) await rm(join(this.root, name), { recursive: true, force: true });
    }
  }
}
