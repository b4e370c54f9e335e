import type { IncomingMessage } from 'node:http';

/** How long a refused client may go on sending before it is cut off, in milliseconds: most have no ear for an answer until then. */
const DRAIN_MS = 3_000;

/**
 * Lets a client whose request is refused finish sending, for a moment and into nothing: then it reads the answer. Where the request
 * is not `complete` after that, answer with `Connection: close`.
 */
export async function drain(req: IncomingMessage, drainMs = DRAIN_MS): Promise<void> {
  if (req.complete || req.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drainMs).unref();
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    req.once('end', done).once('close', done).on('error', done);
    req.unpipe();
    req.resume();
  });
}

/** Header of an answer to a request that may still be on its way: nothing after it could be told from it. */
export function closingHeaders(req: IncomingMessage): Record<string, string> | undefined {
  return req.complete ? undefined : { Connection: 'close' };
}
