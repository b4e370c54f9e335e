/** The consequences of forbidden words reported by agents: rows, notices, pauses, exceptions and numbers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { ForbiddenAllow, ForbiddenMatch, ForbiddenScan } from '../../src/agents/index.js';
import { ScanConsequences } from '../../src/agents/scans/index.js';
import { Database } from '../../src/database/index.js';
import { HostingAccount, HostingService } from '../../src/hosting/index.js';
import { BackgroundQueue, type TaskTurn } from '../../src/jobs/index.js';
import { Notice } from '../../src/notify/index.js';

import { TestAgent, createAgentNode } from '../support/agent.js';
import { TestPanel } from '../support/panel.js';

const MARKUP = '<img src=x onerror=alert(1)>';

let panel: TestPanel;
let database: Database;
let agent: TestAgent;
let foreign: string;
let ids: Record<string, number>;
/** Names of the hosts' folders. */
let sites: Record<string, string>;
let reported = 0;

beforeAll(async () => {
  panel = await TestPanel.start();
  database = panel.get(Database);
  const { node_id, config } = (await panel.admin('addnode', { bt_id: '1' })).data as { node_id: string; config: Record<string, string> };
  const secrets = { platformSecret: config.platform_secret!, nodeSecret: config.node_secret! };
  agent = new TestAgent(panel.url, node_id, secrets, () => Date.now());
  for (const user of ['alice001', 'bob00001', 'carol001']) await panel.signInUser(user);
  const accounts = database.repository(HostingAccount);
  // Carol's host is on another server.
  ({ nodeId: foreign } = await createAgentNode(database, 'elsewhere'));
  const [server] = await database.dataSource.query(
    'SELECT b.btdh AS code FROM SVC_node n JOIN SVC_bt b ON b.id = n.bt_id WHERE n.node_id = ?',
    [foreign],
  );
  await accounts.update({ username: 'carol001' }, { nodeCode: (server as { code: string }).code });
  const hosts = await accounts.find();
  sites = Object.fromEntries(hosts.map(({ username, siteName }) => [username, siteName]));
  ids = Object.fromEntries(hosts.map(({ username, id }) => [username, id]));
});
afterAll(() => panel?.close());
beforeEach(async () => {
  // Pending notices of the previous spec are sent before they are deleted.
  await panel.get(BackgroundQueue).idle();
  for (const entity of [ForbiddenMatch, ForbiddenScan, ForbiddenAllow, Notice]) {
    await database.repository<object>(entity).createQueryBuilder().delete().execute();
  }
  await panel.admin('savescancfg', { stz: '1', szt: '0' });
});

const match = (path: string, keyword = 'bad', more: object = {}) => ({
  site: '',
  type: 'file',
  path,
  line: 1,
  keyword,
  excerpt: `so ${keyword}`,
  ...more,
});
const inSite = (user: string, file = 'index.php') => `/www/wwwroot/${sites[user]}/${file}`;
const report = (matches: unknown[], task_id = `scan_incremental_${(reported += 1)}`) =>
  agent.call('report_result', { task_id, status: 'success', result: { matches }, error: '' });
/** Reports, and waits for the consequences. */
async function found(...matches: unknown[]): Promise<void> {
  expect(await report(matches)).toMatchObject({ success: true });
  await panel.get(BackgroundQueue).idle();
}
const list = async (gn: string, fields: Record<string, string> = {}) =>
  (await panel.admin(gn, { limit: '100', ...fields })) as unknown as { total: number; rows: Record<string, string>[] };
const notices = async () =>
  (await database.repository(Notice).find({ order: { id: 'ASC' } })).map(({ side, username, kind, level }) =>
    [side, username, kind, level].join(' '),
  );
const reasons = async (user: string) => (await panel.get(HostingService).get(user))!.pauseReasons;
const page = async (path: string, language = 'en') => (await panel.adminFetch(path, { headers: { 'Accept-Language': language } })).text();

describe('an administrator’s actions on matches (wjccl, wjcbmd)', () => {
  const act = (fields: Record<string, string>) => panel.admin('wjccl', fields) as unknown as Promise<Record<string, unknown>>;
  const matches = async () => (await list('listforbiddenmatch')).rows;

  it('notify the owner once a day, pause the host, and ignore allowed matches from now on', async () => {
    await panel.admin('savescancfg', { stz: '0' });
    await found(match(inSite('bob00001')), match(inSite('bob00001'), 'worse'), match('/etc/motd'));
    const rows = await matches();
    const [first, second] = rows.filter(({ user }) => user === 'bob00001').map(({ id }) => id!);
    const outside = rows.find(({ user }) => user === '')!.id!;
    expect(await notices()).toEqual([]);
    for (let n = 0; n < 2; n += 1) expect(await act({ id: first!, cz: 'tz' })).toMatchObject({ success: true, done: 1 });
    expect(await notices()).toEqual(['user bob00001 scan warning']);
    expect(await act({ idsz: `${first},${outside},999999`, cz: 'zt' })).toMatchObject({ success: true, done: 1, failed: 2 });
    expect(await reasons('bob00001')).toEqual(['scan']);
    await panel.admin('zjjcwj', { id: String(ids.bob00001) });
    expect(await act({ id: outside, cz: 'tz' })).toMatchObject({ success: false, done: 0, failed: 1 });
    expect(await act({ idsz: JSON.stringify([first, second]), cz: 'hl' })).toMatchObject({ success: true, done: 2 });
    expect((await matches()).map(({ id }) => id)).toEqual([outside]);
    await found(match(inSite('bob00001')));
    expect((await matches()).filter(({ user }) => user === 'bob00001')).toEqual([]);
  });

  it('reject unknown values, and say why a file stays in place', async () => {
    await found(match(inSite('alice001')));
    const [{ id }] = (await matches()) as [{ id: string }];
    for (const fields of [
      { id },
      { id, cz: 'x' },
      { cz: 'tz' },
      { idsz: '', cz: 'tz' },
      { idsz: Array.from({ length: 501 }, (_, n) => n + 1).join(), cz: 'tz' },
    ])
      expect(await act(fields as unknown as Record<string, string>)).toMatchObject({ success: false, err: 'E_ARGS' });
    const answer = await act({ id, cz: 'gl' });
    expect(answer).toMatchObject({ success: false, failed: 1 });
    expect(String(answer.code)).not.toMatch(/undefined|node\./);
    expect((await list('listwjgl')).total).toBe(0);
    expect(await page('/admin/scans')).toContain('Notify the owner');
    expect(await page('/admin/scans', 'zh-CN')).toContain('通知网站主');
  });

  it('manage the allow list with one name as with three', async () => {
    const rule = async (fields: Record<string, string>) =>
      (await panel.admin('wjcbmd', fields)) as unknown as { success?: boolean; total?: number; rows?: Record<string, string>[] };
    expect(await rule({ cz: 'add', word: 'fine', user: 'alice001' })).toMatchObject({ success: true });
    const { rows } = await rule({ cz: 'list' });
    expect(rows).toEqual([expect.objectContaining({ keyword: 'fine', user: 'alice001' })]);
    expect(await rule({ cz: 'add' })).toMatchObject({ success: false });
    expect(await rule({ cz: 'del' })).toMatchObject({ err: 'E_NOTEXIST' });
    expect(await rule({ cz: 'del', id: rows![0]!.id! })).toMatchObject({ success: true });
    expect((await list('listwjbmd')).total).toBe(0);
    expect(await rule({ cz: 'clear' })).toMatchObject({ err: 'E_ARGS' });
  });
});

describe('a match', () => {
  it('links to its host and file, and is notified once', async () => {
    await found(match(inSite('alice001')), match(inSite('alice001'), 'worse'), match('/etc/motd'));
    expect(await notices()).toEqual(['admin admin scan warning', 'user alice001 scan warning']);
    const { rows } = await list('listforbiddenmatch');
    expect(rows.map(({ user, host_id }) => [user, host_id])).toEqual([
      ['', ''],
      ['alice001', String(ids.alice001)],
      ['alice001', String(ids.alice001)],
    ]);
    const html = await page('/admin/scans');
    expect(html).toContain('href="/admin/hosts?q=alice001&amp;in=user"');
    expect(html).toContain(`href="/admin/scans?file_of=${rows[1]!.id}#matches"`);
    expect((await list('listforbiddenmatch', { file_of: rows[1]!.id! })).total).toBe(2);
    expect((await list('listforbiddenmatch', { host_id: String(ids.alice001) })).total).toBe(2);
    expect((await list('listforbiddenmatch', { file_of: '999999' })).total).toBe(0);
    // Retried after a crash: nobody is notified twice.
    const [scan] = await database.repository(ForbiddenScan).find();
    const turn = { signal: new AbortController().signal, progress: () => undefined } as unknown as TaskTurn;
    await database.repository(ForbiddenMatch).update({ scanId: scan!.id }, { pending: true });
    await panel.get(ScanConsequences).process({ scanId: scan!.id }, turn);
    await panel.get(ScanConsequences).process({ scanId: 999_999 }, turn);
    expect(await notices()).toHaveLength(2);
  });

  it('is never attributed to the wrong owner: not to another server’s host, a folder’s name, a log or a relative path', async () => {
    await panel.admin('savescancfg', { szt: '1' });
    await found(
      match(inSite('carol001')),
      match(`/www/wwwroot/nobody01/${sites.bob00001}/x.php`),
      match(`/www/wwwroot/${sites.bob00001}`),
      match(`/www/wwwroot/${sites.bob00001}/../${sites.alice001}/x.php`),
      match(`/srv/www/wwwroot/${sites.bob00001}/x.php`),
      match(inSite('bob00001'), 'bad', { type: 'log' }),
      match('x', 'bad', { type: 'database', table: sites.bob00001, field: 'a', id: 1, site: sites.bob00001 }),
    );
    expect(await notices()).toEqual(['admin admin scan warning']);
    for (const user of ['alice001', 'bob00001', 'carol001']) expect([user, await reasons(user)]).toEqual([user, []]);
    await database.repository(ForbiddenScan).update({ nodeId: agent.nodeId }, { nodeId: foreign });
  });
});

describe('a pause', () => {
  it('requires the configured number of matches, is lifted by a person, and does not return for the same ones', async () => {
    await panel.admin('savescancfg', { szt: '3' });
    const files = ['a.php', 'b.php', 'c.php'].map((file) => match(inSite('bob00001', file)));
    await found(...files.slice(0, 2), match(inSite('alice001', 'p.php')));
    expect(await reasons('bob00001')).toEqual([]);
    await found(...files);
    expect(await reasons('bob00001')).toEqual(['scan']);
    expect(await reasons('alice001')).toEqual([]);
    expect((await notices()).slice(-2)).toEqual(['admin admin scan danger', 'user bob00001 scan danger']);
    const hosts = await page('/admin/hosts');
    expect(hosts).toContain('data-ajax="zjjcwj"');
    expect(await panel.admin('zjjc', { id: String(ids.bob00001) })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await panel.admin('zjjcwj', { id: String(ids.bob00001) })).toMatchObject({ success: true });
    expect(await panel.admin('zjjcwj', { id: String(ids.bob00001) })).toMatchObject({ success: false, err: 'E_STATE' });
    await found(...files);
    await found(...files, match(inSite('alice001', 'q.php')));
    expect(await reasons('bob00001')).toEqual([]);
    await found(...files, match(inSite('bob00001', 'd.php')));
    expect(await reasons('bob00001')).toEqual(['scan']);
    await panel.admin('zjjcwj', { id: String(ids.bob00001) });
    expect(await panel.admin('zjztwj', { id: String(ids.bob00001) })).toMatchObject({ success: true });
    expect(await reasons('bob00001')).toEqual(['scan']);
    await panel.admin('zjjcwj', { id: String(ids.bob00001) });
  });

  it('happens only if enabled, and so do notices', async () => {
    await panel.admin('savescancfg', { stz: '0' });
    await found(match(inSite('alice001', 'quiet.php')));
    expect(await notices()).toEqual([]);
    for (const fields of [{ stz: '-1' }, { szt: '5001' }, { szt: 'x' }] as Record<string, string>[])
      expect(await panel.admin('savescancfg', fields)).toMatchObject({ success: false, err: 'E_ARGS' });
  });
});

describe('reports', () => {
  it('that are identical share one row, at once or later, with the time they were last seen', async () => {
    const same = () => report([match(inSite('alice001', 'e.php')), match(inSite('alice001', 'f.php'))]);
    const answers = await Promise.all([same(), same(), same()]);
    expect(answers.map(({ accepted }) => accepted).filter(Boolean)).toHaveLength(1);
    expect(await database.repository(ForbiddenScan).count()).toBe(1);
    expect(await database.repository(ForbiddenMatch).count()).toBe(2);
    // In another order they are identical; with one more match they differ.
    await report([match(inSite('alice001', 'f.php')), match(inSite('alice001', 'e.php'))]);
    const [seen, ...more] = (await list('listforbiddenscan')).rows;
    expect(more).toEqual([]);
    expect(seen!.seen_at).toMatch(/^\d{4}-/);
    await report([match(inSite('alice001', 'e.php'))]);
    expect(await database.repository(ForbiddenScan).count()).toBe(2);
    await panel.get(BackgroundQueue).idle();
    expect(await notices()).toHaveLength(2);
  });

  it('that are sent again are accepted once', async () => {
    const id = 'scan_full_replayed';
    const answers = await Promise.all([1, 2, 3].map(() => report([match(inSite('alice001', 'g.php'))], id)));
    expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1);
    const [row] = await database.repository(ForbiddenScan).find();
    expect(row!.seenAt).toBeNull();
  });

  it('on request have a row each, whatever they find', async () => {
    const { id } = (await list('listnode')).rows.find((row) => row.node_id === agent.nodeId)!;
    for (let n = 0; n < 2; n += 1) {
      const { data } = await panel.admin('nodeforbiddenscan', { id: id!, root: '/www', keywords: 'bad' });
      await agent.call('pull_task');
      expect(await report([match(inSite('alice001', 'h.php'))], String(data.task_id))).toMatchObject({ accepted: true });
    }
    expect(await database.repository(ForbiddenScan).count()).toBe(2);
  });

  it('of 10,000 matches with markup in their names are stored up to the limit of a scan, as text', async () => {
    const matches = Array.from({ length: 10_000 }, (_, i) => match(inSite('alice001', `${MARKUP}${i}.php`), `${MARKUP}${i}`));
    await found(...matches);
    expect(await database.repository(ForbiddenMatch).count()).toBe(5_000);
    expect(await notices()).toEqual(['admin admin scan warning', 'user alice001 scan warning']);
    const html = await page('/admin/scans');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toContain('<img src=x');
    expect(await page('/admin/allowed-words')).not.toContain('<img src=x');
    const { data } = (await panel.admin('wjctj', { days: '1' })) as unknown as { data: { words: unknown[]; days: { matches: number }[] } };
    expect(data.days).toHaveLength(1);
    expect(data.words.length).toBeLessThanOrEqual(50);
  });
});

describe('an exception', () => {
  it('is removed from the list and ignored in later reports, and nothing else is', async () => {
    await found(
      match(inSite('alice001', 'vendor/x.php')),
      match(inSite('bob00001', 'vendor/x.php')),
      match(inSite('alice001', 'y.php'), 'worse'),
    );
    const allow = (fields: Record<string, string>) => panel.admin('wjbmdtj', fields);
    expect(await allow({ word: 'bad', user: 'alice001', path: '*/VENDOR/*', note: MARKUP })).toMatchObject({
      success: true,
      removed_matches: 1,
    });
    expect((await list('listforbiddenmatch')).rows.map(({ user, keyword }) => [user, keyword])).toEqual([
      ['alice001', 'worse'],
      ['bob00001', 'bad'],
    ]);
    const before = await database.repository(ForbiddenScan).count();
    await found(match(inSite('alice001', 'vendor/new.php')));
    expect(await database.repository(ForbiddenScan).count()).toBe(before);
    await found(match(inSite('alice001', 'vendor/new.php')), match(inSite('alice001', 'own/new.php')));
    expect((await list('listforbiddenscan')).rows[0]).toMatchObject({ matches_count: 1, summary: { allowed_matches: 1 } });
    const [rule] = (await list('listwjbmd')).rows;
    expect(rule).toMatchObject({ keyword: 'bad', user: 'alice001', path: '*/VENDOR/*' });
    expect(await page('/admin/allowed-words')).toContain('&lt;img src=x');
    expect(await panel.admin('wjbmdsc', { id: rule!.id! })).toMatchObject({ success: true });
    expect(await panel.admin('wjbmdsc', { id: rule!.id! })).toMatchObject({ err: 'E_NOTEXIST' });
    await found(match(inSite('alice001', 'vendor/new.php')));
    expect((await list('listforbiddenmatch')).rows[0]).toMatchObject({ file: inSite('alice001', 'vendor/new.php') });
  });

  it('never covers everything, or an unknown host', async () => {
    for (const fields of [{}, { path: '***' }, { word: ' ', note: 'x' }] as Record<string, string>[])
      expect(await panel.admin('wjbmdtj', fields)).toMatchObject({
        success: false,
        err: 'E_ARGS',
        fields: { word: expect.any(String) as string },
      });
    expect(await panel.admin('wjbmdtj', { user: 'nobody99' })).toMatchObject({
      err: 'E_NOTEXIST',
      fields: { user: expect.any(String) as string },
    });
    expect(await panel.admin('wjbmdtj', { path: 'x'.repeat(1_001) })).toMatchObject({ err: 'E_ARGS' });
    expect((await list('listwjbmd')).total).toBe(0);
  });

  it('supports stars and no other pattern in a path', async () => {
    expect(await panel.admin('wjbmdtj', { path: `${inSite('alice001')}/%_[a]` })).toMatchObject({ success: true });
    await found(match(`${inSite('alice001')}/abc`));
    expect((await list('listforbiddenmatch')).total).toBe(1);
  });
});

it('daily numbers are counted by word and shown as a chart', async () => {
  const word = `word ${Date.now()}`;
  await found(...Array.from({ length: 700 }, (_, i) => match(inSite('alice001', `${i}.php`), word)));
  const { data } = (await panel.admin('wjctj')) as unknown as {
    data: { days: { words: object }[]; words: { word: string; matches: number }[] };
  };
  expect(data.days).toHaveLength(30);
  expect(data.words).toContainEqual({ word, matches: 700 });
  expect(data.days.at(-1)!.words).toMatchObject({ [word]: 700 });
  for (const language of ['en', 'zh-CN']) expect(await page('/admin/scans', language)).toContain('data-chart');
});
