/** Status pages over real HTTP: kept by their owners, seen by everybody, and nothing more than they say. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { Incident, IncidentUpdate, MonitorStat, MonitorTask, StatusPage } from '../src/monitor/index.js';
import { MonitorOwners } from '../src/monitor/runs/owners.js';

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
/** Without what differs at every request. */
const plain = (html: string) => html.replace(/nonce="[^"]*"/g, '');

/** A monitor of the account that is up, and has been most of yesterday. */
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
  it('is seen by nobody at first, as if there were none, and at once when it is public', async () => {
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

  it('shows the monitors it was told to, under names of their own, and nothing of where they look', async () => {
    const id = await addMonitor();
    await addMonitor({ name: 'not-shown' });
    await publish();
    expect((await visit('acme')).html).toContain('No monitors are shown');
    expect((await user('status_show', { id, public_name: 'Web <b>shop</b>' })).success).toBe(true);
    for (const [language, words] of [
      ['en', 'Everything works'],
      ['zh-CN', '一切正常'],
    ] as const) {
      const { html } = await visit('acme', language);
      expect(html).toContain(words);
      expect(html).toContain('Web &lt;b&gt;shop&lt;/b&gt;');
      expect(html.match(/<span class="(good|some|bad|none)"/g)).toHaveLength(90);
      expect(html).toContain('98 %');
      expect(html).not.toMatch(/internal-name|secret\.example|not-shown|timeout|No answer|owner01/);
    }
    expect((await user('status_monitors')).rows.map(({ public_name }) => public_name)).toEqual(['Web <b>shop</b>', '']);
    await user('monitor_toggle', { id, enabled: 'false' });
    await user('status_show', { id, public_name: 'Shop' });
    expect((await visit('acme')).html).toContain('Being checked');
    await user('status_show', { id });
    expect((await visit('acme')).html).not.toContain('Shop');
  });

  it('belongs to its owner alone: another account has its own, and the installation too', async () => {
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
    expect((await visit('acme')).html).toContain('kept by a customer');
    await admin('status_save', { title: 'Installation', slug: 'main', is_public: 'true' });
    expect((await visit('main')).html).not.toContain('kept by a customer');
    expect((await visit('acme')).html).toContain('Power cut');
  });

  it('is refused by name where a field is wrong, and where somebody changed it meanwhile', async () => {
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

  it('is one, however many begin with it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => report({ title: `Incident ${n}` })));
    expect(answers.every(({ success }) => success)).toBe(true);
    expect(await database.repository(StatusPage).count()).toBe(1);
    expect((await user('incident_list')).total).toBe(6);
  });

  it('goes with its account, and is not there while the account may not sign in', async () => {
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

describe('an incident', () => {
  it('is told step by step, the newest first, and becomes a past one when it is resolved', async () => {
    await publish();
    const id = String((await report({ started_at: '2026-01-02 03:04' })).id);
    expect((await visit('acme')).html).toContain('There is an incident');
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

  it('runs nothing of what was written, on any page', async () => {
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

  it('is refused by name where a field is wrong', async () => {
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

  it('has its page on both sides, and none for a number there is not', async () => {
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
