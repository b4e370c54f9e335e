import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { StorageError } from './storage-error.js';

/** Timeout without any byte transferred, in milliseconds. */
export const IDLE_TIMEOUT_MS = 30_000;
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** A request to a storage service. */
export interface StorageRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly idleTimeoutMs: number;
  /** Opens the body; without it the request has none. */
  readonly open?: () => Readable;
  readonly signal?: AbortSignal;
}

/** Starts a request. The response may arrive before the whole body was sent. Redirects are not followed. */
export function exchange(
  base: URL,
  { method, path, headers, idleTimeoutMs, open, signal }: StorageRequest,
): { request: ClientRequest; answer: Promise<IncomingMessage> } {
  const module = base.protocol === 'https:' ? https : http;
  const request = module.request(base, { method, path, headers, timeout: idleTimeoutMs, signal });
  let response: IncomingMessage | null = null;
  request.on('timeout', () => {
    // Unread bytes mean that the reader is slow, not the service.
    if (response && response.readableLength > 0) request.setTimeout(idleTimeoutMs);
    else request.destroy(new Error('timeout'));
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', (incoming) => resolve((response = incoming)));
    request.on('error', reject);
  });
  if (open) {
    const stream = open();
    // An error response may arrive before the whole body was sent: then it counts, and the broken pipe is ignored.
    pipeline(stream, request).catch(() => undefined);
    answer.catch(() => stream.destroy());
  } else {
    request.end();
  }
  return { request, answer };
}

/** Reads the whole body as text, at most 4 MB. @throws StorageError UNAVAILABLE */
export async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_TEXT_BYTES) throw new Error('too long');
      chunks.push(chunk);
    }
  } catch (error) {
    throw new StorageError('UNAVAILABLE', 'the response was interrupted', { cause: error });
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the status of a failed response, and the storage's error code if it has one. */
export async function errorSummary(response: IncomingMessage): Promise<string> {
  const text = await readText(response).catch(() => '');
  return `HTTP ${response.statusCode} ${/<Code>([\w.]{1,100})<\/Code>/.exec(text)?.[1] ?? ''}`.trim();
}
