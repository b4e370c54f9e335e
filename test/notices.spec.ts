import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { Backup } from '../src/backup/entities/index.js';
import { legacyDay } from '../src/common/index.js';
import { Database } from '../src/database/index.js';
import { DriverRegistry } from '../src/hosting/index.js';
import { JobRegistry } from '../src/jobs/index.js';
import { Notice, Notices, type NoticeDraft } from '../src/notify/index.js';
import { Deliveries } from '../src/notify/outbox/index.js';
import { Orders, SecondPayments, Settlement } from '../src/payment/index.js';

import { FakeDriver } from './support/fake-driver.js';
import { runJob } from './support/run-job.js';
import { type AjaxAnswer, TestPanel } from './support/panel.js';

let panel: TestPanel;
let notices: Notices;

beforeAll(async () => {
  panel = await TestPanel.start();
  await panel.signInUser('owner01');
  notices = panel.get(Notices);
});
afterAll(() => panel.close());

const draft = (key: string, over: Partial<NoticeDraft> = {}): NoticeDraft => ({
  to: { account: 'Owner01' },
  kind: 'system',
  level: 'info',
  key,
  title: { key: 'common.minutes', params: { n: 5 } },
  text: { key: 'common.minutes', params: { n: 1 } },
  ...over,
});
const rows = () =>
  panel
    .get(Database)
    .repository(Notice)
    .find({ order: { id: 'ASC' } });

it('notices are created once for the same event, however many report it at once', async () => {
  const told = await Promise.all(Array.from({ length: 8 }, () => notices.send(draft('once'))));
  expect(told.reduce((sum, n) => sum + n, 0)).toBe(1);
  expect(await notices.send(draft('twice'))).toBe(1);
  expect((await rows()).map(({ username, key, isRead }) => [username, key, isRead])).toEqual([
    ['owner01', 'once', false],
    ['owner01', 'twice', false],
  ]);
});

it('notices are not created for a rolled-back transaction', async () => {
  await expect(
    panel.get(Database).transaction(async () => {
      await notices.send(draft('undone'));
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect((await rows()).map(({ key }) => key)).not.toContain('undone');
  expect(await notices.send(draft('undone'))).toBe(1);
});

it('notices reach every administrator, and nobody when the account does not exist', async () => {
  expect(await notices.send(draft('all', { to: 'administrators' }))).toBe(1);
  expect((await rows()).at(-1)).toMatchObject({ side: 'admin', username: 'admin', title: '5 分钟' });
  expect(await notices.send(draft('nobody', { to: { account: 'nobody' } }))).toBe(0);
});

it.each([{ key: '' }, { key: 'k'.repeat(161) }, { link: 'https://evil.test/' }, { link: '//evil.test' }, { link: '/\\evil.test' }])(
  'notices reject %j',
  async (over) => {
    await expect(notices.send(draft('fine', over))).rejects.toThrow(/notice/);
  },
);

describe('the notices of a user', () => {
  let cookie: string;
  const user = async (gn: string, fields: Record<string, string> = {}, language = 'zh-CN') => {
    const response = await panel.fetch('/user/ajax.php', {
      method: 'POST',
      body: new URLSearchParams({ gn, ...fields }),
      headers: { Cookie: cookie, 'Accept-Language': language },
    });
    return (await response.json()) as AjaxAnswer & { msg: { logs: Record<string, unknown>[]; total: number; total_pages: number } };
  };
  const page = async (path: string, language = 'zh-CN') =>
    (await panel.fetch(path, { headers: { Cookie: cookie, 'Accept-Language': language } })).text();

  beforeAll(async () => {
    cookie = await panel.signInUser('reader01');
    for (const n of [1, 2, 3]) {
      const words = { title: { key: 'common.minutes', params: { n } }, text: { key: 'common.minutes', params: { n: 10 * n } } };
      const kind = n === 3 ? 'traffic' : 'monitor';
      await notices.send(draft(`box-${n}`, { to: { account: 'reader01' }, ...words, kind, level: 'warning', link: '/user/orders' }));
    }
  });

  it('have the format deployed front ends read', async () => {
    const { qk, msg } = await user('notice_list', { type: 'monitor', read: 'false', page_size: '10' });
    expect([qk, msg.total, msg.total_pages]).toEqual([1, 2, 1]);
    expect(msg.logs[0]).toMatchObject({
      user: 'reader01',
      type: 'monitor',
      level: 'warning',
      title: '2 分钟',
      content: '20 分钟',
      is_read: 'false',
    });
    expect(msg.logs[0]!.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect((await user('notice_list', { keyword: '30 ' })).msg.total).toBe(1);
    expect((await user('notice_list', {}, 'en')).msg.logs[0]).toMatchObject({ title: '3 minutes', content: '30 minutes' });
  });

  it.each<Record<string, string>>([{ page_size: '11' }, { type: 'weather' }, { level: 'loud' }, { read: 'maybe' }])(
    'reject %j by name',
    async (fields) => {
      expect(await user('notice_list', fields)).toMatchObject({ success: false, err: 'E_ARGS' });
    },
  );

  it('are counted at the bell, read and emptied, and inaccessible to others', async () => {
    expect(await page('/user/orders', 'en')).toContain('Unread notices: 3');
    const [newest] = (await user('notice_list')).msg.logs;
    const others = (await rows()).find(({ username }) => username === 'owner01')!;
    expect(await user('notice_read', { id: String(others.id) })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await user('notice_sc', { idsz: String(others.id) })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await user('notice_sc')).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await user('notice_read', { id: String(newest!.id) })).toMatchObject({ success: true, code: '操作成功' });
    expect(await user('notice_read', { id: String(newest!.id) })).toMatchObject({ success: true });
    expect((await user('notice_list', { read: 'false' })).msg.total).toBe(2);
    const html = await page('/user/notices', 'en');
    expect(html).toContain('Unread notices: 2');
    expect(html).toContain('href="/user/orders"');
    expect(await user('notice_read')).toMatchObject({ success: true });
    expect(await page('/user/notices', 'en')).not.toContain('aria-label="Unread notices');
    expect(await user('notice_sc', { id: String(newest!.id) })).toMatchObject({ success: true });
    expect((await user('notice_list')).msg.total).toBe(2);
    expect((await rows()).find(({ id }) => id === others.id)).toMatchObject({ isRead: false });
  });

  it('include messages from an administrator, to names, a server or all, shown as text', async () => {
    const title = '<img src=x onerror=alert(1)>';
    const send = (fields: Record<string, string>) => panel.admin('tzfs', { title, content: '明天维护', ...fields });
    expect(await send({ to: 'user', user: 'reader01, nobody9' })).toMatchObject({
      success: false,
      fields: { user: expect.stringContaining('nobody9') },
    });
    expect(await send({ to: 'node' })).toMatchObject({ success: false, fields: { btdh: expect.any(String) } });
    expect(await send({ to: 'node', btdh: 'elsewhere' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await send({ to: 'user', user: 'READER01' })).toMatchObject({ success: true, n: 1 });
    expect(await send({ to: 'node', btdh: 'local' })).toMatchObject({ success: true, n: 2 });
    expect(await send({ to: 'all' })).toMatchObject({ success: true, n: 2 });
    const html = await page('/user/notices');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toContain('<img src=x');
    const sent = (await panel.admin('listtz', { user: 'reader' })) as unknown as { total: number; rows: { id: number; title: string }[] };
    expect([sent.total, sent.rows[0]!.title]).toEqual([5, title]);
    expect(await panel.admin('tzsc', { idsz: `${sent.rows[0]!.id},${sent.rows[1]!.id}` })).toMatchObject({ success: true });
    expect((await user('notice_list')).msg.total).toBe(3);
  });

  it('are closed to anyone not signed in', async () => {
    for (const gn of ['notice_list', 'notice_read', 'notice_sc', 'listwdtz', 'gglist']) {
      const response = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn }) });
      expect(await response.json()).toEqual({ code: '请登陆' });
    }
  });
});

it('are deleted after a year', async () => {
  await notices.send(draft('old-one'));
  await notices.send(draft('young-one'));
  const table = panel.get(Database).repository(Notice);
  await table.update({ key: 'old-one' }, { createdAt: new Date(Date.now() - 366 * 86_400_000) });
  await table.update({ key: 'young-one' }, { createdAt: new Date(Date.now() - 364 * 86_400_000) });
  const before = await table.count();
  await runJob(panel.get(JobRegistry), 'notice-retention');
  expect([await table.countBy({ key: 'old-one' }), await table.countBy({ key: 'young-one' }), await table.count()]).toEqual([
    0,
    1,
    before - 1,
  ]);
});

describe('announcements', () => {
  const day = (days: number) => legacyDay(new Date(Date.now() + days * 86_400_000), 'Asia/Shanghai');
  const announce = (fields: Record<string, string>) => panel.admin('ggtj', { title: 'News', content: 'text', ...fields });
  const home = async (cookie: string, path = '/user/') => (await panel.fetch(path, { headers: { Cookie: cookie } })).text();

  it('are shown on their days, to their audience, as Markdown without scripts', async () => {
    const cookie = await panel.signInUser('reader02');
    await announce({
      title: 'Tonight',
      content: '# Maintenance\n\n**All** <script>alert(1)</script> [x](javascript:alert(1))',
      datea: day(0),
      dateb: day(0),
    });
    await announce({ title: 'Tomorrow', datea: day(1) });
    await announce({ title: 'Yesterday', dateb: day(-1) });
    expect(await announce({ title: 'Elsewhere', btdh: 'other-server' })).toMatchObject({
      success: false,
      fields: { btdh: expect.any(String) },
    });
    panel.get(DriverRegistry).register(new FakeDriver());
    await panel.admin('addbt', { bh: 'Other-Server', driver: 'fake', ip: '127.0.0.1' });
    expect(await announce({ title: 'Elsewhere', btdh: 'other-server' })).toMatchObject({ success: true });
    await announce({ title: 'Local users', btdh: 'local', hf: 'false', level: 'danger' });
    const banners = await home(cookie);
    expect([banners.includes('Tonight'), banners.includes('Local users')]).toEqual([true, false]);
    const html = await home(cookie, '/user/announcements');
    expect(html).toMatch(/<h1>Maintenance<\/h1>/);
    expect(html).toContain('<strong>All</strong>');
    const listed = await panel.fetch('/user/ajax.php', {
      method: 'POST',
      body: new URLSearchParams({ gn: 'gglist' }),
      headers: { Cookie: cookie },
    });
    expect(JSON.stringify(await listed.json())).toContain('<strong>All</strong>');
    expect(html).toContain('Local users');
    for (const gone of ['Tomorrow', 'Yesterday', 'Elsewhere', 'javascript:alert', '<script>alert'])
      expect([gone, html.includes(gone)]).toEqual([gone, false]);
    expect(await announce({ datea: day(1), dateb: day(0) })).toMatchObject({ success: false, fields: { dateb: expect.any(String) } });
    expect(await announce({ datea: 'soon' })).toMatchObject({ success: false, fields: { datea: expect.any(String) } });
  });

  it('are changed by one person at a time, and deleted', async () => {
    const { rows: listed } = (await panel.admin('gglist')) as unknown as { rows: Record<string, string>[] };
    const { id, row_version } = listed.find(({ title }) => title === 'Tonight')!;
    const change = (title: string) => panel.admin('ggxg', { id: String(id), title, content: 'x', row_version: String(row_version) });
    expect(await change('Now')).toMatchObject({ success: true });
    expect(await change('Then')).toMatchObject({ success: false, err: 'E_CONFLICT' });
    expect(await panel.admin('ggsc', { id: String(id) })).toMatchObject({ success: true });
    expect(await panel.admin('ggsc', { id: String(id) })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await change('Gone')).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  });
});

describe('tasks for administrators', () => {
  const told = async (kind: string) => (await rows()).filter((row) => row.kind === kind).map(({ title, content }) => `${title} ${content}`);

  it('failing backups are reported once, and so is their recovery', async () => {
    const backups = panel.get(Database).repository(Backup);
    const end = async (state: 'done' | 'failed', error: string | null = null) => {
      const startedAt = new Date();
      await backups.insert({ name: `svc-${state}`, place: 'folder', cause: 'schedule', state, error, startedAt, leaseUntil: startedAt });
      return runJob(panel.get(JobRegistry), 'backup-notices');
    };
    await end('done');
    expect(await told('backup')).toEqual([]);
    await end('failed', '{"key":"backup.disk_full"}');
    await end('failed', 'the bucket is gone');
    await end('done');
    await end('done');
    await end('failed', 'once more');
    expect(await told('backup')).toEqual([
      expect.stringMatching(/^备份失败 svc-failed：磁盘已满/),
      expect.stringMatching(/^备份已恢复正常/),
      expect.stringMatching(/^备份失败 .*once more/),
    ]);
  });

  describe('an order that was paid twice', () => {
    const bought = async (): Promise<string> => {
      const order = { user: 'owner01', scene: 'test', name: 'twice', amount: 990, type: 'sandbox__test' };
      const { number } = await panel.get(Orders).create(order);
      await pay(number, 'T1');
      return number;
    };
    const pay = (number: string, trade: string) =>
      panel.get(Settlement).settle(number, 'sandbox', { money: '9.90', trade_no: `${trade}-${number}` });
    const toldOf = async (number: string) => (await told('payment')).filter((text) => text.includes(number));
    const written = async (number: string) => panel.get(SecondPayments).of((await panel.get(Orders).get(number))!.id);

    it('is reported with the payment, and never again', async () => {
      const number = await bought();
      for (const trade of ['T1', 'T2', 'T2']) await pay(number, trade);
      expect(await toldOf(number)).toEqual([expect.stringMatching(new RegExp(`${number} 重复付款 .*9\\.90.*T2-${number}`))]);
    });

    it('is reported once, however many report it at once', async () => {
      const number = await bought();
      const results = await Promise.all(Array.from({ length: 10 }, (_, n) => pay(number, n % 2 === 0 ? 'T3' : 'T4')));
      expect(results.filter(({ ok, already }) => !ok || !already)).toEqual([]);
      expect((await written(number)).map(({ tradeNumber }) => tradeNumber.slice(0, 2)).sort()).toEqual(['T3', 'T4']);
      expect((await toldOf(number)).map((text) => /T[34]/.exec(text)![0]).sort()).toEqual(['T3', 'T4']);
    });

    it('is either reported or not stored, and the repeated notification of the gateway reports it', async () => {
      const number = await bought();
      const rest = vi.spyOn(panel.get(Deliveries), 'planShared').mockRejectedValueOnce(new Error('the disk is full'));
      await expect(pay(number, 'T5')).rejects.toThrow('the disk is full');
      expect(rest).toHaveBeenCalledOnce();
      expect([await written(number), await toldOf(number)]).toEqual([[], []]);
      expect(await pay(number, 'T5')).toMatchObject({ ok: true, already: true });
      expect([(await written(number)).length, (await toldOf(number)).length]).toEqual([1, 1]);
    });
  });
});
