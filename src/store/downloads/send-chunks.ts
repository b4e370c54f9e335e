import type { IncomingMessage, ServerResponse } from 'node:http';

import { loggerFor } from '../../common/index.js';

const log = loggerFor('store');
/** How long a client may read nothing before the connection is closed, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * Sends a response body chunk by chunk, each only after the previous one was flushed: at most one chunk is in memory, however slowly the
 * client reads. Chunks may share that memory, and a stalled client is cut off. `sendFile` is not used: it reads ahead, and the source may
 * itself be slow.
 *
 * @param res its head is written, with a `Content-Length` that matches the chunks
 * @returns whether everything was sent; otherwise the connection is cut, so that no client takes a part for the whole
 */
export async function sendChunks(req: IncomingMessage, res: ServerResponse, chunks: AsyncIterable<Buffer>): Promise<boolean> {
  const { socket } = req;
  let fail: (reason: Error) => void = () => undefined;
  // A pipelined response still waiting for its turn gets no close event of its own.
  const onClose = (): void => fail(new Error('the client disconnected'));
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
    // A client disconnecting is normal; a failing storage is an error the operator must see.
    if (!socket.destroyed) log.error({ err: error }, 'sending a package failed');
    return false;
  } finally {
    socket.off('close', onClose);
    if (!res.writableEnded) socket.destroy();
  }
}
