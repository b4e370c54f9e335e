import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it } from 'vitest';

import { free } from './free.js';

describe('free', () => {
  it('releases the memory of a socket chunk immediately', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = request({ port: (server.address() as AddressInfo).port, method: 'POST' }).on('error', () => undefined);
    client.end(Buffer.alloc(100_000));
    const [req] = (await once(server, 'request')) as [IncomingMessage];
    let large = 0;
    for await (const chunk of req as AsyncIterable<Buffer>) {
      const { byteLength } = chunk.buffer;
      if (byteLength > 8_192) large += 1;
      free(chunk);
      if (byteLength > 8_192) expect([chunk.length, chunk.buffer.byteLength]).toEqual([0, 0]);
      free(chunk);
    }
    expect(large).toBeGreaterThan(0);
    client.destroy();
    server.close();
  });

  it('keeps bytes whose buffer may be shared', () => {
    const [mine, other] = [Buffer.from('mine'), Buffer.from('other')];
    free(mine);
    expect(other.toString()).toBe('other');
  });
});
