import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { codeOf } from '../../errors.js';
import { dropFile } from '../files.js';
import { HostRefusal } from '../refusal.js';
import type { SiteFolders } from '../users/site-folders.js';
import type { SiteUser } from '../users/system-users.js';
import { limitToFreeSpace } from './free-space.js';
import { getFrom, sendTo } from './storage.js';

/** Maximum size of a downloaded archive of unknown size, in bytes. */
const MAX_FETCHED = 64 * 1_024 ** 3;
const NAME = /^[a-z0-9][a-z0-9.-]{0,159}$/;

/** Name, size and hash of a finished archive. */
export interface MadeArchive {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/** Receives a stream of known or unknown length. */
export type Receiver = (bytes: number | null, content: Readable) => Promise<void>;

/** Archives of sites on this disk, in folders only root can enter: code that runs in a site can neither read nor delete its backups. */
export class Archives {
  /** @param subfolder subfolder of the site's archive folder */
  constructor(
    private readonly root: string,
    private readonly folders: SiteFolders,
    private readonly subfolder = '',
  ) {}

  /** Returns the archives of one database. @param database a validated name */
  ofDatabase(database: string): Archives {
    return new Archives(this.root, this.folders, `databases/${database}`);
  }

  /** Lists the archives, newest first. */
  async list(site: Pick<SiteUser, 'user'>): Promise<{ name: string; size: number; madeAt: number }[]> {
    const found: { name: string; size: number; madeAt: number }[] = [];
    for (const name of await fs.readdir(this.folder(site)).catch((): string[] => [])) {
      const stat = await fs.stat(path.join(this.folder(site), name)).catch(() => null);
      if (stat?.isFile() && NAME.test(name) && !name.endsWith('.part'))
        found.push({ name, size: stat.size, madeAt: Math.round(stat.mtimeMs) });
    }
    return found.sort((a, b) => b.madeAt - a.madeAt || (a.name < b.name ? -1 : 1));
  }

  /**
   * Creates an archive atomically.
   *
   * @param url presigned address to upload it to instead of keeping it here
   * @param write produces the content
   * @throws HostRefusal `DISK_FULL` while the reserved space is still free
   */
  async make<Made>(
    site: SiteUser,
    name: string,
    url: string | null,
    stop: AbortSignal,
    write: (receive: Receiver) => Promise<Made>,
  ): Promise<Made> {
    const file = this.path(site, name);
    const part = `${file}.part`;
    await fs.mkdir(this.folder(site), { recursive: true, mode: 0o700 });
    await dropFile(part);
    try {
      const made = await write((_bytes, content) =>
        pipeline(content, limitToFreeSpace(this.root), createWriteStream(part, { flags: 'wx', mode: 0o640 }), { signal: stop }),
      );
      stop.throwIfAborted();
      if (url !== null) await sendTo(url, part, (await fs.stat(part)).size, stop);
      else await keep(part, file);
      return made;
    } finally {
      await dropFile(part);
    }
  }

  /**
   * Verifies an archive against its size and hash and passes its file to `work`; a downloaded file is removed afterwards.
   *
   * @param url address to download it from
   * @param body file it was uploaded to; if both are null, it is on this disk
   * @throws HostRefusal `BACKUP_GONE`, `BACKUP_DAMAGED`
   */
  async use<T>(
    site: SiteUser,
    archive: MadeArchive,
    { url, body }: { readonly url: string | null; readonly body: string | null },
    stop: AbortSignal,
    work: (file: string) => Promise<T>,
  ): Promise<T> {
    const fetched = url === null ? null : path.join(this.folders.archives(site), `.fetched-${randomBytes(6).toString('hex')}`);
    const file = fetched ?? body ?? this.path(site, archive.name);
    try {
      if (fetched) await getFrom(url!, fetched, archive.size, stop);
      await requireSame(file, archive, stop);
      // The site's user reads it through an inherited descriptor; the folder grants access to nobody else.
      await fs.chown(file, 0, site.uid);
      await fs.chmod(file, 0o640);
      return await work(file);
    } finally {
      if (fetched) await dropFile(fetched);
    }
  }

  /** Like {@link use} for an archive of unknown size; `sha256` null skips the check. @throws as {@link use} */
  async useAny<T>(
    site: SiteUser,
    name: string | null,
    url: string | null,
    sha256: string | null,
    stop: AbortSignal,
    work: (file: string) => Promise<T>,
  ): Promise<T> {
    const fetched = url === null ? null : path.join(this.folders.archives(site), `.fetched-${randomBytes(6).toString('hex')}`);
    try {
      if (fetched) await getFrom(url!, fetched, MAX_FETCHED, stop);
      const file = fetched ?? this.path(site, name ?? '');
      const size = (await fs.stat(file).catch(missing)).size;
      if (sha256 !== null) await requireSame(file, { size, sha256 }, stop);
      return await work(file);
    } finally {
      if (fetched) await dropFile(fetched);
    }
  }

  /** @throws HostRefusal `BACKUP_GONE` */
  async open(site: SiteUser, name: string, from: number): Promise<{ size: number; content: Readable }> {
    const file = this.path(site, name);
    const size = (await fs.stat(file).catch(missing)).size;
    if (from > size) throw new HostRefusal('BACKUP_GONE', 'The requested range is beyond the end of the archive.');
    return { size, content: createReadStream(file, { start: from }) };
  }

  /** Uploads a part of an archive to a presigned address. @throws HostRefusal `BACKUP_GONE` if the archive is shorter */
  async send(
    site: SiteUser,
    name: string,
    part: { readonly from: number; readonly size: number; readonly url: string },
    stop: AbortSignal,
  ): Promise<void> {
    const file = this.path(site, name);
    const whole = (await fs.stat(file).catch(missing)).size;
    if (part.from + part.size > whole) throw new HostRefusal('BACKUP_GONE', 'The requested range is beyond the end of the archive.');
    await sendTo(part.url, file, part.size, stop, part.from);
  }

  /** Removes an archive, finished or not. @returns whether it existed */
  async remove(site: Pick<SiteUser, 'user'>, name: string): Promise<boolean> {
    const file = this.path(site, name);
    await dropFile(`${file}.part`);
    return dropFile(file);
  }

  /** Writes, reads and removes a test file. @returns free bytes */
  async check(): Promise<number> {
    const file = path.join(this.root, `.check-${randomBytes(6).toString('hex')}`);
    try {
      await fs.writeFile(file, file, { flag: 'wx', mode: 0o600 });
      if ((await fs.readFile(file, 'utf8')) !== file)
        throw new HostRefusal('BACKUP_DAMAGED', 'The disk returned other data than was written.');
    } finally {
      await dropFile(file);
    }
    const { bavail, bsize } = await fs.statfs(this.root);
    return bavail * bsize;
  }

  /** Removes incomplete files left by a crash. */
  async sweep(): Promise<void> {
    for (const user of await fs.readdir(this.root)) {
      const folder = path.join(this.root, user);
      if (user.startsWith('.check-')) await dropFile(folder);
      for (const name of await fs.readdir(folder, { recursive: true }).catch((): string[] => []))
        if (/(?:^|\/)\.(?:fetched|body)-|\.part$/.test(name)) await dropFile(path.join(folder, name));
    }
  }

  private path(site: Pick<SiteUser, 'user'>, name: string): string {
    if (!NAME.test(name) || name.includes('..')) throw new HostRefusal('ARGUMENTS', 'This is not the name of an archive.');
    return path.join(this.folder(site), name);
  }

  private folder(site: Pick<SiteUser, 'user'>): string {
    return path.join(this.folders.archives(site), this.subfolder);
  }
}

async function keep(part: string, file: string): Promise<void> {
  const handle = await fs.open(part, 'r');
  await handle.sync().finally(() => handle.close());
  await fs.rename(part, file);
}

async function requireSame(file: string, { size, sha256 }: Pick<MadeArchive, 'size' | 'sha256'>, signal: AbortSignal): Promise<void> {
  const found = await fs.stat(file).catch(missing);
  const hash = createHash('sha256');
  if (found.size === size) for await (const chunk of createReadStream(file, { signal }) as AsyncIterable<Buffer>) hash.update(chunk);
  if (found.size !== size || hash.digest('hex') !== sha256)
    throw new HostRefusal('BACKUP_DAMAGED', 'The size or checksum of the archive is wrong.');
}

function missing(error: unknown): never {
  throw codeOf(error) === 'ENOENT' ? new HostRefusal('BACKUP_GONE', 'The archive does not exist.') : error;
}
