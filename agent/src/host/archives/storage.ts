import { createReadStream, createWriteStream } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { clip, oneLine } from '../../text.js';
import { HostRefusal } from '../refusal.js';

/** Maximum size of one upload request of S3-compatible storages, in bytes. */
const MAX_UPLOAD_BYTES = 5 * 1_024 ** 3;
/** Timeout without any traffic, in milliseconds. */
const IDLE_MS = 300_000;

/**
 * Uploads a file to a presigned address; redirects are not followed. The address is a secret and appears in no message.
 *
 * @param from offset of the first byte
 * @throws HostRefusal `BACKUP_LARGE`, `STORAGE_REFUSED`, `STORAGE_SILENT`
 */
export async function sendTo(address: string, file: string, size: number, stop: AbortSignal, from = 0): Promise<void> {
  if (size > MAX_UPLOAD_BYTES)
    throw new HostRefusal('BACKUP_LARGE', 'The archive is larger than the maximum size of an ' + 'object in the storage.');
  const { request, answer } = open(address, 'PUT', { 'content-length': String(size), 'content-type': 'application/octet-stream' }, stop);
  await Promise.all([
    pipeline(size === 0 ? Readable.from([]) : createReadStream(file, { start: from, end: from + size - 1 }), request).catch(
      (error: unknown) => silent(error, stop),
    ),
    answer.then(requireTaken),
  ]);
}

/** Downloads from a presigned address, at most `size` bytes. @throws as {@link sendTo}; HostRefusal `BACKUP_DAMAGED`, `BACKUP_GONE` */
export async function getFrom(address: string, file: string, size: number, stop: AbortSignal): Promise<void> {
  const { request, answer } = open(address, 'GET', {}, stop);
  request.end();
  const response = await requireTaken(await answer, false);
  let room = size;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      room -= chunk.length;
      done(room < 0 ? new HostRefusal('BACKUP_DAMAGED', 'The storage sent more data than was uploaded.') : null, chunk);
    },
  });
  await pipeline(response, bounded, createWriteStream(file, { flags: 'wx', mode: 0o640 }), { signal: stop }).catch((error: unknown) =>
    silent(error, stop),
  );
}

function open(
  address: string,
  method: string,
  headers: http.OutgoingHttpHeaders,
  stop: AbortSignal,
): { request: http.ClientRequest; answer: Promise<http.IncomingMessage> } {
  const url = new URL(address);
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method,
    headers,
    signal: stop,
    timeout: IDLE_MS,
    agent: false,
  });
  request.on('timeout', () => request.destroy());
  const answer = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', (error) => silent(error, stop).catch(reject));
  });
  return { request, answer };
}

async function requireTaken(response: http.IncomingMessage, readsAnswer = true): Promise<http.IncomingMessage> {
  const status = response.statusCode ?? 0;
  if (status !== 200 && status !== 201) {
    let text = '';
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) if ((text += chunk).length > 2_000) break;
    response.destroy();
    if (status === 404) throw new HostRefusal('BACKUP_GONE', 'The object does not exist in the storage.');
    const reason = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ?? clip(oneLine(text), 100);
    throw new HostRefusal('STORAGE_REFUSED', `The storage answered ${status}.`, { answer: `${status} ${reason}`.trim() });
  }
  if (readsAnswer) response.resume();
  return response;
}

async function silent(error: unknown, stop: AbortSignal): Promise<never> {
  stop.throwIfAborted();
  if (error instanceof HostRefusal || (error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
  throw new HostRefusal('STORAGE_SILENT', 'The connection to the storage failed or timed out.');
}
