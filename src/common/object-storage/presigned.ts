import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import { errorSummary, exchange, IDLE_TIMEOUT_MS, readText } from './exchange.js';
import { StorageError } from './storage-error.js';

/** Maximum body size that storage services accept in one request, in bytes. */
export const MAX_REQUEST_BYTES = 5 * 1_024 ** 3;
/** Timeout for a response after gigabytes were sent, in milliseconds. */
export const TRANSFER_TIMEOUT_MS = 300_000;

/** Delays before the retries of a failed upload, in milliseconds. */
const RETRY_DELAYS_MS = [300, 1_500];

/** Options of a transfer; see {@link uploadTo}. */
export interface TransferOptions {
  readonly signal: AbortSignal;
  /** Timeout without any byte transferred, in milliseconds. */
  readonly idleTimeoutMs?: number;
}

/**
 * Uploads a body to a presigned URL. The URL points to the operator's own storage and may be internal; redirects are not followed.
 *
 * @throws StorageError REFUSED, NOT_FOUND, UNAVAILABLE if the service does not answer; the signal's abort reason
 */
export async function uploadTo(
  url: string,
  { open, size }: { readonly open: () => Readable; readonly size: number },
  { signal, idleTimeoutMs = TRANSFER_TIMEOUT_MS }: TransferOptions,
): Promise<void> {
  const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' };
  const response = await sendRequest(url, { method: 'PUT', headers, open, signal, idleTimeoutMs });
  if (response.statusCode !== 200 && response.statusCode !== 201) throw await refusal(response);
  await readText(response);
}

/** As {@link uploadTo}, with at most three attempts, so that a connection lost within gigabytes costs only one part. */
export async function uploadWithRetries(url: string, body: Parameters<typeof uploadTo>[1], options: TransferOptions): Promise<void> {
  for (const pause of RETRY_DELAYS_MS) {
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
 * Downloads from a presigned URL; the caller must read the response to its end.
 *
 * @param from first byte; a storage without range support answers with status 200 and the whole object
 * @throws as {@link uploadTo}
 */
export async function downloadFrom(
  url: string,
  { signal, idleTimeoutMs = IDLE_TIMEOUT_MS }: TransferOptions,
  from = 0,
): Promise<IncomingMessage> {
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
  const response = await sendRequest(url, { method: 'GET', headers, signal, idleTimeoutMs });
  if (response.statusCode !== 200 && !(from > 0 && response.statusCode === 206)) throw await refusal(response);
  return response;
}

async function sendRequest(address: string, options: Omit<Parameters<typeof exchange>[1], 'path'>): Promise<IncomingMessage> {
  const url = new URL(address);
  try {
    return await exchange(url, { ...options, path: url.pathname + url.search }).answer;
  } catch (error) {
    options.signal?.throwIfAborted();
    // The URL is a secret; the error names only its host.
    throw new StorageError('UNAVAILABLE', `${options.method} ${url.host}`, { cause: error });
  }
}

async function refusal(response: IncomingMessage): Promise<StorageError> {
  return new StorageError(response.statusCode === 404 ? 'NOT_FOUND' : 'REFUSED', await errorSummary(response));
}
