import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeFolders } from '../../../common/index.js';
import { BackupProblem, FileProblem, type MadeBackup, type OpenedArchive } from '../../driver/index.js';

/** Names of archives: made by the panel, checked again wherever one becomes a path. */
const NAME = /^[a-z0-9][a-z0-9.-]{0,159}$/;
/** Share of the disk that stays free: the panel's database may be on it, too. */
export const FREE_SHARE = 0.02;

/** Folder of the sites' archives on this machine: outside every web root, one file each. */
export class ArchiveFolder {
  /** @param full what is thrown where its disk has no room: whose disk it is */
  constructor(
    private readonly root: string,
    private readonly full: () => Error = () => new FileProblem('DISK_FULL'),
  ) {}

  /** @throws Error for a name that is not one of ours */
  path(name: string): string {
    if (!NAME.test(name) || name.includes('..')) throw new Error(`"${name}" is not the name of an archive.`);
    return join(this.root, name);
  }

  /** Where an archive is while it is not whole. @throws as {@link path} */
  part(name: string): string {
    return `${this.path(name)}.part`;
  }

  /**
   * @param bytes of the files that are to be kept
   * @throws FileProblem DISK_FULL, or what it was made with, before anything is written, where the disk could be full afterwards
   */
  async requireRoom(bytes: number): Promise<void> {
    makeFolders(this.root, 0o700);
    const { bavail, blocks, bsize } = await statfs(this.root);
    if (bytes > (bavail - blocks * FREE_SHARE) * bsize) throw this.full();
  }

  /** What was written as {@link part} is there under its name from now on. */
  async keep(name: string): Promise<void> {
    await rename(this.part(name), this.path(name));
    const folder = await open(this.root);
    // The name too survives a power cut.
    await folder.sync().finally(() => folder.close());
  }

  /** @throws BackupProblem BACKUP_GONE */
  async open(name: string, from: number): Promise<OpenedArchive> {
    const size = await this.size(name);
    return { size, from, content: createReadStream(this.path(name), { start: from }) };
  }

  /** @throws BackupProblem BACKUP_GONE */
  async size(name: string): Promise<number> {
    const found = await stat(this.path(name)).catch(() => null);
    if (!found?.isFile()) throw new BackupProblem('BACKUP_GONE');
    return found.size;
  }

  /** Notes that {@link part} is whole and waits to be sent, so that another attempt sends it and makes no other one. */
  async note(name: string, made: MadeBackup): Promise<void> {
    await writeFile(this.noteOf(name), JSON.stringify(made), { mode: 0o600, flush: true });
  }

  /** What an earlier attempt has made and not sent; null for nothing. */
  async unsent(name: string): Promise<MadeBackup | null> {
    try {
      const made = JSON.parse(await readFile(this.noteOf(name), 'utf8')) as MadeBackup;
      return (await stat(this.part(name))).size === made.size ? made : null;
    } catch {
      // Killed before the note was whole: it is made anew.
      return null;
    }
  }

  /** Removes what is only there while an archive is made and sent. */
  async clear(name: string): Promise<void> {
    await Promise.all([this.noteOf(name), this.part(name)].map((path) => rm(path, { force: true })));
  }

  /** Removes an archive, whole or not. */
  async remove(name: string): Promise<void> {
    await this.clear(name);
    await rm(this.path(name), { force: true });
  }

  /** Writes a file, reads it and removes it. @returns bytes that are free */
  async check(): Promise<{ free: number }> {
    makeFolders(this.root, 0o700);
    const path = this.path(`check-${randomBytes(6).toString('hex')}`);
    try {
      await writeFile(path, path, { flag: 'wx', mode: 0o600 });
      if ((await readFile(path, 'utf8')) !== path) throw new BackupProblem('BACKUP_DAMAGED');
    } finally {
      await rm(path, { force: true });
    }
    const { bavail, bsize } = await statfs(this.root);
    return { free: bavail * bsize };
  }

  private noteOf(name: string): string {
    return `${this.path(name)}.json`;
  }
}
