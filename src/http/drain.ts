import type { IncomingMessage } from 'node:http';

import { free } from './free.js';

/**
 * How long a rejected client may continue to send before it is disconnected, in milliseconds: most read no answer until they have sent
 * everything.
 */
const DRAIN_MS = 3_000;

/**
 * Bodies declared as larger, or without a declared length, mean many megabytes to discard, which the garbage collector frees late. So only
 * a few of them are drained at a time.
 */
const LARGE_BYTES = 256 * 1024;
const LARGE_AT_ONCE = 4;
let large = 0;

/**
 * Lets the client of a rejected request finish sending for a short time and discards the data, so that it reads the answer. If the request
 * is not `complete` afterwards, answer with `Connection: close`.
 *
 * @param atOnce maximum number of large bodies drained at a time; further ones are not waited for, since flooding clients need no answer
 */
export async function drain(req: IncomingMessage, atOnce = LARGE_AT_ONCE): Promise<void> {
  if (req.complete || req.destroyed) return;
  const isLarge = req.headers['content-length'] === undefined || Number(req.headers['content-length']) > LARGE_BYTES;
  if (isLarge && large >= atOnce) return;
  if (isLarge) large += 1;
  try {
    await readIntoNothing(req);
  } finally {
    if (isLarge) large -= 1;
  }
}

function readIntoNothing(req: IncomingMessage): Promise<void> {
  return new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DRAIN_MS).unref();
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    req.once('end', done).once('close', done).on('error', done);
    req.unpipe();
    req.on('data', free).resume();
  });
}

/**
 * Header of an answer to a request that may still be arriving: a next request on the connection could not be distinguished from the rest.
 */
export function closingHeaders(req: IncomingMessage): Record<string, string> | undefined {
  return req.complete ? undefined : { Connection: 'close' };
}
