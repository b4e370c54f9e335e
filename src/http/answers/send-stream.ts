import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { loggerFor } from '../../common/index.js';

const log = loggerFor('http');

/** Sends what is made while it is sent; one that fails ends the connection, so that nobody takes a part for the whole. */
export async function sendStream(res: ServerResponse, status: number, headers: OutgoingHttpHeaders, stream: Readable): Promise<void> {
  res.writeHead(status, headers);
  try {
    await pipeline(stream, res);
  } catch (error) {
    log.warn({ err: error }, 'a stream ended before its end');
    res.destroy();
  }
}
