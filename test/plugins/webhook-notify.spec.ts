import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startTestPanel } from '../../src/cli/test-kit/in-process-panel.js';
import type { TestAnswer, TestHttpCall, TestPanel, TestVisitor } from '../../src/sdk/testing.js';
import { testServer } from '../support/database.js';

interface Row {
  id: number;
  event: string;
  state: string;
  attempts: number;
  error: string;
}

const SLUG = 'webhook_notify';
const ADDRESS = 'https://hooks.example.com/panel';

let panel: TestPanel;
let admin: TestVisitor;
let status = 200;
let seen = 0;

beforeAll(async () => {
  panel = await startTestPanel(testServer ? { database: testServer } : {});
  admin = await panel.as('admin');
  panel.http.answer(ADDRESS, () => ({ status, body: 'thanks' }));
  await panel.enablePlugin(SLUG);
  await save({ enabled: 'true', url: ADDRESS, secret: 'shared-secret' });
});
afterAll(() => panel?.close());
beforeEach(() => {
  seen = panel.http.calls.length;
  status = 200;
});

const received = (): readonly TestHttpCall[] => panel.http.calls.slice(seen);
const save = async (fields: Record<string, string>): Promise<void> =>
  expect(await admin.run('szbc', { slug: SLUG, ...fields })).toMatchObject({ success: true });
const rows = async (): Promise<Row[]> => (await admin.run('p_webhook_notify_list')).rows as Row[];
const newest = async (): Promise<Row> => (await rows())[0]!;
const test = (): Promise<TestAnswer> => admin.run('p_webhook_notify_test');

it('sends events of hosts, signed, once each, without secrets', async () => {
  const host = await panel.host();
  await expect.poll(() => received().length, { timeout: 10_000 }).toBe(1);
  const { method, headers, body } = received()[0]!;
  expect([method, headers['x-svc-event']]).toEqual(['POST', 'host.created']);
  expect(headers['x-svc-signature']).toBe(`sha256=${createHmac('sha256', 'shared-secret').update(body).digest('hex')}`);
  const told = JSON.parse(body) as { event: string; payload: { host: Record<string, unknown>; ctx: { source: string } } };
  expect(told).toMatchObject({
    event: 'host.created',
    source: panel.url,
    payload: { host: { user: host.user }, ctx: { source: 'admin' } },
  });
  expect(body).not.toContain(host.password);
  await expect.poll(newest).toMatchObject({ event: 'host.created', state: 'sent', attempts: 1, error: '' });
});

it('sends a paid order once, however often the gateway reports it', async () => {
  const gateway = await panel.gateway();
  const order = await panel.order();
  await gateway.pay(order);
  await expect.poll(() => received().map(({ headers }) => headers['x-svc-event'])).toEqual(['order.paid']);
  expect(received()[0]!.body).toContain(order.ddh);
});

it('logs failed deliveries, retries them, and resends by hand', async () => {
  status = 500;
  expect(await test()).toMatchObject({ success: false, code: expect.stringContaining('HTTP 500') as string });
  expect(await newest()).toMatchObject({ event: 'webhook.test', state: 'waiting', attempts: 1, error: 'HTTP 500' });
  // It is not due yet, and not sent early.
  await panel.clock.minute();
  expect(received()).toHaveLength(1);
  const { id } = await newest();
  expect(await admin.run('p_webhook_notify_again', { id: String(id) })).toMatchObject({ success: false });
  status = 200;
  expect(await test()).toMatchObject({ success: true });
  const sent = await newest();
  expect(sent).toMatchObject({ state: 'sent' });
  expect(await admin.run('p_webhook_notify_again', { id: String(sent.id) })).toMatchObject({ success: true });
  expect(received().filter(({ headers }) => headers['x-svc-delivery'] === String(sent.id))).toHaveLength(2);
});

it('continues if the endpoint does not respond', { timeout: 60_000 }, async () => {
  const address = 'https://silent.example.com/';
  panel.http.answer(address, 'hang');
  await save({ url: address });
  const waiting = test();
  await panel.host();
  expect(await waiting).toMatchObject({ success: false });
  await expect.poll(async () => (await rows()).filter(({ state }) => state === 'waiting').length, { timeout: 20_000 }).toBeGreaterThan(1);
  await save({ url: ADDRESS });
});

it('has a page in both languages, and sends only the selected events', async () => {
  const page = async (language: string): Promise<string> =>
    (await admin.get(`/admin/plugin.php?p=${SLUG}&page=deliveries`, { 'Accept-Language': language })).text();
  expect(await page('en')).toMatch(/Send test[^]*webhook\.test/);
  expect(await page('zh-CN')).toContain('发送测试');
  // Deliveries waiting since the last test may arrive now.
  const known = (await rows()).map(({ id }) => String(id));
  await save({ events: 'order.paid' });
  await panel.host();
  await save({ events: '', enabled: 'false' });
  await panel.host();
  await panel.settled();
  await panel.clock.minute();
  expect(received().filter(({ headers }) => !known.includes(headers['x-svc-delivery']!))).toEqual([]);
});

it('leaves nothing behind', { timeout: 120_000 }, async () => {
  await panel.expectNoTrace(SLUG, 20);
});
