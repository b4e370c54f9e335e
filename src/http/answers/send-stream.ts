import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { loggerFor } from '../../common/index.js';

const log = loggerFor('http');

/**
 * Streams an answer that is still being generated. If the stream fails, the connection is destroyed, so that a truncated answer is not
 * mistaken for a complete one.
 */
export async function sendStream(res: ServerResponse, status: number, headers: OutgoingHttpHeaders, stream: Readable): Promise<void> {
  res.writeHead(status, headers);
  try {
    await pipeline(stream, res);
  } catch (error) {
    log.warn({ err: error }, 'streaming an answer failed');
    res.destroy();
  }
}
