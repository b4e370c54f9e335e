import { createReadStream } from 'node:fs';

import { MAX_REQUEST_BYTES, uploadTo, uploadWithRetries } from '../../../common/index.js';
import {
  type ArchivePart,
  type ArchivePlace,
  BackupProblem,
  type DriverTurn,
  type MadeBackup,
  storageProblem,
} from '../../driver/index.js';

/**
 * Sends an archive to a storage: in one request, or a large one as the parts that the storage does not have yet.
 *
 * @throws BackupProblem BACKUP_LARGE, and the storage's own errors
 */
export async function sendArchive(
  path: string,
  made: MadeBackup,
  { url, parts }: ArchivePlace & { readonly url: string },
  { signal, progress }: DriverTurn,
): Promise<void> {
  const { size } = made;
  if (!parts || size <= parts.above) {
    if (size > MAX_REQUEST_BYTES) throw new BackupProblem('BACKUP_LARGE');
    return sendPart(path, { from: 0, size, url }, signal);
  }
  const missing = await parts.begin(made);
  let sent = size - missing.reduce((sum, part) => sum + part.size, 0);
  for (const part of missing) {
    progress(size + sent, size * 2);
    await sendPart(path, part, signal, uploadWithRetries);
    sent += part.size;
  }
}

async function sendPart(path: string, { from, size, url }: ArchivePart, signal: AbortSignal, send = uploadTo): Promise<void> {
  const open = () => createReadStream(path, { start: from, end: from + size - 1 });
  await send(url, { open, size }, { signal }).catch((error: unknown) => {
    throw storageProblem(error);
  });
}
