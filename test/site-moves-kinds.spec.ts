/** Moves between kinds of servers (with our agent, with BaoTa, of plugins), and the DNS, which follows. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { AgentNode } from '../src/agents/index.js';
import { AccountDrivers } from '../src/hosting/accounts/index.js';
import { PanelConnections } from '../src/hosting/baota/client/index.js';
import { DatabasePasswords, HostingAccount, HostingNode, SiteMove } from '../src/hosting/index.js';
import { JobRegistry } from '../src/jobs/index.js';
import { FakeServer, startFakeServer } from './support/agent-server.js';
import type { FakeAgent } from './support/fake-agent.js';
import { FAKE_PANEL_KEY, FakeBaota } from './support/fake-baota.js';
import { FakeDns } from './support/fake-dns.js';
import { enableMirrorPlugin } from './support/mirror-plugin.js';
import { OwnerClient } from './support/owner-client.js';
import { TestPanel } from './support/panel.js';
import { runJob } from './support/run-job.js';

let panel: TestPanel;
let agent: FakeAgent;
let otherAgent: FakeAgent;
let dns: FakeDns;
const [debian, other] = [new FakeServer(), new FakeServer()];
const [first, second] = [new FakeServer(), new FakeServer()];
let baota: FakeBaota[];

beforeAll(async () => {
  [panel, dns, ...baota] = await Promise.all([
    TestPanel.start({ SERVICES: 'panel,worker', OUTBOUND_ALLOW: '127.0.0.0/8', SITES_DOMAIN: 'sites.example.com:80' }),
    FakeDns.start('cloudflare'),
    FakeBaota.start(),
    FakeBaota.start(),
  ]);
  agent = await startFakeServer(panel, 'debian', debian);
  otherAgent = await startFakeServer(panel, 'other', other);
  for (const [at, { port }] of baota.entries()) {
    const server = { bh: `bt${at + 1}`, driver: 'baota', ip: '127.0.0.1', dk: String(port), key: FAKE_PANEL_KEY };
    expect(await panel.admin('addbt', server)).toMatchObject({ success: true });
  }
  for (const [slug, { driver }] of [['first', first] as const, ['second', second] as const]) {
    await enableMirrorPlugin(panel, slug, driver);
    expect(await panel.admin('addbt', { bh: slug, driver: `${slug}:mirror`, ip: '192.0.2.40' })).toMatchObject({ success: true });
  }
});
afterEach(() => {
  debian.dump = 'CREATE TABLE t (id INT);\n';
  for (const server of [debian, other]) server.seen = null;
  for (const server of baota) server.instead = null;
});
afterAll(async () => {
  await Promise.all([agent?.stopNow(), otherAgent?.stopNow()]);
  await panel?.close();
  await Promise.all([dns, ...baota].map((fake) => fake.close()));
  for (const server of [debian, other, first, second]) server.dispose();
});

const host = (id: string) =>
  panel
    .get(Database)
    .repository(HostingAccount)
    .findOneByOrFail({ id: Number(id) });
const lastMove = async (id: string) =>
  (
    await panel
      .get(Database)
      .repository(SiteMove)
      .find({ where: { hostId: Number(id) }, order: { id: 'DESC' }, take: 1 })
  )[0];
const ended = async (id: string): Promise<string> => {
  // A call sent just as a server becomes unreachable is given up after 25 seconds.
  await expect.poll(async () => (await lastMove(id))?.busy, { timeout: 60_000, interval: 50 }).toBeNull();
  const { state, error } = (await lastMove(id))!;
  return state === 'failed' ? `failed: ${error}` : state;
};
const move = async (id: string, btdh: string): Promise<string> => {
  expect(await panel.admin('zjqy', { id, btdh })).toMatchObject({ success: true });
  return ended(id);
};
const check = async (id: string, btdh: string) =>
  (await (
    await panel.adminFetch('/admin/ajax.php', {
      method: 'POST',
      body: new URLSearchParams({ gn: 'zjqyjc', id, btdh }),
      headers: { 'Accept-Language': 'en' },
    })
  ).json()) as { fits: string; blocks: string[]; notes: string[] };
/** The entry of a host in the list of moves. */
const listed = async (id: string): Promise<string> => JSON.stringify(await panel.admin('listqy', { id }));
let users = 0;
const open = (server: string) => OwnerClient.open(panel, `kinds${(users += 1)}x`, server);
/** Web root of a site on a BaoTa server. */
const folderOn = ({ disk, state }: FakeBaota, name: string): string => disk.at(state.sites.find((site) => site.name === name)!.path);

describe('a site that moves to a BaoTa server', () => {
  it('brings files, database, PHP, domains, rules and default documents, moves on to another one, and is moved back', async () => {
    const owner = await open('debian');
    const { siteName, username } = await host(owner.id);
    writeFileSync(join(debian.dataDir, 'sites', siteName, 'public', 'mine.txt'), 'of the owner');
    expect(await panel.admin('tjurl', { id: owner.id, url: 'kinds.example.org' })).toMatchObject({ success: true });
    expect(await owner.call('setwjt', { wb: 'location / { try_files $uri $uri/ /index.php?$args; }' })).toMatchObject({ success: true });
    // A form from an older state of the page conflicts, without a request to the server.
    expect(await owner.call('setwjt', { wb: '', row_version: 'wb:000000' })).toMatchObject({ err: 'E_CONFLICT' });
    // Set here, so it is known: it moves with the site.
    expect(await owner.call('databasemm', { pass: 'of-the-owner-1' })).toMatchObject({ success: true });
    const { fits, notes } = await check(owner.id, 'bt1');
    expect([fits, notes.join(' ')]).toEqual(['true', expect.stringMatching(/a new name, user and password.*new password for FTP/s)]);

    expect(await move(owner.id, 'bt1')).toBe('kept');
    const [one, two] = baota as [FakeBaota, FakeBaota];
    const [site] = one.state.sites;
    expect(await host(owner.id)).toMatchObject({ nodeCode: 'bt1', siteId: String(site!.id), state: 'active' });
    expect(readFileSync(join(folderOn(one, siteName), 'mine.txt'), 'utf8')).toBe('of the owner');
    expect(one.state.imported.at(-1)).toMatchObject({ database: username, sql: expect.stringContaining('CREATE TABLE t') as string });
    expect([site!.status, one.state.serving.get(site!.id)!.php]).toEqual(['1', '82']);
    expect(one.state.domains.map(({ name }) => name)).toContain('kinds.example.org');
    expect(readFileSync(one.disk.at(`/www/server/panel/vhost/rewrite/${siteName}.conf`), 'utf8')).toContain('try_files');
    expect(one.state.ftps).toMatchObject([{ name: username, status: '1' }]);
    expect(one.state.databases).toMatchObject([{ name: username, password: 'of-the-owner-1' }]);
    expect((await check(owner.id, 'bt2')).notes.join(' ')).not.toMatch(/password/);

    expect(await move(owner.id, 'bt2')).toBe('kept');
    expect(readFileSync(join(folderOn(two, siteName), 'mine.txt'), 'utf8')).toBe('of the owner');
    expect(two.state.imported.at(-1)!.sql).toContain('INSERT INTO `notes`');
    expect([one.state.sites[0]!.status, two.state.sites[0]!.status]).toEqual(['0', '1']);
    const passwords = ({ state }: FakeBaota) => [state.databases[0]!.password, state.ftps[0]!.password];
    expect(passwords(two)).toEqual(passwords(one));
    await owner.call('databasemm', { pass: 'set-meanwhile-1' });
    // Archive and dump of the move are removed from both servers.
    for (const server of [one, two]) expect([server.state.backups, server.files.dangerous]).toEqual([[], []]);
    expect(await panel.admin('zjqyhf', { id: owner.id })).toMatchObject({ success: true });
    expect(await ended(owner.id)).toBe('kept');
    expect([one.state.sites[0]!.status, two.state.sites[0]!.status]).toEqual(['1', '0']);
    // The old one has its previous password.
    expect(passwords(one)[0]).toBe('of-the-owner-1');
    expect(await panel.get(DatabasePasswords).find(Number(owner.id))).toBeNull();
    await panel.admin('zjqyqc', { id: owner.id });
    expect(two.state.sites).toEqual([]);
    await panel.admin('zjqyqc', { id: owner.id });
  });

  it('brings its database back to Debian', async () => {
    const owner = await open('bt1');
    const { siteName } = await host(owner.id);
    writeFileSync(join(folderOn(baota[0]!, siteName), 'mine.txt'), 'of BaoTa');
    expect(await move(owner.id, 'debian')).toBe('kept');
    expect(readFileSync(join(debian.dataDir, 'sites', siteName, 'public', 'mine.txt'), 'utf8')).toBe('of BaoTa');
    expect(debian.brought(siteName)).toMatch(/^\x1f./s);
    expect(baota[0]!.state.sites.find(({ name }) => name === siteName)).toMatchObject({ status: '0' });
  });

  it('stays when its SQL may not be run there, or a name is taken or invalid for BaoTa, and nothing is left there', async () => {
    const [one] = baota as [FakeBaota];
    const owner = await open('debian');
    const { siteName, username } = await host(owner.id);
    debian.dump = 'CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW SET @a = 1;\n';
    expect(await move(owner.id, 'bt1')).toMatch(/^failed/);
    expect((await lastMove(owner.id))!.error).toMatch(/TRIGGER/);
    expect(one.state.sites.some(({ name }) => name === siteName)).toBe(false);

    debian.dump = 'CREATE TABLE t (id INT);\n';
    // Names are checked before it starts.
    const refused = async (id: string, why: RegExp): Promise<void> => {
      const before = (await lastMove(id))?.id;
      const { fits, blocks } = await check(id, 'bt1');
      expect([fits, blocks]).toEqual(['false', [expect.stringMatching(why)]]);
      const page = await panel.adminFetch(`/admin/host-move?id=${id}&btdh=bt1`, { headers: { 'Accept-Language': 'en' } });
      expect(await page.text()).toMatch(why);
      expect(await panel.admin('zjqy', { id, btdh: 'bt1' })).toMatchObject({ success: false, err: 'E_STATE' });
      expect((await lastMove(id))?.id).toBe(before);
    };
    one.state.ftps.push({ id: 900, pid: 0, name: username, password: 'x', status: '1', path: '/', ps: '' });
    await refused(owner.id, new RegExp(`FTP account or database.*already uses the username ${username}.*Delete it there`));
    one.state.ftps.splice(0);
    const foreign = { id: 901, name: siteName, path: `/www/wwwroot/${siteName}`, ps: 'of somebody', edate: '0000-00-00' };
    one.state.sites.push({ ...foreign, status: '1', addtime: '', type_id: 0 });
    await refused(owner.id, new RegExp(`already has a site ${siteName}.*Delete it there`));
    one.state.sites.pop();
    const { id } = (await panel.admin('addzj', { user: 'longer-than.baota-takes', pass: 'secret-pass-1', btdh: 'debian' })).data as {
      id: string;
    };
    await refused(String(id), /username longer-than\.baota-takes: only 3 to 16 letters.*choose a server of another type/);
    expect(await host(owner.id)).toMatchObject({ nodeCode: 'debian', state: 'active' });
    expect(await move(owner.id, 'bt1')).toBe('kept');
  });

  it('stays when BaoTa stops responding midway, and runs as before; partial work there is removed when it is back', async () => {
    const [one] = baota as [FakeBaota];
    const owner = await open('debian');
    const { siteName } = await host(owner.id);
    let calls = 0;
    one.instead = (call, _fields, res) => {
      if (call === '/files upload') calls += 1;
      if (calls === 0) return false;
      res.destroy();
      return true;
    };
    await panel.admin('zjqy', { id: owner.id, btdh: 'bt1' });
    await expect.poll(async () => (await lastMove(owner.id))?.state, { timeout: 30_000 }).toBe('undoing');
    await expect.poll(async () => (await lastMove(owner.id))!.error, { timeout: 30_000 }).not.toBeNull();
    expect(await owner.call('xjwj', { ml: '/', wjname: 'meanwhile.txt' })).toMatchObject({ success: true });
    expect(existsSync(join(debian.dataDir, 'sites', siteName, 'public', 'meanwhile.txt'))).toBe(true);
    one.instead = null;
    expect(await ended(owner.id)).toMatch(/^failed/);
    expect(one.state.sites.some(({ name }) => name === siteName)).toBe(false);
  });
});

describe.each(['bt1', 'other'])('a site with a domain of another site on %s', (code) => {
  /** Someone uses a name there without being a host here. */
  const give = (name: string): void => {
    const { state } = baota[0]!;
    if (code === 'bt1') state.domains.push({ id: state.id(), pid: 990, name, port: 80 });
    else other.foreign.add(name);
  };
  const theirs = () =>
    code === 'bt1' ? baota[0]!.state.domains.filter(({ pid }) => pid === 990).map(({ name }) => name) : [...other.foreign];
  const isThere = (siteName: string): boolean =>
    code === 'bt1' ? baota[0]!.state.sites.some(({ name }) => name === siteName) : existsSync(join(other.dataDir, 'sites', siteName));
  /** Does something while the site is created there. @returns the requests it received */
  const whenMade = (work: () => void): string[] => {
    const asked: string[] = [];
    baota[0]!.instead = (call) => {
      asked.push(call);
      if (call === '/site AddSite') work();
      return false;
    };
    other.seen = (action) => {
      asked.push(action);
      if (action === 'site.create') work();
      return Promise.resolve();
    };
    return asked;
  };
  const clear = (): void => {
    baota[0]!.instead = other.seen = null;
    const { domains } = baota[0]!.state;
    domains.splice(0, domains.length, ...domains.filter(({ pid }) => pid !== 990));
    other.foreign.clear();
  };
  afterEach(clear);
  const bind = async (id: string, url: string) => expect(await panel.admin('tjurl', { id, url })).toMatchObject({ success: true });

  it('stays and is told which domain before anything is done there, and is rolled back when it is taken meanwhile', async () => {
    const owner = await open('debian');
    const { siteName } = await host(owner.id);
    for (const name of ['one', 'two-parts']) await bind(owner.id, `${name}.${code}.example.org`);
    give(`two-parts.${code}.example.org`);
    const asked = whenMade(() => undefined);
    const why = new RegExp(
      `already have these domains: two-parts\\.${code}\\.example\\.org\\. Have them removed .* or choose another server`,
    );
    expect(await check(owner.id, code)).toMatchObject({ fits: 'false', blocks: [expect.stringMatching(why)] });
    const refused = await panel.admin('zjqy', { id: owner.id, btdh: code });
    expect(refused).toMatchObject({
      success: false,
      err: 'E_STATE',
      code: expect.stringContaining(`two-parts.${code}.example.org`) as string,
    });
    expect(await lastMove(owner.id)).toBeUndefined();
    expect(asked.filter((call) => /AddSite|site\.create|upload|restore/.test(call))).toEqual([]);

    clear();
    const later = whenMade(() => give(`one.${code}.example.org`));
    expect(await move(owner.id, code)).toMatch(new RegExp(`^failed: .*one\\.${code}\\.example\\.org`));
    expect(later.filter((call) => /upload|restore|import/.test(call))).toEqual([]);
    expect([isThere(siteName), theirs()]).toEqual([false, [`one.${code}.example.org`]]);
    expect(await host(owner.id)).toMatchObject({ nodeCode: 'debian', state: 'active', claimedBy: null });
    clear();
    expect(await move(owner.id, code)).toBe('kept');
  });

  it('is moved with all other domains when one bound during the copy is taken, and its owner is notified', async () => {
    const owner = await open('debian');
    const { siteName } = await host(owner.id);
    const names = ['late', 'later'].map((name) => `${name}.${code}.example.net`);
    debian.seen = async (action) => {
      if (action !== 'backups.make') return;
      debian.seen = null;
      give(names[0]!);
      for (const name of names) await bind(owner.id, name);
    };
    expect(await move(owner.id, code)).toBe('kept');
    expect(await lastMove(owner.id)).toMatchObject({ busy: null, error: expect.stringContaining(names[0]!) as string });
    expect(await host(owner.id)).toMatchObject({ nodeCode: code, state: 'active', claimedBy: null });
    const { state } = baota[0]!;
    const site = state.sites.find(({ name }) => name === siteName);
    const served = code === 'bt1' ? state.domains.filter(({ pid }) => pid === site!.id).map(({ name }) => name) : other.domainsOf(siteName);
    expect(served).toContain(names[1]);
    expect(served).not.toContain(names[0]);
    expect(await listed(owner.id)).toContain(names[0]);
  });

  it('is not moved back to where another site has taken one of them since', async () => {
    const owner = await open(code);
    expect(await move(owner.id, 'debian')).toBe('kept');
    const name = `since.${code}.example.com`;
    await bind(owner.id, name);
    give(name);
    expect(await panel.admin('zjqyhf', { id: owner.id })).toMatchObject({
      success: false,
      err: 'E_STATE',
      code: expect.stringContaining(name) as string,
    });
    expect((await lastMove(owner.id))!.state).toBe('kept');
    clear();
    expect(await panel.admin('zjqyhf', { id: owner.id })).toMatchObject({ success: true });
    expect(await ended(owner.id)).toBe('kept');
    expect(await host(owner.id)).toMatchObject({ nodeCode: code, state: 'active' });
  });
});

it('a BaoTa server with thousands of domains still accepts a site with domains', async () => {
  const owner = await open('debian');
  expect(await panel.admin('tjurl', { id: owner.id, url: 'many.example.org' })).toMatchObject({ success: true });
  const { state } = baota[0]!;
  baota[0]!.instead = (call, { table, p, list }, res) => {
    if (call !== '/data getData' || table !== 'domain' || list !== undefined) return false;
    const data = Array.from({ length: 100 }, (_, at) => ({ id: at, pid: 991, name: `d${p}-${at}.example.net`, port: 80 }));
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ where: '', page: '', data }));
    return true;
  };
  expect(await check(owner.id, 'bt1')).toMatchObject({ fits: 'true', blocks: [] });
  expect(await move(owner.id, 'bt1')).toBe('kept');
  expect(state.domains.map(({ name }) => name)).toContain('many.example.org');
});

it('the move page does not wait for a server that hangs, says what to check, and allows a try', async () => {
  const owner = await open('debian');
  baota[0]!.instead = () => true;
  const begun = performance.now();
  const page = await panel.adminFetch(`/admin/host-move?id=${owner.id}&btdh=bt1`, { headers: { 'Accept-Language': 'en' } });
  const text = await page.text();
  expect([page.status, text]).toEqual([
    200,
    expect.stringMatching(/within a few seconds: one of the two servers is slow or not responding\. Check that it is running/),
  ]);
  expect(text).toMatch(/data-ajax="zjqy"\s+data-fields='\{"id":"\d+","btdh":"bt1"\}'/);
  expect(text).not.toContain('It cannot be moved there yet');
  expect(performance.now() - begun).toBeLessThan(20_000);
}, 60_000);

it('a site is not offline for long when a BaoTa server accepts a call and never responds', async () => {
  const { timeouts } = panel.get(PanelConnections);
  const usual = { ...timeouts };
  Object.assign(timeouts, { answer: 1_500, body: 1_500 });
  try {
    const [one] = baota as [FakeBaota];
    const owner = await open('debian');
    const { siteName } = await host(owner.id);
    let stood = false;
    debian.seen = (action) => {
      stood ||= action === 'site.stop';
      return Promise.resolve();
    };
    // Once the site is stopped, the other server hangs.
    one.instead = () => stood;
    writeFileSync(join(debian.dataDir, 'sites', siteName, 'public', 'mine.txt'), 'of the owner');
    await panel.admin('zjqy', { id: owner.id, btdh: 'bt1' });
    await expect.poll(async () => (await lastMove(owner.id))?.state, { timeout: 30_000 }).toBe('undoing');
    const standing = async () => (await panel.get(AccountDrivers).of(await host(owner.id))).sync();
    await expect.poll(standing, { timeout: 30_000 }).toMatchObject({ value: { running: true, suspended: false } });
    one.instead = null;
    expect(await ended(owner.id)).toMatch(/^failed/);
    expect(one.state.sites.some(({ name }) => name === siteName)).toBe(false);
  } finally {
    Object.assign(timeouts, usual);
  }
}, 120_000);

describe('a site that moves between servers of plugins', () => {
  it('moves from one kind to another and to the panel’s own machine, with its files', async () => {
    const owner = await open('first');
    const { siteName } = await host(owner.id);
    writeFileSync(join(first.dataDir, 'sites', siteName, 'public', 'mine.txt'), 'of a plugin');
    expect(await move(owner.id, 'second')).toBe('kept');
    expect(readFileSync(join(second.dataDir, 'sites', siteName, 'public', 'mine.txt'), 'utf8')).toBe('of a plugin');
    expect(await move(owner.id, 'local')).toBe('kept');
    expect(readFileSync(join(panel.dataDir, 'sites', siteName, 'public', 'mine.txt'), 'utf8')).toBe('of a plugin');
    expect(await host(owner.id)).toMatchObject({ nodeCode: 'local', state: 'active' });
  });

  it('is refused by name when the kind lacks a feature the site uses', async () => {
    const owner = await open('debian');
    const { fits, blocks } = await check(owner.id, 'first');
    expect([fits, blocks.join(' ')]).toEqual(['false', expect.stringMatching(/PHP 8\.2/)]);
  });
});

describe('a server that becomes unreachable midway', () => {
  const rows = () => panel.get(Database).repository(AgentNode);
  /** Its agent is gone and has not connected for a while. */
  const away = async (one: FakeAgent): Promise<void> => {
    await one.stopNow();
    await rows().update({ nodeId: one.nodeId }, { lastHeartbeatAt: new Date(Date.now() - 120_000) });
  };
  const running = async (id: string) => (await panel.get(AccountDrivers).of(await host(id))).sync();

  it.each([
    ['while the site is copied', 1],
    ['while it stands still', 2],
  ])('%s: the site continues, and partial work on the other server is removed when it is back', async (_, nth) => {
    const owner = await open('debian');
    const { siteName } = await host(owner.id);
    let packed = 0;
    debian.seen = async (action) => {
      // Unchanged files would not be packed again.
      if (action === 'site.stop') writeFileSync(join(debian.dataDir, 'sites', siteName, 'public', 'changed.txt'), 'since it was copied');
      if (action === 'backups.make' && (packed += 1) === nth) await away(otherAgent);
    };
    await panel.admin('zjqy', { id: owner.id, btdh: 'other' });
    await expect.poll(async () => (await lastMove(owner.id))?.state, { timeout: 20_000 }).toBe('undoing');
    await expect.poll(() => running(owner.id)).toMatchObject({ value: { running: true, suspended: false } });
    expect(await owner.call('xjwj', { ml: '/', wjname: 'meanwhile.txt' })).toMatchObject({ success: true });
    debian.seen = null;
    otherAgent = await otherAgent.again();
    expect(await ended(owner.id)).toMatch(/^failed.*node_unreachable|^failed.*agent/s);
    expect(existsSync(join(other.dataDir, 'sites', siteName))).toBe(false);
  });

  it('is the old one: nobody has to wait, and moving back waits for it', async () => {
    const owner = await open('debian');
    other.seen = async (action) => {
      if (action === 'site.quota') await away(agent);
    };
    expect(await move(owner.id, 'other')).toBe('kept');
    expect(await running(owner.id)).toMatchObject({ value: { running: true } });
    expect(await panel.admin('zjqyhf', { id: owner.id })).toMatchObject({ success: true });
    expect(await ended(owner.id)).toBe('kept');
    expect((await lastMove(owner.id))!.error).not.toBeNull();
    expect([(await host(owner.id)).nodeCode, await running(owner.id)]).toMatchObject(['other', { value: { running: true } }]);
    agent = await agent.again();
    expect(await panel.admin('zjqyhf', { id: owner.id })).toMatchObject({ success: true });
    expect(await ended(owner.id)).toBe('kept');
    expect([(await host(owner.id)).nodeCode, await running(owner.id)]).toMatchObject(['debian', { value: { running: true } }]);
  });
});

describe('the DNS', () => {
  it('points the site’s own name to its current server', async () => {
    const settings = Object.fromEntries(Object.entries(dns.settings).map(([key, value]) => [`cs[${key}]`, value]));
    const { id } = (await panel.admin('p_dns_provider_save', { slug: 'cloudflare', name: 'CF', ...settings })) as unknown as { id: number };
    expect(await panel.admin('p_dns_sites_save', { provider_id: String(id) })).toMatchObject({ success: true });
    const servers = panel.get(Database).repository(HostingNode);
    await servers.update({ code: 'first' }, { dnsTarget: '192.0.2.11' });
    await servers.update({ code: 'second' }, { dnsTarget: '192.0.2.12' });
    const owner = await open('first');
    const { username } = await host(owner.id);
    const name = `${username}.sites.example.com`;
    await runJob(panel.get(JobRegistry), 'dns-records');
    expect(dns.of(name)).toEqual(['A 192.0.2.11']);
    expect((await check(owner.id, 'second')).notes.join(' ')).toContain('A 192.0.2.12');
    expect(await move(owner.id, 'second')).toBe('kept');
    await runJob(panel.get(JobRegistry), 'dns-records');
    expect(dns.of(name)).toEqual(['A 192.0.2.12']);
    await panel.admin('zjqyhf', { id: owner.id });
    expect(await ended(owner.id)).toBe('kept');
    await runJob(panel.get(JobRegistry), 'dns-records');
    expect(dns.of(name)).toEqual(['A 192.0.2.11']);
  });
});
