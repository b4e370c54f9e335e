import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import {
  type DriverAccount,
  type DriverResult,
  type FileContent,
  type FileList,
  type FileListing,
  FileProblem,
  type FilesPort,
  type SiteEntry,
} from '../../driver/index.js';
import { SiteFolders } from '../site-folders.js';

import { Folder, problemOf } from './folder.js';
import { entryOf, listFolder, searchFolder } from './listing.js';
import { partsOf, presentName, splitPath } from './site-path.js';

/** Files of the sites on this machine. */
@Injectable()
export class EmbeddedFiles implements FilesPort {
  constructor(private readonly folders: SiteFolders) {}

  list(account: DriverAccount, wanted: FileListing, deadline: AbortSignal): Promise<DriverResult<FileList>> {
    return this.answer(account, (root) =>
      Folder.use(root, partsOf(wanted.folder), (folder) =>
        wanted.text ? searchFolder(folder, wanted, deadline) : listFolder(folder, wanted),
      ),
    );
  }

  find(account: DriverAccount, path: string): Promise<DriverResult<SiteEntry>> {
    return this.answer(account, (root) => {
      const { parts, name } = splitPath(path);
      return Folder.use(root, parts, async (folder) => {
        const entry = entryOf(folder, presentName(name));
        if (!entry) throw new FileProblem('MISSING', { name });
        return entry;
      });
    });
  }

  read(account: DriverAccount, path: string, most: number): Promise<DriverResult<FileContent>> {
    return this.answer(account, (root) => {
      const { parts, name } = splitPath(path);
      return Folder.use(root, parts, async (folder) => {
        const { handle, stats } = await folder.openFile(presentName(name));
        try {
          if (stats.size > most) throw new FileProblem('TOO_LARGE', { name });
          const bytes = await handle.readFile();
          return { bytes, version: versionOf(stats), changedAt: Math.floor(stats.mtimeMs) };
        } finally {
          await handle.close();
        }
      });
    });
  }

  open(account: DriverAccount, path: string): Promise<DriverResult<{ size: number; content: Readable }>> {
    return this.answer(account, (root) => {
      const { parts, name } = splitPath(path);
      return Folder.use(root, parts, async (folder) => {
        const { handle, stats } = await folder.openFile(presentName(name));
        // What grows while it is sent is sent as long as it was.
        const content = handle.createReadStream({ start: 0, end: Math.max(0, stats.size - 1), autoClose: true });
        return { size: stats.size, content };
      });
    });
  }

  /** What `work` comes to, with the folder of a site that is this account's. */
  private async answer<Value>(account: DriverAccount, work: (root: string) => Promise<Value>): Promise<DriverResult<Value>> {
    const record = await this.folders.read(account.siteName);
    if (!record) return { outcome: 'not_found' };
    if (record.ownerMark !== account.ownerMark)
      return { outcome: 'refused', message: `The site ${account.siteName} belongs to another account.` };
    try {
      return { outcome: 'ok', value: await work(this.folders.publicFolder(account.siteName)) };
    } catch (error) {
      const problem = problemOf(error);
      if (!(problem instanceof FileProblem)) throw error;
      return { outcome: 'refused', message: problem.code, problem: { code: problem.code, params: problem.params } };
    }
  }
}

/** Other after each change: what is written anew is another file, with another number. */
export function versionOf({ ino, mtimeMs, size }: { ino: number; mtimeMs: number; size: number }): string {
  return `${ino.toString(36)}-${Math.round(mtimeMs * 1_000).toString(36)}-${size.toString(36)}`;
}
