import type { IncomingMessage } from 'node:http';

/** How long a refused client may go on sending before it is cut off, in milliseconds: most have no ear for an answer until then. */
const DRAIN_MS = 3_000;

/** Lets a client whose request is refused finish sending, for a moment and into nothing: then it reads the answer. */
export async function drain(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DRAIN_MS).unref();
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    req.once('end', done).once('close', done).on('error', done);
    req.resume();
  });
}
