import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { BackgroundQueue } from '../src/jobs/index.js';
import { NoticeChannel, NoticeDelivery, Notices } from '../src/notify/index.js';

import { serveHttp, type LoopbackServer } from './support/loopback-server.js';
import { TestPanel, type AjaxAnswer } from './support/panel.js';

interface Heard {
  url: URL;
  headers: IncomingMessage['headers'];
  raw: string;
  body: Record<string, unknown>;
}

let panel: TestPanel;
let server: LoopbackServer;
let base: string;
let heard: Heard[] = [];
/** The response of the other side. */
let answer: { status: number; body: unknown } = { status: 200, body: {} };

beforeAll(async () => {
  server = await serveHttp((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const raw = Buffer.concat(parts).toString();
      heard.push({ url: new URL(req.url!, base), headers: req.headers, raw, body: JSON.parse(raw) as Record<string, unknown> });
      res.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body));
    });
  });
  base = `http://127.0.0.1:${server.port}`;
  panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32' });
});
afterAll(async () => {
  await panel.close();
  await server.close();
});
beforeEach(async () => {
  heard = [];
  answer = { status: 200, body: {} };
  await panel.get(Database).repository(NoticeChannel).clear();
});

const fieldsOf = (cs: Record<string, string>) => Object.fromEntries(Object.entries(cs).map(([name, value]) => [`cs[${name}]`, value]));
const save = (lx: string, cs: Record<string, string>, more: Record<string, string> = {}) =>
  panel.admin('tdbc', { lx, name: `my ${lx}`, ...fieldsOf(cs), ...more });
async function testOf(lx: string, cs: Record<string, string>): Promise<AjaxAnswer> {
  const saved = (await save(lx, cs)) as AjaxAnswer & { id: number };
  expect(saved).toMatchObject({ success: true });
  return panel.admin('tdcs', { id: String(saved.id) });
}
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text);

describe('a message in the format of each service, and its refusal in words', () => {
  it('webhook: signed over timestamp and body', async () => {
    expect(await testOf('webhook', { url: `${base}/hook?k=1`, secret: 'whsec' })).toMatchObject({ success: true });
    const [{ url, headers, raw, body }] = heard as [Heard];
    expect(url.pathname + url.search).toBe('/hook?k=1');
    expect(headers['x-svc-signature']).toBe(`sha256=${hmac('whsec', `${String(headers['x-svc-timestamp'])}.${raw}`).digest('hex')}`);
    expect(Math.abs(Number(headers['x-svc-timestamp']) - Date.now() / 1000)).toBeLessThan(600);
    expect(body).toMatchObject({ type: 'system', level: 'info', title: '测试消息', site: 'SVC Panel', time: expect.stringMatching(/Z$/) });
    answer = { status: 410, body: 'gone for good' };
    expect((await testOf('webhook', { url: base, secret: 'x' })).code).toMatch(/HTTP 410.*gone for good/);
  });

  it('Telegram', async () => {
    answer.body = { ok: true, result: {} };
    const cs = { token: '12:AB-c', chat: '-100', server: base };
    expect(await testOf('telegram', cs)).toMatchObject({ success: true });
    expect([heard[0]!.url.pathname, heard[0]!.body.chat_id]).toEqual(['/bot12:AB-c/sendMessage', '-100']);
    expect(heard[0]!.body.text).toContain('测试消息');
    answer = { status: 400, body: { ok: false, error_code: 400, description: 'Bad Request: chat not found' } };
    expect((await testOf('telegram', cs)).code).toContain('chat not found');
  });

  it('DingTalk: signed by the time in milliseconds, refused with status 200', async () => {
    answer.body = { errcode: 0, errmsg: 'ok' };
    expect(await testOf('dingtalk', { url: `${base}/robot/send?access_token=T`, secret: 'SECx' })).toMatchObject({ success: true });
    const { searchParams } = heard[0]!.url;
    const timestamp = searchParams.get('timestamp')!;
    expect(timestamp).toMatch(/^\d{13}$/);
    expect([searchParams.get('access_token'), searchParams.get('sign')]).toEqual([
      'T',
      hmac('SECx', `${timestamp}\nSECx`).digest('base64'),
    ]);
    expect(heard[0]!.body).toMatchObject({ msgtype: 'text', text: { content: expect.stringContaining('测试消息') } });
    answer.body = { errcode: 310000, errmsg: 'sign not match' };
    expect((await testOf('dingtalk', { url: base })).code).toContain('310000 sign not match');
    expect(heard[1]!.url.search).toBe('');
  });

  it('WeCom: cut to 2,048 bytes between characters', async () => {
    answer.body = { errcode: 0, errmsg: 'ok' };
    await save('wecom', { url: `${base}/send?key=K` });
    await panel.get(Notices).send({
      to: 'administrators',
      kind: 'system',
      level: 'danger',
      key: 'long',
      title: { key: '长'.repeat(200) },
      text: { key: '文'.repeat(2_000) },
    });
    await panel.get(BackgroundQueue).idle();
    const { content } = heard[0]!.body.text as { content: string };
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(2_048);
    expect(content).toMatch(/文…$/);
    answer.body = { errcode: 93000, errmsg: 'invalid webhook url' };
    expect((await testOf('wecom', { url: base })).code).toContain('93000 invalid webhook url');
  });

  it('Feishu: signed in the body, with the text as the key', async () => {
    answer.body = { code: 0, msg: 'success' };
    expect(await testOf('feishu', { url: base, secret: 'fs' })).toMatchObject({ success: true });
    const { timestamp, sign, msg_type } = heard[0]!.body as Record<string, string>;
    expect([msg_type, sign]).toEqual(['text', hmac(`${timestamp}\nfs`, '').digest('base64')]);
    expect(timestamp).toMatch(/^\d{10}$/);
    answer.body = { code: 19021, msg: 'sign match fail or timestamp is not within one hour' };
    expect((await testOf('feishu', { url: base })).code).toContain('19021 sign match fail');
    expect(heard[1]!.body).not.toHaveProperty('sign');
  });

  it('Bark', async () => {
    answer.body = { code: 200, message: 'success' };
    expect(await testOf('bark', { key: 'dev1', server: `${base}/` })).toMatchObject({ success: true });
    expect([heard[0]!.url.pathname, heard[0]!.body.device_key]).toEqual(['/push', 'dev1']);
    answer = { status: 400, body: { code: 400, message: 'failed to get device token' } };
    expect((await testOf('bark', { key: 'x', server: base })).code).toContain('failed to get device token');
  });

  it('ntfy', async () => {
    expect(await testOf('ntfy', { topic: 'alarm', server: base, token: 'tk_1' })).toMatchObject({ success: true });
    expect(heard[0]!.headers.authorization).toBe('Bearer tk_1');
    expect(heard[0]!.body).toMatchObject({ topic: 'alarm', priority: 3, title: '[SVC Panel] 测试消息' });
    answer = { status: 403, body: { code: 40301, http: 403, error: 'forbidden' } };
    expect((await testOf('ntfy', { topic: 'alarm', server: base })).code).toContain('forbidden');
  });

  it('a page of something else does not count as success', async () => {
    answer.body = 'Welcome';
    for (const [type, cs] of [
      ['telegram', { token: 't', chat: '1', server: base }],
      ['dingtalk', { url: base }],
      ['wecom', { url: base }],
      ['feishu', { url: base }],
      ['bark', { key: 'k', server: base }],
    ] as const)
      expect([type, (await testOf(type, cs)).success]).toEqual([type, false]);
  });
});

describe('channels', () => {
  it('never show their secrets, and keep them when the form leaves them empty', async () => {
    const { id } = (await save('ntfy', { topic: 'alarm', server: base, token: 'tk_secret' })) as AjaxAnswer & { id: number };
    const row = await panel.get(Database).repository(NoticeChannel).findOneByOrFail({ id });
    expect(row.settings).toMatch(/^sealed:1:/);
    expect(JSON.stringify(await panel.admin('listtd'))).not.toContain('tk_secret');
    const form = await (await panel.adminFetch(`/admin/channel?id=${id}`)).text();
    expect([form.includes('tk_secret'), form.includes('value="alarm"')]).toEqual([false, true]);
    expect(
      await panel.admin('tdbc', { id: String(id), name: 'other', ...fieldsOf({ topic: 'second', server: base, token: '' }) }),
    ).toMatchObject({
      success: true,
    });
    await panel.admin('tdcs', { id: String(id) });
    expect([heard[0]!.body.topic, heard[0]!.headers.authorization]).toEqual(['second', 'Bearer tk_secret']);
    const elsewhere = fieldsOf({ topic: 'second', server: 'http://evil.test', token: '' });
    expect((await panel.admin('tdbc', { id: String(id), name: 'other', ...elsewhere })).fields).toEqual({
      'cs[token]': expect.any(String),
    });
    expect(await panel.admin('tdsc', { id: String(id) })).toMatchObject({ success: true });
    expect(await panel.admin('tdcs', { id: String(id) })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  });

  it('are rejected at the invalid field', async () => {
    const wrong = async (lx: string, cs: Record<string, string>, more = {}) => Object.keys((await save(lx, cs, more)).fields ?? {});
    expect(await wrong('webhook', { url: 'ftp://x', secret: '' })).toEqual(['cs[url]', 'cs[secret]']);
    expect(await wrong('ntfy', { topic: 'a', password: 'b' })).toEqual(['cs[password]']);
    expect(await wrong('ntfy', { topic: 'a' }, { sj: '' })).toEqual(['sj']);
    expect(await wrong('ntfy', { topic: 'a' }, { sj: 'weather' })).toEqual(['sj']);
    expect(await wrong('smoke-signs', {})).toEqual(['lx']);
    expect(await wrong('webhook', {}, { cs: '{"url":"http://a.test/","secret":null}' })).toEqual(['cs[secret]']);
    expect(await panel.get(Database).repository(NoticeChannel).count()).toBe(0);
  });

  it('get what administrators are notified of, once, for the kinds they accept, and it is logged', async () => {
    await save('webhook', { url: `${base}/a`, secret: 's' }, { sj: 'backup,system' });
    await save('webhook', { url: `${base}/b`, secret: 's' }, { sj: 'scan' });
    await save('webhook', { url: `${base}/c`, secret: 's' }, { kg: 'false' });
    await panel.admin('addadmin', { user: 'second01', pass: 'long enough 1', js_id: '0' });
    const tell = () =>
      panel.get(Notices).send({
        to: 'administrators',
        kind: 'system',
        level: 'info',
        key: 'shared',
        title: { key: 'common.minutes', params: { n: 5 } },
        text: { key: 'common.minutes', params: { n: 6 } },
        link: '/admin/log',
      });
    expect(await tell()).toBe(2);
    expect(await tell()).toBe(0);
    await panel.get(BackgroundQueue).idle();
    expect(heard.map(({ url, body }) => [url.pathname, body.title, body.link])).toEqual([['/a', '5 分钟', `${panel.url}/admin/log`]]);
    const [delivery] = await panel
      .get(Database)
      .repository(NoticeDelivery)
      .find({ order: { id: 'DESC' }, take: 1 });
    expect(delivery).toMatchObject({ state: 'sent', target: 'my webhook' });
  });

  it('of a user belong to that user only, and a refused message waits for the next attempt', async () => {
    const cookie = await panel.signInUser('channel01');
    const user = async (gn: string, fields: Record<string, string>) =>
      (await (
        await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn, ...fields }), headers: { Cookie: cookie } })
      ).json()) as AjaxAnswer & { id: number };
    const { id } = await user('tdbc', { lx: 'webhook', name: 'mine', ...fieldsOf({ url: `${base}/u`, secret: 's' }) });
    expect(await panel.admin('tdcs', { id: String(id) })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    const tell = (key: string) =>
      panel.get(Notices).send({
        to: { account: 'channel01' },
        kind: 'traffic',
        level: 'info',
        key,
        title: { key: 'common.minutes', params: { n: 1 } },
        text: { key: 'common.minutes', params: { n: 2 } },
      });
    answer.status = 503;
    await tell('one');
    await panel.get(BackgroundQueue).idle();
    const sent = () =>
      panel
        .get(Database)
        .repository(NoticeDelivery)
        .find({ where: { username: 'channel01' }, order: { id: 'ASC' } });
    expect(await sent()).toMatchObject([{ state: 'waiting', attempts: 1, error: { key: 'notify.channel_refused' } }]);
    expect(await user('tzsz', { traffic_channel: 'false' })).toMatchObject({ success: true });
    await tell('two');
    expect(await sent()).toHaveLength(1);
    for (let n = 0; n < 4; n += 1) await user('tdbc', { lx: 'ntfy', name: 'n', ...fieldsOf({ topic: 'a' }) });
    expect(await user('tdbc', { lx: 'ntfy', name: 'n', ...fieldsOf({ topic: 'a' }) })).toMatchObject({ success: false, err: 'E_LIMIT' });
    expect((await panel.fetch('/user/channel?type=ntfy', { headers: { Cookie: cookie } })).status).toBe(200);
    expect((await panel.fetch('/user/channel?type=nothing', { headers: { Cookie: cookie } })).status).toBe(404);
  });
});

it('do not reach internal networks, and say so', async () => {
  const { id } = (await save('webhook', { url: 'http://10.0.0.1/', secret: 's' })) as AjaxAnswer & { id: number };
  expect((await panel.admin('tdcs', { id: String(id) })).code).toContain('内网');
});
