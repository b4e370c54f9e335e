import { Like } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PanelClient } from '../../test/support/panel-client.js';
import { TestPanel } from '../../test/support/panel.js';
import { tidyHtml } from '../../test/support/tidy-html.js';
import { Database } from '../database/index.js';
import { AuditLog, OperationLog } from '../operations/index.js';
import { SiteSettings } from '../site/index.js';

import { LogDeletionOperations } from './log-deletion.operations.js';

const DAY = 86_400_000;

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

const lines = () => panel.get(Database).repository(OperationLog);
/** A line that is so many days old. @returns its id */
async function aged(days: number, category = 'made-up'): Promise<string> {
  await panel.get(AuditLog).write({ actor: 'tester', category, summary: `${days} days old`, ip: '192.0.2.1', outcome: 'ok' });
  const [line] = await lines().find({ order: { id: 'DESC' }, take: 1 });
  await lines().update({ id: line!.id }, { createdAt: new Date(Date.now() - days * DAY) });
  return String(line!.id);
}
const isThere = (id: string) => lines().existsBy({ id: Number(id) });
const list = async (client: PanelClient, side: 'admin' | 'user', fields: Record<string, string> = {}) =>
  (await client.ajax(side, { gn: 'wdlog', limit: '100', ...fields })).json.rows as Record<string, string>[];

it('translates kinds of actions for the reader, also those of older panels', async () => {
  const kinds = { 登陆: 'Sign-in', 登录: 'Sign-in', 支付回调: 'Payment callback', API: 'Provisioning API' };
  for (const [category, words] of Object.entries(kinds)) {
    const id = await aged(0, category);
    const page = await panel.adminFetch(`/admin/log-line?id=${id}`, { headers: { 'Accept-Language': 'en' } });
    const text = await page.text();
    const told = text.slice(text.indexOf('<dl'), text.indexOf('</dl'));
    expect(told).toContain(words);
    expect(told).toContain('>Done<');
    expect(told).not.toMatch(/[\u4e00-\u9fff]/);
  }
  for (const lx of ['sign_in', '登陆', 'payment_notification', '支付回调']) {
    const { rows } = await panel.admin('listlog', { lx, limit: '100' });
    expect((rows as unknown as { czuser: string }[]).some(({ czuser }) => czuser === 'tester')).toBe(true);
  }
});

describe('deleting lines of the operation log', () => {
  it('never deletes lines younger than 30 days, or lines about deletions', async () => {
    const [young, old, older, note] = [await aged(29), await aged(31), await aged(400), await aged(400, 'logclear')];
    expect(await panel.admin('logsc', { id: young })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await panel.admin('logsc', { id: note })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await panel.admin('logsc', { id: '99999999' })).toMatchObject({ err: 'E_NOTEXIST' });
    expect(await panel.admin('logscxz', { idsz: [young, old, note].join(',') })).toMatchObject({ code: 1, codr: 2 });
    for (const days of ['29', '0', '-1', 'x']) expect(await panel.admin('logclear', { days })).toMatchObject({ success: false });
    expect(await panel.admin('logclear', { days: '500' })).toMatchObject({ success: true });
    expect([await isThere(young), await isThere(old), await isThere(older), await isThere(note)]).toEqual([true, false, true, true]);
    expect(await panel.admin('logclear')).toMatchObject({ success: true });
    expect([await isThere(young), await isThere(older), await isThere(note)]).toEqual([true, false, true]);
    const kinds = (await panel.admin('listlog', { limit: '100' })).rows.map((row) => (row as unknown as { lx: string }).lx);
    for (const kind of ['logscxz', 'logclear']) expect(kinds).toContain(kind);
  });

  describe('whose line cannot be written, or that is cut off', () => {
    const database = () => panel.get(Database);
    /** Has the engine refuse something with the log. */
    async function refusing(when: 'INSERT' | 'DELETE', condition: string, work: () => Promise<void>): Promise<void> {
      const refuse =
        database().engine === 'sqlite'
          ? `BEGIN SELECT CASE WHEN ${condition} THEN RAISE(ABORT, 'no more') END; END`
          : `FOR EACH ROW BEGIN IF ${condition} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no more'; END IF; END`;
      await database().dataSource.query(`CREATE TRIGGER refuses_of_log BEFORE ${when} ON SVC_log ${refuse}`);
      try {
        await work();
      } finally {
        await database().dataSource.query('DROP TRIGGER refuses_of_log');
      }
    }
    const newest = async (category: string) => (await lines().find({ where: { category }, order: { id: 'DESC' }, take: 1 }))[0]!;

    it.each([
      ['logsc', (id: string) => ({ id })],
      ['logscxz', (id: string) => ({ idsz: id })],
      ['logclear', () => ({ days: '40' })],
    ])('%s deletes nothing without it', async (gn, fields) => {
      const id = await aged(50);
      await refusing('INSERT', `NEW.lx = '${gn}'`, async () => {
        expect(await panel.admin(gn, fields(id))).toMatchObject({ success: false });
      });
      expect(await isThere(id)).toBe(true);
      expect(await panel.admin(gn, fields(id))).toMatchObject({ success: true });
      expect([await isThere(id), (await newest(gn)).summary]).toEqual([false, expect.stringMatching(gn === 'logsc' ? id : /1 条$/)]);
      expect(await newest(gn)).toMatchObject({ actor: 'admin', side: 'admin', outcome: 'ok' });
    });

    it('records how many were deleted so far, and the next one continues', async () => {
      const createdAt = new Date(Date.now() - 60 * DAY);
      const many = Array.from({ length: 1_500 }, (_, n) => ({ actor: 'tester', category: 'made-up', summary: `line ${n}`, createdAt }));
      await lines().insert(many.slice(0, 800));
      await lines().insert(many.slice(800));
      const left = () => lines().countBy({ actor: 'tester', summary: Like('line %') });
      await refusing('DELETE', "OLD.lr = 'line 1200'", async () => {
        expect(await panel.admin('logclear', { days: '40' })).toMatchObject({ success: false });
      });
      expect([await left(), (await newest('logclear')).summary]).toEqual([500, '清空操作日志，共 1000 条']);
      expect(await panel.admin('logclear', { days: '40' })).toMatchObject({ success: true });
      expect([await left(), (await newest('logclear')).summary]).toEqual([0, '清空操作日志，共 500 条']);
      const page = await panel.fetch('/admin/log', { headers: { Cookie: `${panel.adminCookie}; lang=en` } });
      expect(await page.text()).toMatch(/500/);
    });
  });

  it('runs automatically after the configured days, at least 30', async () => {
    const job = panel.get(LogDeletionOperations);
    const [young, old] = [await aged(40), await aged(70)];
    expect(await job.removeOld()).toBe(0);
    for (const days of ['1', '29', '3651', '-1']) expect(await panel.admin('logsz', { days })).toMatchObject({ success: false });
    expect(await panel.admin('logsz', { days: '60' })).toMatchObject({ success: true });
    await job.removeOld();
    expect([await isThere(young), await isThere(old)]).toEqual([true, false]);
    await panel.get(SiteSettings).change({ logDays: 5 });
    const month = await aged(29);
    await job.removeOld();
    expect([await isThere(young), await isThere(month)]).toEqual([false, true]);
    await panel.admin('logsz', { days: '0' });
  });
});

describe('a line', () => {
  it('names account and request, and is plain text whatever it contains', async () => {
    await panel.get(AuditLog).write({ actor: 'x', category: '<i>', summary: '<img src=x onerror=alert(1)>', ip: '', outcome: '=1+1' });
    const [last] = await lines().find({ order: { id: 'DESC' }, take: 1 });
    const page = await panel.adminFetch(`/admin/log-line?id=${last!.id}`);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toContain('<img src=x');
    for (const id of ['99999999', 'x', '']) expect((await panel.adminFetch(`/admin/log-line?id=${id}`)).status).toBe(404);
    await panel.admin('setwz', { qq: '10001' });
    const [line] = await lines().find({ where: { category: 'setwz' }, order: { id: 'DESC' }, take: 1 });
    expect((await panel.admin('logsj', { id: String(line!.id) })).data).toMatchObject({ lx: 'setwz', bd: 'admin', zh_id: line!.accountId });
    expect(await panel.admin('logsj', { id: '99999999' })).toMatchObject({ err: 'E_NOTEXIST' });
  });

  it('is found by kind and time, and exported to a file without formulas', async () => {
    const kinds = (await panel.admin('loglx')).rows as unknown as { lx: string; sl: number }[];
    expect(kinds.find(({ lx }) => lx === 'setwz')!.sl).toBe(1);
    await aged(10, 'ten-days');
    const within = async (sj: string) => (await panel.admin('listlog', { lx: 'ten-days', sj })).rows.length;
    expect([await within('7'), await within('30')]).toEqual([0, 1]);
    const answer = await panel.admin('logdc', { lx: '<i>', where: JSON.stringify({ name: 'czuser', type: '2', value: 'x' }) });
    const file = await (await panel.adminFetch(String(answer.data.url))).text();
    expect(file).toContain("'=1+1");
    expect(file.trimEnd().split('\r\n')).toHaveLength(2);
  });
});

describe('one’s own lines', () => {
  it("are the account's actions and attempts to sign in to it, not those of a previous account with the name", async () => {
    const pass = 'secret-pass-1';
    const { data } = await panel.admin('addzj', { user: 'alice001', pass, btdh: 'local' });
    await panel.admin('addzj', { user: 'bob00001', pass, btdh: 'local' });
    await new PanelClient(panel.url).ajax('user', { gn: 'login', user: 'ALICE001', pass: 'wrong' });
    const alice = await new PanelClient(panel.url).login('user', 'alice001', pass);
    const bob = await new PanelClient(panel.url).login('user', 'bob00001', pass);
    await alice.ajax('user', { gn: 'xgpass', yp: pass, pass: 'another-secret' });
    const mine = await list(alice, 'user');
    expect(mine.map(({ lx }) => lx)).toEqual(['xgpass', '登陆', '登陆']);
    expect([mine[1]!.qk, mine[2]!.qk]).toEqual(['ok', expect.not.stringMatching(/^ok$/)]);
    expect((await list(alice, 'user', { lx: 'sign_in' })).length).toBe(2);
    expect((await list(bob, 'user')).map(({ lx }) => lx)).toEqual(['登陆']);
    await panel.admin('zjsc', { id: String(data.id) });
    await panel.admin('addzj', { user: 'alice001', pass, btdh: 'local' });
    const heir = await new PanelClient(panel.url).login('user', 'alice001', pass);
    expect((await list(heir, 'user')).length).toBe(1);
    const boss = await new PanelClient(panel.url).login('admin', 'admin', 'svc-panel-admin');
    const rows = await list(boss, 'admin');
    expect(rows.some(({ lx }) => lx === 'addzj')).toBe(true);
    expect(rows.some(({ lx }) => lx === 'xgpass')).toBe(false);
    for (const [client, side] of [
      [boss, 'admin'],
      [heir, 'user'],
    ] as const)
      expect((await client.send(`/${side}/sessions`, { headers: { 'Accept-Language': 'en' } })).text).toContain('id="history"');
  });
});

it('describes the browsers of sign-ins, with the full user agent on request', async () => {
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0 <b>';
  const client = new PanelClient(panel.url);
  const entered = { gn: 'login', user: 'admin', pass: 'svc-panel-admin' };
  expect((await client.ajax('admin', entered, { 'User-Agent': agent })).json).toMatchObject({ success: true });
  const { rows } = await panel.admin('listhh');
  expect(rows).toContainEqual(expect.objectContaining({ ua: agent, uamc: expect.stringMatching(/Firefox/) as string }));
  const page = await panel.adminFetch('/admin/sessions', { headers: { 'Accept-Language': 'en' } });
  expect(tidyHtml(await page.text())).toContain('<summary>Firefox on Windows</summary><pre>Mozilla/5.0 (Windows NT');
});
