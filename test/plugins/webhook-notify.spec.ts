import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { EventDispatcher, HookRegistry } from '../../src/hooks/index.js';
import { serveHttp, type LoopbackServer } from '../support/loopback-server.js';
import { TestPanel } from '../support/panel.js';

interface Row {
  id: number;
  event: string;
  state: string;
  attempts: number;
  error: string;
}

let panel: TestPanel;
let receiver: LoopbackServer;
let answer = 200;
const received: { headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  receiver = await serveHttp((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      received.push({ headers: req.headers, body });
      res.writeHead(answer).end('thanks');
    });
  });
  panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32' });
  await panel.enable('webhook_notify');
  await save({ enabled: 'true', url: `http://127.0.0.1:${receiver.port}/hook`, secret: 'shared-secret' });
});
afterAll(async () => {
  await panel?.close();
  await receiver?.close();
});
beforeEach(() => {
  received.length = 0;
  answer = 200;
});

const save = async (fields: Record<string, string>): Promise<void> =>
  expect(await panel.admin('szbc', { slug: 'webhook_notify', ...fields })).toMatchObject({ success: true });
const rows = async (): Promise<Row[]> => (await panel.admin('p_webhook_notify_list')).rows as unknown as Row[];
const newest = async (): Promise<Row> => (await rows())[0]!;
const page = async (language: string): Promise<string> => {
  const path = '/admin/plugin.php?p=webhook_notify&page=deliveries';
  return (await panel.adminFetch(path, { headers: { 'Accept-Language': language } })).text();
};

it('sends events of hosts, signed, once each, without secrets', async () => {
  await panel.admin('addzj', { user: 'hooked01', pass: 'secret-pass-1', btdh: 'local' });
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1);
  const { headers, body } = received[0]!;
  expect(headers['x-svc-event']).toBe('host.created');
  expect(headers['x-svc-signature']).toBe(`sha256=${createHmac('sha256', 'shared-secret').update(body).digest('hex')}`);
  const told = JSON.parse(body) as { event: string; payload: { host: Record<string, unknown>; ctx: { source: string } } };
  expect(told).toMatchObject({ event: 'host.created', payload: { host: { user: 'hooked01' }, ctx: { source: 'admin' } } });
  expect(body).not.toContain('secret-pass-1');
  await expect.poll(newest).toMatchObject({ event: 'host.created', state: 'sent', attempts: 1, error: '' });
});

it('logs what could not be delivered, tries again, and sends by hand', async () => {
  answer = 500;
  expect(await panel.admin('p_webhook_notify_test')).toMatchObject({ success: false, code: expect.stringContaining('HTTP 500') });
  expect(await newest()).toMatchObject({ event: 'webhook.test', state: 'waiting', attempts: 1, error: 'HTTP 500' });
  // Not due yet: nobody sends it before its time.
  await panel.get(HookRegistry).doAction('cron');
  expect(received).toHaveLength(1);
  const { id } = await newest();
  expect(await panel.admin('p_webhook_notify_again', { id: String(id) })).toMatchObject({ success: false });
  answer = 200;
  expect(await panel.admin('p_webhook_notify_test')).toMatchObject({ success: true });
  const sent = await newest();
  expect(sent).toMatchObject({ state: 'sent' });
  expect(await panel.admin('p_webhook_notify_again', { id: String(sent.id) })).toMatchObject({ success: true });
  expect(received.filter(({ headers }) => headers['x-svc-delivery'] === String(sent.id))).toHaveLength(2);
});

it('has a page in both languages, and sends what was chosen alone', async () => {
  expect(await page('en')).toMatch(/Send a test[^]*webhook\.test/);
  expect(await page('zh-CN')).toContain('发送测试');
  await save({ events: 'order.paid' });
  await panel.admin('addzj', { user: 'hooked02', pass: 'secret-pass-1', btdh: 'local' });
  await save({ events: '', enabled: 'false' });
  await panel.admin('addzj', { user: 'hooked03', pass: 'secret-pass-1', btdh: 'local' });
  await panel.get(EventDispatcher).idle();
  await panel.get(HookRegistry).doAction('cron');
  expect(received).toEqual([]);
});

it('goes without a trace', async () => {
  expect(await panel.disable('webhook_notify')).toMatchObject({ success: true });
  expect(await panel.admin('plugin_uninstall', { slug: 'webhook_notify', keep_data: 'false' })).toMatchObject({ success: true });
  expect(panel.registrations('webhook_notify')).toEqual({});
});
