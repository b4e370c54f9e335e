import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';

import { codeOf } from '../errors.js';
import { asRecord } from '../record.js';
import { TaskRefused } from '../scan/ends.js';
import { replaceFile, syncFolder } from '../files/replace-file.js';
import { lookAt, OpenFolder } from './open-folder.js';

const ID = /^[0-9a-f]{32}$/;
/** Larger files stay where they are: scans do not search them either. */
const LARGEST_FILE = 64 * 1024 * 1024;
const PART_BYTES = 512 * 1024;

/** What is kept of a file beside it, so that it can be put back as it was. */
export interface Manifest {
  readonly id: string;
  /** Where it was. */
  readonly path: string;
  readonly uid: number;
  readonly gid: number;
  /** Permissions. */
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  readonly size: number;
  readonly sha256: string;
  /** Of the file that was copied: it is the one that is taken away. */
  readonly device: number;
  readonly inode: number;
  /** `moving` while the file may still be in the site, `held` when it is only here, `restored` when it is only there. */
  readonly state: 'moving' | 'held' | 'restored';
}

/**
 * Files that were taken out of sites, each in a folder of its own: `state_dir/quarantine/<id>/{file, manifest.json}`, for the agent's user
 * alone. A file is copied, not moved, so that whoever still has it open does not write into the copy, and other names of it stay what they
 * are. Every task may be done again after a crash at any moment: it comes to its end, or to where it began.
 */
export class Quarantine {
  private readonly folder: string;

  constructor(
    stateDir: string,
    private readonly sitesRoot: string,
  ) {
    this.folder = path.join(stateDir, 'quarantine');
  }

  /** Takes a file out of its site. @throws TaskRefused with the file where it was */
  async take(payload: Record<string, unknown>): Promise<Record<string, unknown>> {
    const id = readId(payload.id);
    const known = await this.manifest(id);
    if (known && known.state !== 'moving') return shown(known);
    const folder = await OpenFolder.of(known?.path ?? payload.path, this.sitesRoot);
    try {
      if (known) return shown(await this.takeAway(known, folder));
      const fresh = await this.copy(id, String(payload.path), folder);
      await this.setAside(fresh, folder);
      return shown(await this.takeAway(fresh, folder));
    } finally {
      await folder.close();
    }
  }

  /** Puts a file back where it was, as it was. What is there by now stays. @throws TaskRefused */
  async restore(payload: Record<string, unknown>): Promise<Record<string, unknown>> {
    const id = readId(payload.id);
    const manifest = await this.manifest(id);
    // Nothing here, and the very file there: it was put back before.
    const target = manifest ?? { path: payload.path, sha256: payload.sha256 };
    const folder = await OpenFolder.of(target.path, this.sitesRoot);
    try {
      if (!manifest) {
        if (await isContent(folder.at(folder.name), String(target.sha256 ?? ''))) return {};
        throw new TaskRefused('file_not_held');
      }
      if (manifest.state === 'moving') throw new TaskRefused('file_moving');
      if (manifest.state === 'held') await this.putBack(manifest, folder);
    } finally {
      await folder.close();
    }
    await this.remove(id);
    return {};
  }

  /** Deletes a file that is held, for good. @throws TaskRefused */
  async delete(payload: Record<string, unknown>): Promise<Record<string, unknown>> {
    const id = readId(payload.id);
    if ((await this.manifest(id))?.state === 'moving') throw new TaskRefused('file_moving');
    await this.remove(id);
    return {};
  }

  /** Removes copies that were not finished: without a manifest nothing was taken away. Called at the start. */
  async sweep(): Promise<void> {
    const ids = await fs.readdir(this.folder).catch(() => []);
    for (const id of ids) if (ID.test(id) && !(await lookAt(this.place(id, 'manifest.json')))) await this.remove(id);
  }

  private place(id: string, name = ''): string {
    return path.join(this.folder, id, name);
  }

  /** @returns null where there is none: without one nothing has been taken away */
  private async manifest(id: string): Promise<Manifest | null> {
    try {
      return asRecord(JSON.parse(await fs.readFile(this.place(id, 'manifest.json'), 'utf8'))) as Manifest | null;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  }

  private async write(manifest: Manifest): Promise<Manifest> {
    await replaceFile(this.place(manifest.id, 'manifest.json'), (handle) => handle.writeFile(JSON.stringify(manifest)));
    return manifest;
  }

  private async copy(id: string, from: string, folder: OpenFolder): Promise<Manifest> {
    await this.remove(id);
    const source = await openSource(folder);
    try {
      const stat = await source.stat();
      if (!stat.isFile()) throw new TaskRefused('file_special');
      if (stat.size > LARGEST_FILE) throw new TaskRefused('file_large');
      await fs.mkdir(this.place(id), { recursive: true, mode: 0o700 });
      const copy = await fs.open(this.place(id, 'file'), 'wx', 0o600);
      let sha256: string;
      try {
        sha256 = await pour(source, copy);
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
   * Gives a file a name of ours, so that nothing the site puts in its place from here on is lost.
   *
   * @throws TaskRefused where it is not the one that was copied
   */
  private async setAside({ id, device, inode }: Manifest, folder: OpenFolder): Promise<void> {
    const stat = await lookAt(folder.at(folder.name));
    if (stat?.dev === device && stat.ino === inode) return fs.rename(folder.at(folder.name), folder.at(asideName(id)));
    await this.remove(id);
    throw new TaskRefused('file_changed');
  }

  /** Takes away what was set aside, if it is exactly what was copied. */
  private async takeAway(manifest: Manifest, folder: OpenFolder): Promise<Manifest> {
    const { id, sha256, device, inode } = manifest;
    const [there, aside] = [folder.at(folder.name), folder.at(asideName(id))];
    const isCopied = (stat: { dev: number; ino: number } | null): boolean => stat?.dev === device && stat.ino === inode;
    // A crash came before it was set aside.
    if (!(await lookAt(aside)) && isCopied(await lookAt(there))) await fs.rename(there, aside);
    const moved = await lookAt(aside);
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
        // A crash came after it got its name back; else the site has put something else there, and both stay.
        const [own, other] = [await lookAt(aside), await lookAt(there)];
        return own !== null && own.ino === other?.ino && own.dev === other.dev;
      },
    );
    if (isBack) await fs.unlink(aside);
    await this.remove(id);
  }

  private async putBack(manifest: Manifest, folder: OpenFolder): Promise<void> {
    const { id, sha256, uid, gid, mode, mtime } = manifest;
    const [there, aside] = [folder.at(folder.name), folder.at(asideName(id))];
    await fs.rm(aside, { force: true });
    const source = await fs.open(this.place(id, 'file'), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const copy = await fs.open(aside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
      try {
        if ((await pour(source, copy)) !== sha256) throw new TaskRefused('file_damaged');
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
      // After a crash it may be there already.
      if (!isFree && !(await isContent(there, sha256))) throw new TaskRefused('file_replaced');
    } finally {
      await source.close();
      await fs.rm(aside, { force: true });
    }
    await folder.sync();
    await this.write({ ...manifest, state: 'restored' });
  }

  /** The manifest goes last: without it the rest is nobody's and is removed the next time. */
  private async remove(id: string): Promise<void> {
    await fs.rm(this.place(id, 'file'), { force: true });
    await fs.rm(this.place(id), { recursive: true, force: true });
  }
}

/** Name a file has in its own folder while it comes or goes; a scan does not search it. */
const asideName = (id: string): string => `.svc-quarantine-${id}`;

function readId(value: unknown): string {
  if (typeof value === 'string' && ID.test(value)) return value;
  throw new TaskRefused('quarantine_id');
}

/** What the panel is told. */
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

/** Copies what is left of `from`. @returns its SHA-256, hex */
async function pour(from: fs.FileHandle, to: fs.FileHandle | null): Promise<string> {
  const hash = createHash('sha256');
  const part = Buffer.allocUnsafe(PART_BYTES);
  for (let place = 0; place <= LARGEST_FILE;) {
    const { bytesRead } = await from.read(part, 0, part.length, place);
    if (bytesRead === 0) break;
    const bytes = part.subarray(0, bytesRead);
    hash.update(bytes);
    await to?.writeFile(bytes);
    place += bytesRead;
  }
  return hash.digest('hex');
}

/** Whether there is a plain file of this content. */
async function isContent(file: string, sha256: string): Promise<boolean> {
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    return (await handle.stat()).isFile() && (await pour(handle, null)) === sha256;
  } finally {
    await handle.close();
  }
}
