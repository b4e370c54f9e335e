import type { IncomingMessage, ServerResponse } from 'node:http';

import { loggerFor } from '../../common/index.js';

const log = loggerFor('store');
/** How long a client may take nothing of what it asked for before it is cut off, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * Sends the body of an answer piece by piece, each only once the one before it has left the process: at most one is in memory,
 * however slowly the client reads. Chunks may share that memory, and a client that takes nothing ends it: `sendFile` reads ahead, from
 * sources that may be slow themselves.
 *
 * @param res its head is written, with a `Content-Length` of what the chunks give
 * @returns whether all of it was sent; the connection is cut where it was not, so that nobody takes a part for the whole
 */
export async function sendChunks(req: IncomingMessage, res: ServerResponse, chunks: AsyncIterable<Buffer>): Promise<boolean> {
  const { socket } = req;
  let fail: (reason: Error) => void = () => undefined;
  // An answer whose turn on its connection has not come yet hears nothing of its end by itself.
  const onClose = (): void => fail(new Error('the client has gone'));
  socket.once('close', onClose);
  res.setTimeout(IDLE_MS, () => res.destroy());
  try {
    for await (const chunk of chunks) {
      if (socket.destroyed) return false;
      await new Promise<void>((resolve, reject) => {
        fail = reject;
        res.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
    }
    res.end();
    return true;
  } catch (error) {
    // A client that goes away in the middle is nobody's error; a storage that does is the operator's.
    if (!socket.destroyed) log.error({ err: error }, 'a package broke off while it was sent');
    return false;
  } finally {
    socket.off('close', onClose);
    if (!res.writableEnded) socket.destroy();
  }
}
