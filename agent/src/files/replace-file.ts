import * as fs from 'node:fs/promises';
import path from 'node:path';

/**
 * Replaces a file atomically: a crash at any moment leaves the old or the new content. On an error, such as a full disk, no temporary file
 * remains.
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

/** Syncs a folder to disk, which makes a rename in it durable. */
export async function syncFolder(folder: string) {
  if (process.platform === 'win32') return;
  const handle = await fs.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
