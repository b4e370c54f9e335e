import type { IncomingMessage } from 'node:http';

import { free } from './free.js';

/** How long a refused client may go on sending before it is cut off, in milliseconds: most have no ear for an answer until then. */
const DRAIN_MS = 3_000;

/**
 * Bodies declared to be larger, or not at all, are many megabytes to be read into nothing, which the collector takes
 * away late: only so many at once.
 */
const LARGE_BYTES = 256 * 1024;
const LARGE_AT_ONCE = 4;
let large = 0;

/**
 * Lets a client whose request is refused finish sending, for a moment and into nothing: then it reads the answer. Where the request
 * is not `complete` after that, answer with `Connection: close`.
 *
 * @param atOnce of more large ones at once some are not waited for: who floods need not hear
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

/** Header of an answer to a request that may still be on its way: nothing after it could be told from it. */
export function closingHeaders(req: IncomingMessage): Record<string, string> | undefined {
  return req.complete ? undefined : { Connection: 'close' };
}
