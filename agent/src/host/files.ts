import * as fs from 'node:fs/promises';
import path from 'node:path';

import { codeOf } from '../errors.js';
import { syncFolder } from '../files/replace-file.js';

/** Owner and permissions of a file. */
export interface FileTraits {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

/** Reads a text file; null if it does not exist. */
export async function readText(file: string): Promise<string | null> {
  return fs.readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
}

/**
 * Writes a file atomically if its content differs; only for folders in which root alone can write.
 *
 * @returns whether the content changed
 */
export async function putFile(file: string, content: string, { mode, uid = 0, gid = 0 }: FileTraits): Promise<boolean> {
  if ((await readText(file)) === content) return false;
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.draft`);
  await fs.rm(draft, { force: true });
  const handle = await fs.open(draft, 'wx', 0o600);
  try {
    try {
      await handle.writeFile(content);
      await handle.chown(uid, gid);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.rename(draft, file);
  } catch (error) {
    await fs.rm(draft, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
  return true;
}

/** Removes a file. @returns whether it existed */
export async function dropFile(file: string): Promise<boolean> {
  return fs.unlink(file).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

/** Creates a folder or corrects its owner and mode, inside a folder in which root alone can write. */
export async function putFolder(folder: string, { mode, uid = 0, gid = 0 }: FileTraits): Promise<void> {
  await fs.mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  const handle = await fs.open(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW);
  try {
    await handle.chown(uid, gid);
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}
