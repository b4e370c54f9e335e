import * as fs from 'node:fs/promises';
import path from 'node:path';

/**
 * Replaces a file so that a crash at any moment leaves the old or the new content; where it fails, as on a full disk,
 * nothing is left beside the old one.
 */
export async function replaceFile(file: string, write: (handle: fs.FileHandle) => Promise<void>) {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = await fs.open(temporary, 'w', 0o600);
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.rename(temporary, file);
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** A rename is on the disk once its folder is. */
export async function syncFolder(folder: string) {
  if (process.platform === 'win32') return;
  const handle = await fs.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
