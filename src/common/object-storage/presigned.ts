import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import { exchange, IDLE_TIMEOUT_MS, readText, saidIn } from './exchange.js';
import { StorageError } from './storage-error.js';

/** What storages take in one request, in bytes. */
export const MOST_AT_ONCE = 5 * 1_024 ** 3;
/** How long a storage may take to answer once it has gigabytes, in milliseconds. */
export const PATIENCE_MS = 300_000;

/** How long is waited before something that did not arrive is sent again, in milliseconds. */
const AGAIN_AFTER_MS = [300, 1_500];

/** How long nothing may move; see {@link uploadTo}. */
export interface TransferOptions {
  readonly signal: AbortSignal;
  /** Milliseconds without a byte. */
  readonly idleTimeoutMs?: number;
}

/**
 * Sends something to a presigned address. Such an address is the operator's own storage and may be internal; redirects are not followed.
 *
 * @throws StorageError REFUSED, NOT_FOUND, UNAVAILABLE where nobody answers; what the signal was aborted with
 */
export async function uploadTo(
  url: string,
  { open, size }: { readonly open: () => Readable; readonly size: number },
  { signal, idleTimeoutMs = PATIENCE_MS }: TransferOptions,
): Promise<void> {
  const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' };
  const response = await answered(url, { method: 'PUT', headers, open, signal, idleTimeoutMs });
  if (response.statusCode !== 200 && response.statusCode !== 201) throw await refusal(response);
  await readText(response);
}

/** As {@link uploadTo}, three times at most: a connection that breaks in the middle of gigabytes costs one part. */
export async function uploadUntilThere(url: string, body: Parameters<typeof uploadTo>[1], options: TransferOptions): Promise<void> {
  for (const pause of AGAIN_AFTER_MS) {
    try {
      return await uploadTo(url, body, options);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
    await wait(pause, undefined, { signal: options.signal });
  }
  await uploadTo(url, body, options);
}

/**
 * Gets what is at a presigned address; whoever asks reads the answer to its end.
 *
 * @param from the byte to begin with; a storage that knows no parts answers with status 200 and all of it
 * @throws as {@link uploadTo}
 */
export async function downloadFrom(
  url: string,
  { signal, idleTimeoutMs = IDLE_TIMEOUT_MS }: TransferOptions,
  from = 0,
): Promise<IncomingMessage> {
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
  const response = await answered(url, { method: 'GET', headers, signal, idleTimeoutMs });
  if (response.statusCode !== 200 && !(from > 0 && response.statusCode === 206)) throw await refusal(response);
  return response;
}

async function answered(address: string, wanted: Omit<Parameters<typeof exchange>[1], 'path'>): Promise<IncomingMessage> {
  const url = new URL(address);
  try {
    return await exchange(url, { ...wanted, path: url.pathname + url.search }).answer;
  } catch (error) {
    wanted.signal?.throwIfAborted();
    // The address is a secret: the name of the host says enough.
    throw new StorageError('UNAVAILABLE', `${wanted.method} ${url.host}`, { cause: error });
  }
}

async function refusal(response: IncomingMessage): Promise<StorageError> {
  return new StorageError(response.statusCode === 404 ? 'NOT_FOUND' : 'REFUSED', await saidIn(response));
}
