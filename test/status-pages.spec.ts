/** Status pages over real HTTP: managed by their owners, visible to everyone, and showing only what they are told to. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { Incident, IncidentUpdate, MonitorStat, MonitorTask, StatusPage } from '../src/monitor/index.js';
import { MonitorOwners } from '../src/monitor/runs/owners.js';
import { Notice } from '../src/notify/index.js';

import { TestPanel, type AjaxAnswer } from './support/panel.js';

let panel: TestPanel;
let database: Database;
let owner: string;
let stranger: string;

type Answer = Omit<AjaxAnswer, 'rows'> & { id: number; url: string; row_version: string; total: number; rows: Record<string, string>[] };

beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel' });
  database = panel.get(Database);
  owner = await panel.signInUser('owner01');
  stranger = await panel.signInUser('other01');
});
afterAll(() => panel.close());
beforeEach(async () => {
  for (const entity of [StatusPage, MonitorTask]) await database.repository<object>(entity).createQueryBuilder().delete().execute();
});

async function user(gn: string, fields: Record<string, string> = {}, cookie = owner): Promise<Answer> {
  const response = await panel.fetch('/user/ajax.php', {
    method: 'POST',
    body: new URLSearchParams({ gn, ...fields }),
    headers: { Cookie: cookie, 'Accept-Language': 'en' },
  });
  return (await response.json()) as Answer;
}
const admin = (gn: string, fields: Record<string, string> = {}) => panel.admin(gn, fields) as unknown as Promise<Answer>;
const visit = async (slug: string, language = 'en', path = `/status/${slug}`) => {
  const response = await panel.fetch(path, { headers: { 'Accept-Language': language } });
  return { status: response.status, html: await response.text() };
};
/** Without the parts that differ in every request. */
const plain = (html: string) => html.replace(/nonce="[^"]*"/g, '');

/** A monitor of the account that is up, and was up for most of yesterday. */
async function addMonitor(fields: Record<string, string> = {}, cookie = owner): Promise<string> {
  const { id } = await user('monitor_save', { name: 'internal-name', url: 'https://secret.example.com/path', ...fields }, cookie);
  await database.repository(MonitorTask).update({ id }, { state: 'up', lastError: '{"key":"monitor.problem.timeout"}' });
  const day = new Date(Math.floor(Date.now() / 86_400_000 - 1) * 86_400_000);
  const sums = { checks: 1_000, oks: 980, timed: 0, msTotal: 0, msMost: 0 };
  await database.repository(MonitorStat).insert({ taskId: id, unit: 'd', at: day, ...sums });
  return String(id);
}
const publish = (fields: Record<string, string> = {}) => user('status_save', { title: 'Acme', slug: 'acme', is_public: 'true', ...fields });
const report = (fields: Record<string, string> = {}) =>
  user('incident_add', { title: 'Power cut', severity: 'major', state: 'investigating', content: 'We **look** at it.', ...fields });

describe('a status page', () => {
  it('is hidden at first, as if it did not exist, and visible immediately when it is public', async () => {
    await report();
    const { slug } = (await database.repository(StatusPage).find())[0]!;
    expect(slug).toMatch(/^[0-9a-f]{20}$/);
    for (const language of ['en', 'zh-CN']) {
      const [hidden, none, elsewhere] = await Promise.all([
        visit(slug, language),
        visit('none', language),
        visit('none', language, '/nothing/none'),
      ]);
      expect([hidden.status, none.status, elsewhere.status]).toEqual([404, 404, 404]);
      expect(plain(hidden.html)).toBe(plain(none.html));
      expect(plain(hidden.html)).toBe(plain(elsewhere.html));
    }
    expect((await user('status_save', { title: 'Acme', is_public: 'true' })).url).toBe(`${panel.url}/status/${slug}`);
    expect((await visit(slug)).status).toBe(200);
    await publish({ slug: 'acme' });
    expect([(await visit(slug)).status, (await visit('acme')).status, (await visit('ACME')).status]).toEqual([404, 200, 404]);
    await publish({ is_public: 'false' });
    expect((await visit('acme')).status).toBe(404);
    const { url } = await publish({ slug: '' });
    expect(url).toMatch(/\/status\/[0-9a-f]{20}$/);
    expect(url).not.toContain(slug);
  });

  it('shows the selected monitors under their own names, and not what they check', async () => {
    const id = await addMonitor();
    await addMonitor({ name: 'not-shown' });
    await publish();
    expect((await visit('acme')).html).toContain('No monitors are shown');
    expect((await user('status_show', { id, public_name: 'Web <b>shop</b>' })).success).toBe(true);
    for (const [language, words] of [
      ['en', 'All systems operational'],
      ['zh-CN', '一切正常'],
    ] as const) {
      const { html } = await visit('acme', language);
      expect(html).toContain(words);
      expect(html).toContain('Web &lt;b&gt;shop&lt;/b&gt;');
      expect(html.match(/<span class="(good|some|bad|none)"/g)).toHaveLength(90);
      expect(html).toContain('98 %');
      expect(html).not.toMatch(/internal-name|secret\.example|not-shown|timeout|No response|owner01/);
    }
    const minute = new Date(Math.floor(Date.now() / 60_000 - 2) * 60_000);
    const failed = { checks: 1_000, oks: 0, timed: 0, msTotal: 0, msMost: 0 };
    await database.repository(MonitorStat).insert({ taskId: Number(id), unit: 'm', at: minute, ...failed });
    await user('status_show', { id, public_name: 'Web <b>shop</b>' });
    expect((await visit('acme')).html).toContain('49 %');
    expect((await user('status_monitors')).rows.map(({ public_name }) => public_name)).toEqual(['Web <b>shop</b>', '']);
    await user('monitor_toggle', { id, enabled: 'false' });
    await user('status_show', { id, public_name: 'Shop' });
    expect((await visit('acme')).html).toContain('Checking');
    await user('status_show', { id });
    expect((await visit('acme')).html).not.toContain('Shop');
  });

  it('belongs to its owner only: another account has its own, and so does the installation', async () => {
    const id = await addMonitor();
    await publish();
    expect(await user('status_show', { id, public_name: 'mine' }, stranger)).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await admin('status_show', { id, public_name: 'mine' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect((await user('status_save', { title: 'Other', slug: 'ACME' }, stranger)).fields).toHaveProperty('slug');
    const incident = String((await report()).id);
    for (const call of [
      (gn: string, fields: Record<string, string>) => user(gn, fields, stranger),
      (gn: string, fields: Record<string, string>) => admin(gn, fields),
    ]) {
      await call('incident_add', { title: 'x', severity: 'minor', state: 'resolved', content: 'x' });
      const update = String((await database.repository(IncidentUpdate).findOneByOrFail({ incidentId: Number(incident) })).id);
      for (const [gn, fields] of [
        ['incident_change', { id: incident, title: 'x', severity: 'minor' }],
        ['incident_del', { id: incident }],
        ['incident_updates', { id: incident }],
        ['incident_update_add', { id: incident, state: 'resolved', content: 'x' }],
        ['incident_update_change', { id: update, content: 'x' }],
        ['incident_update_del', { id: update }],
      ] as const)
        expect([gn, (await call(gn, fields)).err]).toEqual([gn, 'E_NOTEXIST']);
    }
    expect((await visit('acme')).html).toContain('maintained by a customer');
    await admin('status_save', { title: 'Installation', slug: 'main', is_public: 'true' });
    expect((await visit('main')).html).not.toContain('maintained by a customer');
    expect((await visit('acme')).html).toContain('Power cut');
  });

  it('is rejected by name when a field is invalid, and when someone changed it meanwhile', async () => {
    for (const [fields, field] of [
      [{ title: '' }, 'title'],
      [{ slug: 'a' }, 'slug'],
      [{ slug: '-abc' }, 'slug'],
      [{ slug: 'a/../b' }, 'slug'],
      [{ is_public: 'maybe' }, 'is_public'],
    ] as const)
      expect((await publish(fields)).fields, JSON.stringify(fields)).toHaveProperty(field);
    await publish();
    const seen = (await user('status_page')).row_version;
    await publish({ title: 'Changed', row_version: seen });
    expect(await publish({ title: 'Late', row_version: seen })).toMatchObject({ err: 'E_CONFLICT' });
  });

  it('exists once, however many create it at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => report({ title: `Incident ${n}` })));
    expect(answers.every(({ success }) => success)).toBe(true);
    expect(await database.repository(StatusPage).count()).toBe(1);
    expect((await user('incident_list')).total).toBe(6);
  });

  it('is deleted with its account, and hidden while the account may not sign in', async () => {
    const cookie = await panel.signInUser('gone01');
    await user('status_save', { title: 'Gone', slug: 'gone', is_public: 'true' }, cookie);
    const { rows } = await admin('listzj', { where: JSON.stringify({ name: 'user', type: '1', value: 'gone01' }) });
    const id = String(rows[0]!.id);
    expect((await visit('gone')).status).toBe(200);
    await admin('zjzt', { id });
    expect((await visit('gone')).status).toBe(404);
    await admin('zjjc', { id });
    expect((await visit('gone')).status).toBe(200);
    await admin('zjsc', { id });
    expect((await visit('gone')).status).toBe(404);
    await panel.get(MonitorOwners).tidy();
    expect(await database.repository(StatusPage).count()).toBe(0);
  });
});

describe('a status page under an administrator’s control', () => {
  const pages = (fields: Record<string, string> = {}) => admin('status_list', fields);
  const search = (name: string, value: string) => ({ where: JSON.stringify({ name, type: '2', value }) });

  it('is found by its owner, title and address, and by state', async () => {
    await publish();
    await user('status_save', { title: 'Other 50%', slug: 'other' }, stranger);
    await admin('status_save', { title: 'Installation', slug: 'main', is_public: 'true' });
    const found = async (fields: Record<string, string>) => (await pages(fields)).rows.map(({ user: name }) => name as string);
    expect((await pages()).rows).toMatchObject([
      { user: 'other01', title: 'Other 50%', state: 'hidden', url: '', off_reason: '' },
      { user: 'owner01', title: 'Acme', slug: 'acme', state: 'public', url: `${panel.url}/status/acme` },
    ]);
    for (const [fields, users] of [
      [search('user', 'OWNER'), ['owner01']],
      [search('title', '50%'), ['other01']],
      [search('slug', 'acm'), ['owner01']],
      [search('slug', '_'), []],
      [search('__proto__', 'x'), ['other01', 'owner01']],
      [{ ss: 'other' }, ['other01']],
      [{ state: 'public' }, ['owner01']],
      [{ state: 'hidden' }, ['other01']],
      [{ state: 'off' }, []],
      [{ page: '2', limit: '1' }, ['owner01']],
    ] as [Record<string, string>, string[]][])
      expect([fields, await found(fields)]).toEqual([fields, users]);
    expect((await pages({ state: 'gone' })).fields).toHaveProperty('state');
  });

  it('is disabled with a reason only its owner reads, whatever the owner does, and enabled again unchanged', async () => {
    await publish();
    const id = String((await pages()).rows[0]!.id);
    for (const reason of ['', ' ', 'x'.repeat(251)]) expect((await admin('status_off', { id, reason })).fields).toHaveProperty('reason');
    expect((await visit('acme')).status).toBe(200);
    const reason = 'It asks for <b>passwords</b>.';
    expect((await admin('status_off', { id, reason })).success).toBe(true);
    for (const [language, words] of [
      ['en', 'This status page is currently disabled.'],
      ['zh-CN', '此状态页目前已停用'],
    ] as const) {
      const { status, html } = await visit('acme', language);
      expect(status).toBe(404);
      expect(html).toContain(words);
      expect(html).not.toMatch(/It asks for|Acme/);
    }
    expect((await user('status_page')) as unknown).toMatchObject({ off_reason: reason, is_public: true });
    const shown = await (await panel.fetch('/user/status', { headers: { Cookie: owner, 'Accept-Language': 'en' } })).text();
    expect(shown).toContain('It asks for &lt;b&gt;passwords&lt;/b&gt;.');
    expect(shown).not.toContain('The page is not public yet');
    await publish({ title: 'Mended', slug: 'mended' });
    expect([(await visit('acme')).status, (await visit('mended')).status]).toEqual([404, 404]);
    expect((await pages({ state: 'off' })).rows).toMatchObject([{ title: 'Mended', state: 'off', off_reason: reason, url: '' }]);
    expect((await admin('status_on', { id })).success).toBe(true);
    expect((await visit('mended')).status).toBe(200);
    await publish({ slug: 'mended', is_public: 'false' });
    await admin('status_off', { id, reason });
    expect((await visit('mended')).html).not.toContain('disabled');
  });

  it('notifies its owner once when it is disabled, when the reason changes, and when it is enabled', async () => {
    await publish();
    const id = String((await pages()).rows[0]!.id);
    await database.repository(Notice).createQueryBuilder().delete().execute();
    for (const reason of ['Spam', 'Spam', 'Phishing']) await admin('status_off', { id, reason });
    for (let twice = 0; twice < 2; twice += 1) await admin('status_on', { id });
    await expect.poll(async () => ((await user('notice_list')) as unknown as { msg: { total: number } }).msg.total).toBe(3);
    const told = (await user('notice_list')) as unknown as { msg: { logs: object[] } };
    expect(JSON.stringify(told.msg.logs)).toMatch(/is visible again[^]*Phishing[^]*Spam/);
  });

  it('belongs to a customer: that of the installation, unknown ones, and those without permission cannot be disabled', async () => {
    await publish();
    await admin('status_save', { title: 'Installation', slug: 'main', is_public: 'true' });
    const main = (await database.repository(StatusPage).findOneByOrFail({ accountId: 0 })).id;
    for (const id of [String(main), '999999'])
      for (const [gn, fields] of [
        ['status_off', { id, reason: 'x' }],
        ['status_on', { id }],
      ] as const)
        expect([gn, id, (await admin(gn, fields)).err]).toEqual([gn, id, 'E_NOTEXIST']);
    expect((await visit('main')).status).toBe(200);
    const id = String((await pages()).rows[0]!.id);
    for (const gn of ['status_list', 'status_off', 'status_on'])
      expect([gn, (await user(gn, { id, reason: 'x' })).success]).toEqual([gn, false]);
    expect((await visit('acme')).status).toBe(200);
  });
});

describe('the operation log', () => {
  /** The changes in the last line of a kind. */
  const changed = async (lx: string): Promise<string> => {
    const { rows } = await panel.admin('listlog', { lx, limit: '1' });
    return (rows as unknown as { bg: string }[])[0]!.bg;
  };

  it('has old and new values for status pages, incidents and maintenance windows', async () => {
    await publish();
    await publish({ title: 'Renamed' });
    expect(await changed('status_save')).toMatch(/标题.*Acme.*Renamed/);
    const monitor = await addMonitor();
    await user('status_show', { id: monitor, public_name: 'Shop' });
    expect(await changed('status_show')).toMatch(/状态页上的名称.*Shop/);
    const page = String((await admin('status_list')).rows[0]!.id);
    await admin('status_off', { id: page, reason: 'Spam' });
    expect(await changed('status_off')).toMatch(new RegExp(`状态页 ${page}[^]*停用原因.*Spam`));
    await admin('status_on', { id: page });
    expect(await changed('status_on')).toMatch(/停用原因.*Spam/);

    const id = String((await report()).id);
    expect(await changed('incident_add')).toMatch(/事件 \d+[^]*标题.*Power cut[^]*事件进展[^]*内容.*look/);
    await user('incident_change', { id, title: 'Fire', severity: 'critical' });
    expect(await changed('incident_change')).toMatch(/标题.*Power cut.*Fire[^]*严重程度.*较大.*严重/);
    await user('incident_update_add', { id, state: 'resolved', content: 'Out.' });
    expect(await changed('incident_update_add')).toMatch(/状态.*已解决[^]*内容.*Out\./);
    const update = String((await user('incident_updates', { id })).rows[0]!.id);
    await user('incident_update_change', { id: update, content: 'Really out.' });
    expect(await changed('incident_update_change')).toMatch(/内容.*Out\..*Really out\./);
    await user('incident_update_del', { id: update });
    expect(await changed('incident_update_del')).toMatch(/内容.*Really out\./);
    await user('incident_del', { id });
    expect(await changed('incident_del')).toMatch(/标题.*Fire/);

    const window = { title: 'Night', starts_at: '2027-01-01 01:00', ends_at: '2027-01-01 02:00', repeats: 'daily' };
    await admin('jkwh', window);
    expect(await changed('jkwh')).toMatch(/维护时段 \d+[^]*标题.*Night/);
    const windowId = String((await admin('listjkwh')).rows[0]!.id);
    await admin('jkwh', { ...window, id: windowId, repeats: 'weekly' });
    expect(await changed('jkwh')).toMatch(/重复.*daily.*weekly/);
    await admin('jkwhsc', { id: windowId });
    expect(await changed('jkwhsc')).toMatch(/标题.*Night/);
    for (const [gn, fields] of [
      ['jkwh', { ...window, id: windowId }],
      ['jkwhsc', { id: windowId }],
    ] as const)
      expect([gn, (await admin(gn, fields)).err]).toEqual([gn, 'E_NOTEXIST']);
  });
});

describe('an incident', () => {
  it('is reported step by step, newest first, and becomes a past one when it is resolved', async () => {
    await publish();
    const id = String((await report({ started_at: '2026-01-02 03:04' })).id);
    expect((await visit('acme')).html).toContain('There is an open incident');
    await user('incident_update_add', { id, state: 'resolved', content: 'Fixed.' });
    let { html } = await visit('acme');
    expect(html.indexOf('Fixed.')).toBeLessThan(html.indexOf('<strong>look</strong>'));
    expect(html.indexOf('Past incidents')).toBeLessThan(html.indexOf('Power cut'));
    expect(html).not.toContain('Open incidents');
    expect(html).toContain('Jan 2, 2026');
    const { rows } = await user('incident_updates', { id });
    expect(rows.map(({ state }) => state as string)).toEqual(['resolved', 'investigating']);
    await user('incident_update_del', { id: String(rows[0]!.id) });
    ({ html } = await visit('acme'));
    expect(html).toContain('Open incidents');
    expect((await user('incident_list')).rows[0]).toMatchObject({ state: 'investigating', resolved_at: '' });
    expect(await user('incident_update_del', { id: String(rows[1]!.id) })).toMatchObject({ err: 'E_STATE' });
    await user('incident_update_change', { id: String(rows[1]!.id), content: 'Other words' });
    expect((await visit('acme')).html).toContain('Other words');
    await user('incident_change', { id, title: 'Renamed', severity: 'critical', started_at: '' });
    expect((await visit('acme')).html).toMatch(/Renamed[\s\S]*Critical/);
    await user('incident_del', { id });
    expect(await database.repository(Incident).count()).toBe(0);
    expect(await database.repository(IncidentUpdate).count()).toBe(0);
  });

  it('never runs its text, on any page', async () => {
    await publish();
    const bad = '<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))';
    const { id } = await report({ title: bad, content: bad });
    for (const html of [
      (await visit('acme')).html,
      await (await panel.fetch('/user/status', { headers: { Cookie: owner } })).text(),
      await (await panel.fetch(`/user/incident?id=${id}`, { headers: { Cookie: owner } })).text(),
    ])
      expect(html).not.toMatch(/<script>alert|<img[^>]* onerror|href="javascript:/);
  });

  it('is rejected by name when a field is invalid', async () => {
    for (const [fields, field] of [
      [{ title: '' }, 'title'],
      [{ severity: 'x' }, 'severity'],
      [{ state: 'x' }, 'state'],
      [{ content: '' }, 'content'],
      [{ content: 'x'.repeat(20_001) }, 'content'],
      [{ started_at: 'soon' }, 'started_at'],
      [{ started_at: '2999-01-01 00:00' }, 'started_at'],
    ] as const)
      expect((await report(fields)).fields, JSON.stringify(fields)).toHaveProperty(field);
    expect(await database.repository(Incident).count()).toBe(0);
  });

  it('has its page on both sides, and none for an unknown number', async () => {
    const { id } = await report();
    for (const [path, status] of [
      ['/user/status', 200],
      [`/user/incident?id=${id}`, 200],
      ['/user/incident?id=999999', 404],
      ['/user/incident?id=x', 404],
      ['/user/incident', 404],
    ] as const)
      expect([path, (await panel.fetch(path, { headers: { Cookie: owner } })).status]).toEqual([path, status]);
    for (const [path, status] of [
      ['/admin/status', 200],
      [`/admin/incident?id=${id}`, 404],
    ] as const)
      expect([path, (await panel.adminFetch(path)).status]).toEqual([path, status]);
  });
});
