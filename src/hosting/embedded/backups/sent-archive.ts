import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { MOST_AT_ONCE, uploadTo } from '../../../common/index.js';
import { type ArchivePart, type ArchivePlace, BackupProblem, type DeedTurn, type MadeBackup, storageProblem } from '../../driver/index.js';

/** How long is waited before a part that did not arrive is sent again, in milliseconds. */
const AGAIN_AFTER_MS = [300, 1_500];

/** Sends an archive to a storage: in one request, or a large one in the parts that are missing there. @throws BackupProblem BACKUP_LARGE, and what the storage says */
export async function sendArchive(
  path: string,
  made: MadeBackup,
  { url, parts }: ArchivePlace & { readonly url: string },
  { signal, progress }: DeedTurn,
): Promise<void> {
  const { size } = made;
  if (!parts || size <= parts.above) {
    if (size > MOST_AT_ONCE) throw new BackupProblem('BACKUP_LARGE');
    return sendPart(path, { from: 0, size, url }, signal);
  }
  const missing = await parts.begin(made);
  let sent = size - missing.reduce((sum, part) => sum + part.size, 0);
  for (const part of missing) {
    progress(size + sent, size * 2);
    await sendUntilThere(path, part, signal);
    sent += part.size;
  }
}

/** A connection that breaks in the middle of gigabytes costs one part. */
async function sendUntilThere(path: string, part: ArchivePart, signal: AbortSignal): Promise<void> {
  for (const pause of AGAIN_AFTER_MS) {
    try {
      return await sendPart(path, part, signal);
    } catch (error) {
      if (!(error instanceof BackupProblem)) throw error;
    }
    await wait(pause, undefined, { signal });
  }
  await sendPart(path, part, signal);
}

async function sendPart(path: string, { from, size, url }: ArchivePart, signal: AbortSignal): Promise<void> {
  const open = () => createReadStream(path, { start: from, end: from + size - 1 });
  await uploadTo(url, { open, size }, { signal }).catch((error: unknown) => {
    throw storageProblem(error);
  });
}
