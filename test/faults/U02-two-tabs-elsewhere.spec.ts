/**
 * U2: of two tabs that change the same monitor, command, program or DNS account the second is warned, and nothing is overwritten silently.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { SiteConfig } from '../../src/site/entities/index.js';
import { MonitorTask } from '../../src/monitor/entities/index.js';
import { OperationLog } from '../../src/operations/index.js';

import { FakeServer, startFakeServer } from '../support/agent-server.js';
import type { FakeAgent } from '../support/fake-agent.js';
import { TestPanel } from '../support/panel.js';
import { zipOf } from '../support/program-zip.js';

let panel: TestPanel;
let owner: string;
let agent: FakeAgent;
let host: string;
const debian = new FakeServer();

beforeAll(async () => {
  panel = await TestPanel.start();
  agent = await startFakeServer(panel, 'debian', debian);
  host = String((await panel.admin('addzj', { user: 'owner01', pass: 'secret-pass-1', btdh: 'debian' })).data.id);
  owner = await panel.signInUser('owner01');
});
afterAll(async () => {
  await agent?.stopNow();
  await panel?.close();
  debian.dispose();
});

type Reply = Record<string, unknown> & { id: number; fields?: Record<string, string>; row_version: string };
/** An operation as sent by the second tab, in English. */
async function send(side: 'admin' | 'user', gn: string, fields: Record<string, string>): Promise<Reply> {
  const init = { method: 'POST', body: new URLSearchParams({ gn, ...fields }), headers: { 'Accept-Language': 'en' } };
  const response = await (side === 'admin'
    ? panel.adminFetch('/admin/ajax.php', init)
    : panel.fetch('/user/ajax.php', { ...init, headers: { ...init.headers, Cookie: owner } }));
  return (await response.json()) as Reply;
}
/** The page that contains a form. */
const pageOf = async (path: string): Promise<string> =>
  (await (path.startsWith('/admin/') ? panel.adminFetch(path) : panel.fetch(path, { headers: { Cookie: owner } }))).text();
/** The version in a form of a page. */
const versionIn = async (path: string): Promise<string> => /name="row_version" value="([^"]+)"/.exec(await pageOf(path))![1]!;
const taskOf = (id: number) => panel.get(Database).repository(MonitorTask).findOneByOrFail({ id });

describe('a form that was opened before someone else saved', () => {
  describe.each([
    ['admin', 'jkbc'],
    ['user', 'monitor_save'],
  ] as const)('of a monitor, on the %s side', (side, gn) => {
    const url = 'https://example.com/';
    const added = async () => (await send(side, gn, { name: 'shop', url, headers: 'X-Key: planted-header-1' })).id;

    it('is rejected at the fields that changed, and saved when it is sent again', async () => {
      const id = await added();
      const row_version = await versionIn(`/${side}/monitor-form?id=${id}`);
      const form = { id: String(id), name: 'shop', url, tags: '', upside_down: 'false', row_version };
      const first = await send(side, gn, { ...form, name: 'First tab', upside_down: 'true' });
      expect(first).toMatchObject({ success: true, id, row_version: await versionIn(`/${side}/monitor-form?id=${id}`) });
      const late = await send(side, gn, { ...form, name: 'Second tab' });
      const fields = { name: 'Changed in the meantime. Current value: First tab', upside_down: expect.any(String) as string };
      expect(late).toMatchObject({ success: false, err: 'E_CONFLICT', fields });
      expect(Object.keys(late.fields!)).toEqual(['name', 'upside_down']);
      expect(await taskOf(id)).toMatchObject({ name: 'First tab', upsideDown: true });
      expect(await send(side, gn, { ...form, name: 'Second tab', row_version: late.row_version })).toMatchObject({ success: true });
      expect(await taskOf(id)).toMatchObject({ name: 'Second tab', upsideDown: false });
    });

    it('is told that headers changed, but not which, before they are sent to an address of the other tab', async () => {
      const id = await added();
      const row_version = await versionIn(`/${side}/monitor-form?id=${id}`);
      const form = { id: String(id), name: 'shop', row_version };
      expect(await send(side, gn, { ...form, url: 'https://example.org/', headers: 'X-Key: planted-header-2' })).toMatchObject({
        success: true,
      });
      const late = await send(side, gn, { ...form, url });
      expect(late).toMatchObject({
        err: 'E_CONFLICT',
        fields: { url: expect.stringContaining('https://example.org/') as string, headers: 'Changed in the meantime' },
      });
      expect(JSON.stringify(late)).not.toContain('planted-header');
    });

    it('of two that save at the same time, one is warned', async () => {
      const id = await added();
      const row_version = await versionIn(`/${side}/monitor-form?id=${id}`);
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, n) => send(side, gn, { id: String(id), name: `tab ${n}`, url, row_version })),
      );
      expect(answers.filter(({ success }) => success === true)).toHaveLength(1);
      expect(answers.filter(({ err }) => err === 'E_CONFLICT')).toHaveLength(3);
    });

    it('compares neither check results nor the switch, nor anything without a version', async () => {
      const id = await added();
      const row_version = await versionIn(`/${side}/monitor-form?id=${id}`);
      await send(side, side === 'admin' ? 'jkkg' : 'monitor_toggle', { id: String(id), enabled: 'false' });
      await panel.get(Database).repository(MonitorTask).update({ id }, { lastMs: 7, failCount: 2, state: 'down' });
      expect(await send(side, gn, { id: String(id), name: 'again', row_version })).toMatchObject({ success: true });
      const plain = await send(side, gn, { id: String(id), name: 'without' });
      expect(plain).toMatchObject({ success: true, id });
      expect(plain).not.toHaveProperty('row_version');
      expect(await send(side, gn, { id: String(id), name: 'without', row_version: 'latest' })).toMatchObject({ err: 'E_ARGS' });
      expect(await pageOf(`/${side}/monitor-form?kind=url`)).not.toContain('name="row_version"');
    });
  });

  it('of a monitor has the version of its rows', async () => {
    const { rows } = (await send('admin', 'listjk', {})) as unknown as { rows: { id: number; row_version: string }[] };
    const { id, row_version } = rows[0]!;
    expect(row_version).toBe(await versionIn(`/admin/monitor-form?id=${id}`));
  });

  it('of the monitor settings', async () => {
    const row_version = /(?:&quot;|&#34;)row_version(?:&quot;|&#34;):(?:&quot;|&#34;)([^&]+)/.exec(await pageOf('/admin/monitors'))![1]!;
    const limit = async () => (await panel.get(Database).repository(SiteConfig).findOneByOrFail({ id: 1 })).monitorLimit;
    const first = await send('admin', 'jksz', { jk_max: '7', neutral: '', row_version });
    expect(first).toMatchObject({ success: true });
    const late = await send('admin', 'jksz', { jk_max: '8', neutral: '', row_version });
    expect(late).toMatchObject({
      err: 'E_CONFLICT',
      fields: { jk_max: 'Changed in the meantime. Current value: 7' },
      row_version: first.row_version,
    });
    expect(await limit()).toBe(7);
    expect(await send('admin', 'jksz', { jk_max: '8', row_version: late.row_version })).toMatchObject({ success: true });
    expect(await send('admin', 'jksz', { jk_max: '9' })).toMatchObject({ success: true });
    expect(await limit()).toBe(9);
  });

  it('of a maintenance window', async () => {
    const listed = async () => {
      const { rows } = (await send('admin', 'listjkwh', {})) as unknown as { rows: Record<string, string>[] };
      return rows.find(({ tag }) => tag === 'tabs')!;
    };
    const made = {
      title: 'Window of tabs',
      starts_at: '2027-01-31 02:00',
      ends_at: '2027-01-31 04:00',
      repeats: 'daily',
      user: '',
      tag: 'tabs',
    };
    expect(await send('admin', 'jkwh', { ...made, row_version: '' })).toMatchObject({ success: true });
    const { id, row_version } = (await listed()) as { id: string; row_version: string };
    const form = { ...made, id, row_version };
    expect(await send('admin', 'jkwh', { ...form, ends_at: '2027-01-31 05:00', user: 'owner01' })).toMatchObject({ success: true });
    const late = await send('admin', 'jkwh', { ...form, title: 'Second tab' });
    expect(late).toMatchObject({
      err: 'E_CONFLICT',
      fields: {
        ends_at: 'Changed in the meantime. Current value: 2027-01-31 05:00:00',
        user: 'Changed in the meantime. Current value: owner01',
      },
      row_version: (await listed()).row_version,
    });
    expect(Object.keys(late.fields!)).toEqual(['ends_at', 'user']);
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => send('admin', 'jkwh', { ...form, title: `tab ${n}`, row_version: late.row_version })),
    );
    expect(answers.filter(({ success }) => success === true)).toHaveLength(1);
    expect(answers.filter(({ err }) => err === 'E_CONFLICT')).toHaveLength(3);
    expect(await send('admin', 'jkwh', { ...made, id: String(id) })).toMatchObject({ success: true });
    expect(await pageOf('/admin/monitors')).toContain('data-from="row_version"');
  });

  it('of a monitor’s name on the status page', async () => {
    const { id } = await send('user', 'monitor_save', { name: 'shown', url: 'https://example.com/' });
    const listed = async () => {
      const { rows } = (await send('user', 'status_monitors', { limit: '200' })) as unknown as { rows: Record<string, string | number>[] };
      return rows.find((row) => row.id === id)! as { row_version: string; public_name: string };
    };
    const { row_version } = await listed();
    const show = (public_name: string, more: Record<string, string> = {}) =>
      send('user', 'status_show', { id: String(id), public_name, ...more });
    expect(await show('First tab', { row_version })).toMatchObject({ success: true });
    const late = await show('Second tab', { row_version });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { public_name: 'Changed in the meantime. Current value: First tab' } });
    expect(await listed()).toMatchObject({ public_name: 'First tab', row_version: late.row_version });
    expect(await show('Second tab', { row_version: late.row_version })).toMatchObject({ success: true });
    expect(await show('')).toMatchObject({ success: true });
    expect(await pageOf('/user/status')).toContain('data-from="row_version"');
  });

  it('of addresses with database access', async () => {
    const path = '/user/database';
    const version = async () => /data-ajax="databaseaq1"[^]*?name="row_version" value="([^"]+)"/.exec(await pageOf(path))![1]!;
    const row_version = await version();
    const first = await send('user', 'databaseaq1', { dataAccess: '192.0.2.7', row_version });
    expect(first).toMatchObject({ success: true, row_version: await version() });
    const late = await send('user', 'databaseaq1', { dataAccess: '192.0.2.8', row_version });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { dataAccess: 'Changed in the meantime. Current value: 192.0.2.7' } });
    expect(await send('user', 'databaseaq1', { dataAccess: '192.0.2.8', row_version: late.row_version })).toMatchObject({ success: true });
    expect(await send('user', 'databaseaq1', { dataAccess: '' })).toMatchObject({ success: true });
  });

  it('of rewrite rules, and the loser’s rules on the server are replaced by the stored ones', async () => {
    const { siteName } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' });
    const page = await pageOf('/user/site-settings?tab=rewrites');
    const row_version = /data-ajax="setwjt"[^]*?name="row_version" value="([^"]+)"/.exec(page)![1]!;
    const rules = (n: number): string => `rewrite ^/tab${n}$ /index.php last;`;
    const answers = await Promise.all(Array.from({ length: 4 }, (_, n) => send('user', 'setwjt', { wb: rules(n), row_version })));
    expect(answers.filter(({ success }) => success === true)).toHaveLength(1);
    expect(answers.filter(({ err }) => err === 'E_CONFLICT')).toHaveLength(3);
    const kept = rules(answers.findIndex(({ success }) => success === true));
    expect(debian.rewritesOf(siteName)).toBe(kept);
    const late = await send('user', 'setwjt', { wb: rules(5), row_version });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { wb: `Changed in the meantime. Current value: ${kept}` } });
    expect(await send('user', 'setwjt', { wb: rules(5), row_version: late.row_version })).toMatchObject({ success: true });
    expect(await send('user', 'setwjt', { wb: rules(6) })).toMatchObject({ success: true });
    expect(debian.rewritesOf(siteName)).toBe(rules(6));
  });

  it.each(['user', 'admin'] as const)('of a scheduled command, on the side %s', async (side) => {
    const site: Record<string, string> = side === 'admin' ? { id: host } : {};
    const { jh } = (await send(side, 'crontab_save', {
      ...site,
      ml: `echo ${side} --password=planted-word-1`,
      sj: '0 3 * * *',
    })) as unknown as {
      jh: string;
    };
    const listed = async () => {
      const { rows } = (await send(side, 'crontab_list', site)) as unknown as { rows: Record<string, string>[] };
      return rows.find((row) => row.jh === jh)!;
    };
    const { ml, sj, wjj, cs, kg, row_version } = (await listed()) as Record<'ml' | 'sj' | 'wjj' | 'cs' | 'kg' | 'row_version', string>;
    const form = { ...site, jh, ml, sj, wjj, cs, kg, row_version };
    const first = await send(side, 'crontab_save', { ...form, sj: '0 4 * * *' });
    expect(first).toMatchObject({ success: true, jh, row_version: (await listed()).row_version });
    await send(side, 'crontab_kg', { ...site, jh, kg: 'false' });
    const late = await send(side, 'crontab_save', { ...form, cs: '60' });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { sj: 'Changed in the meantime. Current value: 0 4 * * *' } });
    expect(Object.keys(late.fields!)).toEqual(['sj', 'kg']);
    expect(await listed()).toMatchObject({ sj: '0 4 * * *', cs: '300', kg: 'false', row_version: late.row_version });
    expect(await send(side, 'crontab_save', { ...form, cs: '60', row_version: late.row_version })).toMatchObject({ success: true });
    const plain = await send(side, 'crontab_save', { ...site, jh, ml: 'true', sj });
    expect(plain).toMatchObject({ success: true, jh });
    expect(plain).not.toHaveProperty('row_version');
    expect(await pageOf(side === 'admin' ? `/admin/host-commands?id=${host}` : '/user/commands')).toContain('data-from="row_version"');
    const lines = await panel.get(Database).repository(OperationLog).find();
    expect(JSON.stringify(lines)).not.toContain('planted-word-1');
  });

  it('of a program of the catalogue, before its archive is downloaded', async () => {
    const { id } = await send('admin', 'cxtj', { cxname: 'Shop', bdf: '[]', czf: '[]' });
    const page = `/admin/program?id=${id}`;
    const shown = async () => (await send('admin', 'bssj', { id: String(id) })) as unknown as Record<string, string>;
    const row_version = await versionIn(page);
    expect((await shown()).row_version).toBe(row_version);
    const form = { id: String(id), cxname: 'Shop', cxrmb: '0', cxjc: '', webkj: '0', sqlkj: '0', alerts: '', cxkg: 'false', row_version };
    const first = await send('admin', 'cxxgjl', { ...form, cxname: 'First tab', cxrmb: '9.9' });
    expect(first).toMatchObject({ success: true, id, row_version: await versionIn(page) });
    // Nothing listens at that address.
    const late = await send('admin', 'cxxgjl', { ...form, cxname: 'Second tab', url: 'http://127.0.0.1:9/program.zip' });
    expect(late).toMatchObject({
      err: 'E_CONFLICT',
      fields: { cxname: 'Changed in the meantime. Current value: First tab', cxrmb: 'Changed in the meantime. Current value: 9.90' },
    });
    expect(await shown()).toMatchObject({ name: 'First tab', row_version: late.row_version });
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => send('admin', 'cxxgjl', { ...form, cxname: `tab ${n}`, row_version: late.row_version })),
    );
    expect(answers.filter(({ success }) => success === true)).toHaveLength(1);
    expect(answers.filter(({ err }) => err === 'E_CONFLICT')).toHaveLength(3);
    const plain = await send('admin', 'cxxgjl', { id: String(id), cxname: 'A program' });
    expect(plain).toMatchObject({ success: true, id });
    expect(plain).not.toHaveProperty('row_version');
    expect(await pageOf('/admin/program-new')).not.toContain('name="row_version"');
  });

  it('of a program’s archive, in one form with its texts and in parts', async () => {
    const { id } = await send('admin', 'cxtj', { cxname: 'Archived', bdf: '[]', czf: '[]' });
    const page = `/admin/program?id=${id}`;
    const row_version = await versionIn(page);
    const zip = await zipOf({ 'index.html': 'archived' });
    const upload = async (gn: string, field: string, fields: Record<string, string>): Promise<Reply> => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ gn, id: String(id), ...fields })) body.append(name, value);
      body.append(field, new File([new Uint8Array(zip)], 'program.zip', { type: 'application/zip' }));
      const response = await panel.adminFetch('/admin/ajax.php', { method: 'POST', body, headers: { 'Accept-Language': 'en' } });
      return (await response.json()) as Reply;
    };
    const pieces = (version: Record<string, string>) => upload('cxwj', 'file', { fesw: '0', zsize: String(zip.length), ...version });
    expect(await upload('cxxgjl', 'filecx', { cxname: 'Archived', row_version })).toMatchObject({ success: true });
    const changed = { err: 'E_CONFLICT', fields: { filecx: 'Changed in the meantime' } };
    expect(await send('admin', 'cxxgjl', { id: String(id), cxname: 'Second tab', row_version })).toMatchObject(changed);
    const late = await pieces({ row_version });
    expect(late).toMatchObject(changed);
    expect(await pageOf(page)).toContain(`data-version="${late.row_version}"`);
    // Its texts may differ: they are not sent.
    expect(await send('admin', 'cxxgjl', { id: String(id), cxname: 'Renamed' })).toMatchObject({ success: true });
    expect(await pieces({ row_version: late.row_version })).toMatchObject({ success: true, error: 1, size: 1 });
    expect(await upload('cxxgjl', 'filecx', { row_version: late.row_version })).toMatchObject({ err: 'E_CONFLICT' });
    expect(await pieces({})).toMatchObject({ success: true, error: 1 });
  });

  it('of an account at a DNS provider, whose secrets are never shown', async () => {
    const secret = 'planted-token-1';
    const { id } = await send('admin', 'p_dns_provider_save', {
      slug: 'dnspod',
      name: 'pod',
      'cs[token_id]': '13490',
      'cs[token]': secret,
    });
    const page = `/admin/dns-provider?id=${id}`;
    const row_version = await versionIn(page);
    const rowOf = async () => {
      const { rows } = (await send('admin', 'p_dns_provider_list', {})) as unknown as {
        rows: (Record<string, string> & { id: unknown })[];
      };
      return rows.find((row) => row.id === id)!;
    };
    expect(await rowOf()).toMatchObject({ name: 'pod', row_version });
    const form = { id: String(id), slug: 'dnspod', 'cs[token_id]': '13490', 'cs[token]': '', row_version };
    const first = await send('admin', 'p_dns_provider_save', { ...form, name: 'First tab' });
    expect(first).toMatchObject({ success: true, id, row_version: await versionIn(page) });
    const late = await send('admin', 'p_dns_provider_save', { ...form, name: 'Second tab' });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { name: 'Changed in the meantime. Current value: First tab' } });
    expect(Object.keys(late.fields!)).toEqual(['name']);
    // Another token is reported as a change, without its value.
    const again = { ...form, name: 'pod', 'cs[token]': 'planted-token-2', row_version: late.row_version };
    expect(await send('admin', 'p_dns_provider_save', again)).toMatchObject({ success: true });
    const later = await send('admin', 'p_dns_provider_save', { ...again, name: 'First tab', 'cs[token]': '' });
    expect(later).toMatchObject({ err: 'E_CONFLICT', fields: { 'cs[token]': 'Changed in the meantime' } });
    expect(JSON.stringify([late, later, await rowOf()])).not.toContain('planted-token');
    expect(await pageOf(page)).not.toContain('planted-token');
    const plain = await send('admin', 'p_dns_provider_save', { ...form, name: 'plain', row_version: '' });
    expect(plain).toMatchObject({ success: true, id });
    expect(plain).not.toHaveProperty('row_version');
    expect(await pageOf('/admin/dns-provider?type=dnspod')).not.toContain('name="row_version"');
  });
});
