import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';

import { codeOf } from '../errors.js';
import { TaskRefused } from '../scan/ends.js';
import { clip, oneLine } from '../text.js';

const MAX_PATH_LENGTH = 4_096;

/** An open folder of a site: names in it are resolved through the descriptor, even if its path is replaced in the meantime. */
export class OpenFolder {
  private constructor(
    private readonly handle: fs.FileHandle,
    /** Name of the file in question. */
    readonly name: string,
  ) {}

  /**
   * Opens the folder of a file below `sitesRoot`. No path segment may be a symbolic link: scans report real paths, and the panel sends
   * those.
   *
   * @throws TaskRefused
   */
  static async of(file: unknown, sitesRoot: string): Promise<OpenFolder> {
    if (typeof file !== 'string' || file === '' || file.length > MAX_PATH_LENGTH || file.includes('\0')) throw new TaskRefused('path_none');
    const shown = clip(oneLine(file), 200);
    if (!path.isAbsolute(file) || path.normalize(file) !== file || file.endsWith('/')) throw new TaskRefused('path_form', { path: shown });
    const [folder, root] = [path.dirname(file), await fs.realpath(sitesRoot)];
    if (!`${folder}/`.startsWith(`${root}/`)) throw new TaskRefused('path_outside', { path: shown, sites: sitesRoot });
    let handle: fs.FileHandle;
    try {
      handle = await fs.open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw new TaskRefused('folder_gone', { path: clip(oneLine(folder), 200) });
      throw new TaskRefused('folder_unreadable', { code: codeOf(error), path: clip(oneLine(folder), 200) });
    }
    const opened = new OpenFolder(handle, path.basename(file));
    // If a segment is a symbolic link, the opened folder has another real path.
    if ((await fs.readlink(`/proc/self/fd/${handle.fd}`)) === folder) return opened;
    await opened.close();
    throw new TaskRefused('path_link', { path: shown });
  }

  /** Returns the path of a name in the folder for Node's file functions. */
  at(name: string): string {
    return `/proc/self/fd/${this.handle.fd}/${name}`;
  }

  /** Syncs renames and deletions to disk. */
  sync(): Promise<void> {
    return this.handle.sync();
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Stats a file without following symbolic links; null if it does not exist. */
export async function lstatOrNull(file: string) {
  return fs.lstat(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
}
