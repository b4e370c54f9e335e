import * as fs from 'node:fs/promises';
import path from 'node:path';

import { codeOf } from '../errors.js';
import { syncFolder } from '../files/replace-file.js';

/** Whose a file is to be, and who may do what. */
export interface FileTraits {
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

/** A text file, or null where there is none. */
export async function readText(file: string): Promise<string | null> {
  return fs.readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
}

/**
 * Makes a file what it is to be, wholly or not at all; in folders that only root writes to.
 *
 * @returns whether it was another one
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

/** Removes a file. @returns whether there was one */
export async function dropFile(file: string): Promise<boolean> {
  return fs.unlink(file).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

/** Makes a folder what it is to be, in one that only root writes to. */
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
