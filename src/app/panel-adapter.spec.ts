import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestPlace, type TestPlace } from '../../test/support/database.js';

import { startPanel, type Panel } from './bootstrap.js';
import { PanelAdapter } from './panel-adapter.js';
import { requestLog } from './request-log.js';

let place: TestPlace;
let panel: Panel;

/** Sends a request whose target stands in the first line exactly as given. */
function send(
  method: string,
  target: string,
  port = Number(new URL(panel.url).port),
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const outgoing = request({ host: '127.0.0.1', port, method, path: target, headers, agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      res.on('end', () => resolve({ status: res.statusCode!, text, headers: res.headers }));
    });
    outgoing.on('error', reject).end(method === 'POST' ? 'gn=listdd' : undefined);
  });
}

beforeAll(async () => {
  place = await createTestPlace();
  panel = await startPanel(place.config);
});
afterAll(async () => {
  await panel.close();
  await place.dispose();
});

describe('the short way of AJAX requests', () => {
  it('answers what the router answers to another spelling of the same address', async () => {
    for (const [side, code] of [
      ['admin', '请登陆后台'],
      ['user', '请登陆'],
    ] as const) {
      const path = `/${side}/ajax.php`;
      const answers = [await send('POST', path), await send('POST', `${path}?x=1`), await send('POST', `http://panel.test${path}`)];
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(JSON.parse(answer.text)).toEqual({ code });
        expect(answer.headers['content-type']).toBe('application/json; charset=UTF-8');
      }
    }
  });

  it('finds nothing under an address that cannot be decoded, and says so as it does elsewhere', async () => {
    for (const path of ['/%ff', '/admin/%', '/user/%e4%b8', '/api/items/by-slug/plugin/%ff', '/store/%c0%af?x=%ff']) {
      const { status, text } = await send('GET', path);
      expect([path, status, text.includes('Failed to decode')]).toEqual([path, 404, false]);
    }
    expect(JSON.parse((await send('GET', '/api/items/%ff')).text)).toEqual({ code: 400, msg: '无效的 ID', data: null });
    expect((await send('GET', '/app_plugins/%ff/x')).status).toBe(404);
  });

  it('leaves everything else to the router', async () => {
    for (const [method, path] of [
      ['GET', '/admin/ajax.php'],
      ['POST', '/ADMIN/ajax.php'],
      ['POST', '/admin/ajax.php/'],
      ['POST', '//admin/ajax.php'],
    ] as const) {
      const { status, text } = await send(method, path);
      expect([status, text.includes('请登陆后台')], `${method} ${path}`).toEqual([404, false]);
    }
  });
});

describe('the request log', () => {
  /** Starts a server that answers with `tryHandle`, and keeps the lines of its log. */
  async function logged(tryHandle: (req: IncomingMessage, res: ServerResponse) => boolean) {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
    const adapter = new PanelAdapter(requestLog(logger), () => [{ tryHandle }]);
    adapter.initHttpServer();
    const server = adapter.getHttpServer() as Server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { lines, server, port: (server.address() as AddressInfo).port };
  }

  it('writes one line an answer, with its id and without the query', async () => {
    const tryHandle = (req: IncomingMessage, res: ServerResponse): boolean => {
      if (req.url === '/broken?key=1') res.statusCode = 503;
      res.end();
      return true;
    };
    const { server, port, lines } = await logged(tryHandle);
    const fine = await send('GET', '/fine?key=secret', port);
    await send('GET', '/broken?key=1', port);
    await new Promise((resolve) => server.close(resolve));
    expect(lines).toMatchObject([
      {
        level: 30,
        feature: 'http',
        msg: 'request completed',
        req: { id: fine.headers['x-request-id'], method: 'GET', path: '/fine', remote: '127.0.0.1' },
        res: { status: 200 },
      },
      { level: 50, req: { path: '/broken' }, res: { status: 503 } },
    ]);
  });

  it('reports a request that the client aborted, but not a stream of events that its page closed', async () => {
    const tryHandle = (req: IncomingMessage, res: ServerResponse): boolean => {
      res.writeHead(200, { 'Content-Type': req.url === '/events' ? 'text/event-stream; charset=utf-8' : 'text/html' }).write('.');
      return true;
    };
    const { server, port, lines } = await logged(tryHandle);
    for (const path of ['/events', '/page']) {
      const abort = new AbortController();
      await fetch(`http://127.0.0.1:${port}${path}`, { signal: abort.signal });
      abort.abort();
      await expect.poll(() => lines.at(-1)).toMatchObject({ req: { path } });
    }
    await new Promise((resolve) => server.close(resolve));
    expect(lines).toMatchObject([
      { level: 30, msg: 'request completed' },
      { level: 40, msg: 'request aborted' },
    ]);
  });

  it('is not there where nobody reads it', () => {
    expect(requestLog(pino({ level: 'silent' }))).toBeNull();
  });
});
