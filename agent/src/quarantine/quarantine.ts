import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';

import { codeOf } from '../errors.js';
import { asRecord } from '../record.js';
import { TaskRefused } from '../scan/ends.js';
import { replaceFile, syncFolder } from '../files/replace-file.js';
import { lstatOrNull, OpenFolder } from './open-folder.js';

const ID = /^[0-9a-f]{32}$/;
/** Larger files are not quarantined; scans do not search them either. */
const MAX_FILE = 64 * 1024 * 1024;
const PART_BYTES = 512 * 1024;

/** Metadata stored with a quarantined file to restore it unchanged. */
export interface Manifest {
  readonly id: string;
  /** Original path. */
  readonly path: string;
  readonly uid: number;
  readonly gid: number;
  /** Permissions. */
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  readonly size: number;
  readonly sha256: string;
  /** Identify the copied file, so that exactly this one is removed. */
  readonly device: number;
  readonly inode: number;
  /** `moving`: the file may still be in the site; `held`: it is only here; `restored`: it is only in the site. */
  readonly state: 'moving' | 'held' | 'restored';
}

/**
 * Quarantined files, each in its own folder `state_dir/quarantine/<id>/{file, manifest.json}`, accessible to the agent's user only. Files
 * are copied instead of moved, so that a process with the file still open cannot write to the copy and other hard links stay unchanged.
 * Every task can be repeated after a crash: it completes or is undone.
 */
export class Quarantine {
  private readonly folder: string;

  constructor(
    stateDir: string,
    private readonly sitesRoot: string,
  ) {
    this.folder = path.join(stateDir, 'quarantine');
  }

  /** Quarantines a file. @throws TaskRefused with the file left in place */
  async take(payload: Record<string, unknown>): Promise<Record<string, unknown>> {
    const id = readId(payload.id);
    const known = await this.manifest(id);
    if (known && known.state !== 'moving') return shown(known);
    const folder = await OpenFolder.of(known?.path ?? payload.path, this.sitesRoot);
    try {
      if (known) return shown(await this.removeOriginal(known, folder));
      const fresh = await this.copy(id, String(payload.path), folder);
      await this.setAside(fresh, folder);
      return shown(await this.removeOriginal(fresh, folder));
    } finally {
      await folder.close();
    }
  }

  /** Restores a file with its metadata. An existing file is never overwritten. @throws TaskRefused */
  async restore(payload: Record<string, unknown>): Promise<Record<string, unknown>> {
    const id = readId(payload.id);
    const manifest = await this.manifest(id);
    // No manifest but the same content in place: an earlier attempt restored it.
    const target = manifest ?? { path: payload.path, sha256: payload.sha256 };
    const folder = await OpenFolder.of(target.path, this.sitesRoot);
    try {
      if (!manifest) {
        if (await isContent(folder.at(folder.name), String(target.sha256 ?? ''))) return {};
        throw new TaskRefused('file_not_held');
      }
      if (manifest.state === 'moving') throw new TaskRefused('file_moving');
      if (manifest.state === 'held') await this.restoreOriginal(manifest, folder);
    } finally {
      await folder.close();
    }
    await this.remove(id);
    return {};
  }

  /** Deletes a quarantined file permanently. @throws TaskRefused */
  async delete(payload: Record<string, unknown>): Promise<Record<string, unknown>> {
    const id = readId(payload.id);
    if ((await this.manifest(id))?.state === 'moving') throw new TaskRefused('file_moving');
    await this.remove(id);
    return {};
  }

  /** Removes unfinished copies: without a manifest the original was not removed. Called at the start. */
  async sweep(): Promise<void> {
    const ids = await fs.readdir(this.folder).catch(() => []);
    for (const id of ids) if (ID.test(id) && !(await lstatOrNull(this.pathOf(id, 'manifest.json')))) await this.remove(id);
  }

  private pathOf(id: string, name = ''): string {
    return path.join(this.folder, id, name);
  }

  /** @returns null if missing, which means the original has not been removed */
  private async manifest(id: string): Promise<Manifest | null> {
    try {
      return asRecord(JSON.parse(await fs.readFile(this.pathOf(id, 'manifest.json'), 'utf8'))) as Manifest | null;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  }

  private async write(manifest: Manifest): Promise<Manifest> {
    await replaceFile(this.pathOf(manifest.id, 'manifest.json'), (handle) => handle.writeFile(JSON.stringify(manifest)));
    return manifest;
  }

  private async copy(id: string, from: string, folder: OpenFolder): Promise<Manifest> {
    await this.remove(id);
    const source = await openSource(folder);
    try {
      const stat = await source.stat();
      if (!stat.isFile()) throw new TaskRefused('file_special');
      if (stat.size > MAX_FILE) throw new TaskRefused('file_large');
      await fs.mkdir(this.pathOf(id), { recursive: true, mode: 0o700 });
      const copy = await fs.open(this.pathOf(id, 'file'), 'wx', 0o600);
      let sha256: string;
      try {
        sha256 = await copyBytes(source, copy);
        await copy.sync();
      } finally {
        await copy.close();
      }
      await syncFolder(this.folder);
      const { uid, gid, size, dev, ino, mtimeMs, mode } = stat;
      const manifest = { id, path: from, uid, gid, mode: mode & 0o7777, mtime: mtimeMs, size, sha256, device: dev, inode: ino };
      return await this.write({ ...manifest, state: 'moving' });
    } catch (error) {
      await this.remove(id);
      throw error;
    } finally {
      await source.close();
    }
  }

  /**
   * Renames the file, so that a new file the site creates under the old name is not lost.
   *
   * @throws TaskRefused if it is not the file that was copied
   */
  private async setAside({ id, device, inode }: Manifest, folder: OpenFolder): Promise<void> {
    const stat = await lstatOrNull(folder.at(folder.name));
    if (stat?.dev === device && stat.ino === inode) return fs.rename(folder.at(folder.name), folder.at(asideName(id)));
    await this.remove(id);
    throw new TaskRefused('file_changed');
  }

  /** Removes the renamed file if it is exactly the one that was copied. */
  private async removeOriginal(manifest: Manifest, folder: OpenFolder): Promise<Manifest> {
    const { id, sha256, device, inode } = manifest;
    const [there, aside] = [folder.at(folder.name), folder.at(asideName(id))];
    const isCopied = (stat: { dev: number; ino: number } | null): boolean => stat?.dev === device && stat.ino === inode;
    // A crash happened before the rename.
    if (!(await lstatOrNull(aside)) && isCopied(await lstatOrNull(there))) await fs.rename(there, aside);
    const moved = await lstatOrNull(aside);
    if (moved) {
      if (!isCopied(moved) || !(await isContent(aside, sha256))) {
        await this.undo(there, aside, id);
        throw new TaskRefused('file_changed');
      }
      await fs.unlink(aside);
      await folder.sync();
    }
    return this.write({ ...manifest, state: 'held' });
  }

  private async undo(there: string, aside: string, id: string): Promise<void> {
    const isBack = await fs.link(aside, there).then(
      () => true,
      async (error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
        // Same file: a crash happened after the name was restored. Otherwise the site has created another file, and both are kept.
        const [own, other] = [await lstatOrNull(aside), await lstatOrNull(there)];
        return own !== null && own.ino === other?.ino && own.dev === other.dev;
      },
    );
    if (isBack) await fs.unlink(aside);
    await this.remove(id);
  }

  private async restoreOriginal(manifest: Manifest, folder: OpenFolder): Promise<void> {
    const { id, sha256, uid, gid, mode, mtime } = manifest;
    const [there, aside] = [folder.at(folder.name), folder.at(asideName(id))];
    await fs.rm(aside, { force: true });
    const source = await fs.open(this.pathOf(id, 'file'), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const copy = await fs.open(aside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
      try {
        if ((await copyBytes(source, copy)) !== sha256) throw new TaskRefused('file_damaged');
        await copy.chown(uid, gid);
        await copy.chmod(mode);
        await copy.utimes(new Date(mtime), new Date(mtime));
        await copy.sync();
      } finally {
        await copy.close();
      }
      const isFree = await fs.link(aside, there).then(
        () => true,
        (error: unknown) => {
          if (codeOf(error) === 'EEXIST') return false;
          throw error;
        },
      );
      // After a crash the file may already be in place.
      if (!isFree && !(await isContent(there, sha256))) throw new TaskRefused('file_replaced');
    } finally {
      await source.close();
      await fs.rm(aside, { force: true });
    }
    await folder.sync();
    await this.write({ ...manifest, state: 'restored' });
  }

  /** The manifest is removed last: a folder without one is removed by the next sweep. */
  private async remove(id: string): Promise<void> {
    await fs.rm(this.pathOf(id, 'file'), { force: true });
    await fs.rm(this.pathOf(id), { recursive: true, force: true });
  }
}

/** Temporary name of a file in its folder; scans do not search it. */
const asideName = (id: string): string => `.svc-quarantine-${id}`;

function readId(value: unknown): string {
  if (typeof value === 'string' && ID.test(value)) return value;
  throw new TaskRefused('quarantine_id');
}

/** Returns what is reported to the panel. */
function shown({ path: file, uid, gid, mode, mtime, size, sha256 }: Manifest): Record<string, unknown> {
  return { path: file, uid, gid, mode, mtime: Math.floor(mtime / 1_000), size, sha256 };
}

async function openSource(folder: OpenFolder): Promise<fs.FileHandle> {
  try {
    return await fs.open(folder.at(folder.name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') throw new TaskRefused('file_gone');
    throw code === 'ELOOP' ? new TaskRefused('file_link') : new TaskRefused('file_unreadable', { code });
  }
}

/** Copies `from` up to its end. @returns its SHA-256 in hex */
async function copyBytes(from: fs.FileHandle, to: fs.FileHandle | null): Promise<string> {
  const hash = createHash('sha256');
  const part = Buffer.allocUnsafe(PART_BYTES);
  for (let offset = 0; offset <= MAX_FILE;) {
    const { bytesRead } = await from.read(part, 0, part.length, offset);
    if (bytesRead === 0) break;
    const bytes = part.subarray(0, bytesRead);
    hash.update(bytes);
    await to?.writeFile(bytes);
    offset += bytesRead;
  }
  return hash.digest('hex');
}

/** Whether a regular file with this content exists. */
async function isContent(file: string, sha256: string): Promise<boolean> {
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    return (await handle.stat()).isFile() && (await copyBytes(handle, null)) === sha256;
  } finally {
    await handle.close();
  }
}
