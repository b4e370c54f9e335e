/** Timeouts of requests to a server panel: before the connection, before the response, and during one that is read slowly. */
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { afterEach, expect, it, vi } from 'vitest';

import { serveHttp } from '../../../../test/support/loopback-server.js';

import { PanelConnection } from './panel-connection.js';
import { send } from './panel-exchange.js';

const SILENT = { outcome: 'unknown', message: 'The server panel stopped responding.' };
const PIECE = Buffer.alloc(16_384);

afterEach(() => {
  vi.useRealTimers();
});

const get = (port: number, connection: PanelConnection) =>
  send(new URL(`http://127.0.0.1:${port}`), connection, { method: 'GET', path: '/' }, new AbortController().signal);

/** Responds with a first chunk; `more` sends the rest. */
async function answering(more: (res: ServerResponse) => void) {
  return serveHttp((_req, res) => {
    res.writeHead(200).write(PIECE);
    more(res);
  });
}

it('a server that cannot be reached is unreachable, even if its socket times out early', async () => {
  const connection = new PanelConnection(false, '', { answer: 600_000, body: 60_000 });
  const sockets = new EventEmitter();
  const connect = connection.agent.createConnection.bind(connection.agent);
  connection.agent.createConnection = (options, told) => {
    // An unanswered DNS query keeps a socket connecting, like a firewall that drops all packets.
    const socket = connect(Object.assign({}, options, { lookup: () => undefined }), told) as Socket;
    socket.once('timeout', () => sockets.emit('idle', socket.connecting));
    return socket;
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const sent = send(new URL('http://panel.test'), connection, { method: 'GET', path: '/' }, new AbortController().signal).catch(
    (error: unknown) => error,
  );
  expect(await once(sockets, 'idle')).toEqual([true]);
  vi.advanceTimersByTime(10_000);
  expect(await sent).toMatchObject({ result: { outcome: 'unreachable', problem: { code: 'CONNECT_TIMEOUT' } } });
});

it('a server that falls silent after a slow reader times out', async () => {
  const connection = new PanelConnection(false, '', { answer: 5_000, body: 200 });
  const server = await answering(() => undefined);
  try {
    const answer = await get(server.port, connection);
    const silences = vi.fn<() => void>();
    answer.socket.on('timeout', silences);
    // Nobody reads: two timeouts are not the panel's fault.
    await vi.waitFor(() => expect(silences.mock.calls.length).toBeGreaterThan(1), 5_000);
    expect(answer.destroyed).toBe(false);
    const failed = once(answer, 'end').catch((error: unknown) => error);
    answer.resume();
    expect(await Promise.race([failed, wait(5_000)])).toMatchObject({ result: SILENT });
  } finally {
    connection.close();
    await server.close();
  }
});

it('a reused connection notifies only the request that uses it', async () => {
  const connection = new PanelConnection(false, '', { answer: 5_000, body: 5_000 });
  const server = await answering((res) => res.end());
  try {
    const sockets = new Set<Socket>();
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await get(server.port, connection);
      sockets.add(answer.socket);
      expect(answer.socket.listeners('timeout').filter(({ name }) => name === 'onSilence')).toHaveLength(1);
      await once(answer.resume(), 'end');
      await vi.waitFor(() => expect(Object.keys(connection.agent.freeSockets)).toHaveLength(1));
    }
    expect(sockets.size).toBe(1);
    expect([...sockets][0]!.listeners('timeout').filter(({ name }) => name === 'onSilence')).toEqual([]);
  } finally {
    connection.close();
    await server.close();
  }
});
