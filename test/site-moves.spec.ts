/** Moving sites between servers: what moves along, refusals by name, rollbacks, and moving back. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { AppConfig } from '../src/config/index.js';
import { Database } from '../src/database/index.js';
import { AccountDrivers } from '../src/hosting/accounts/index.js';
import { HostingAccount, HostingNode, SiteMove } from '../src/hosting/index.js';
import { JobRegistry } from '../src/jobs/index.js';
import { OperationLog } from '../src/operations/index.js';
import { FakeServer, startFakeServer } from './support/agent-server.js';
import type { FakeAgent } from './support/fake-agent.js';
import { OwnerClient } from './support/owner-client.js';
import { TestPanel } from './support/panel.js';
import { runJob } from './support/run-job.js';

let panel: TestPanel;
const agents: FakeAgent[] = [];
const one = new FakeServer();
const two = new FakeServer();
const three = new FakeServer();

beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel,worker' });
  agents.push(
    await startFakeServer(panel, 'one', one),
    await startFakeServer(panel, 'two', two),
    await startFakeServer(panel, 'three', three),
  );
});
afterEach(() => {
  one.seen = null;
  two.seen = null;
  one.fail = null;
  two.fail = null;
});
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.stopNow()));
  await panel?.close();
  one.dispose();
  two.dispose();
  three.dispose();
});

const host = (id: string) =>
  panel
    .get(Database)
    .repository(HostingAccount)
    .findOneByOrFail({ id: Number(id) });
const moves = (id: string) =>
  panel
    .get(Database)
    .repository(SiteMove)
    .find({ where: { hostId: Number(id) }, order: { id: 'ASC' } });
const states = async (id: string) => (await moves(id)).map(({ state, busy }) => `${state}${busy === null ? '' : '!'}`);
/** Web root of a site on a server. */
const rootOn = async (server: FakeServer | null, id: string): Promise<string> => {
  const { siteName } = await host(id);
  return join(server?.dataDir ?? panel.get(AppConfig).dataDir, 'sites', siteName, 'public');
};
const put = async (server: FakeServer | null, id: string, name: string, text: string) =>
  writeFileSync(join(await rootOn(server, id), name), text);
const read = async (server: FakeServer | null, id: string, name: string) => {
  const path = join(await rootOn(server, id), name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
};
const settle = (id: string, wanted: string[]) => expect.poll(() => states(id), { timeout: 20_000, interval: 50 }).toEqual(wanted);
let users = 0;
const open = (server: string) => OwnerClient.open(panel, `mover${(users += 1)}x`, server);

describe('a site that is moved', () => {
  it('moves with everything to another server and back, and the old one is kept for a week', async () => {
    const owner = await open('local');
    await put(null, owner.id, 'mine.txt', 'of the owner');
    expect(await panel.admin('tjurl', { id: owner.id, url: 'moved.example.com' })).toMatchObject({ success: true });
    expect(await panel.admin('zjqyjc', { id: owner.id, btdh: 'one' })).toMatchObject({ success: true, fits: 'true', blocks: [] });
    expect(await panel.admin('zjqy', { id: owner.id, btdh: 'one' })).toMatchObject({ success: true });
    await settle(owner.id, ['kept']);
    const account = await host(owner.id);
    expect(account).toMatchObject({ nodeCode: 'one', state: 'active', claimedBy: null });
    expect(await read(one, owner.id, 'mine.txt')).toBe('of the owner');
    expect(await read(null, owner.id, 'mine.txt')).toBe('of the owner');
    const [move] = await moves(owner.id);
    expect(Math.round((move!.keepUntil!.getTime() - move!.switchedAt!.getTime()) / 86_400_000)).toBe(7);
    // From now on its owner's changes happen there.
    expect(await owner.call('listfile', { path: '/' })).toMatchObject({ total: 2 });
    await put(one, owner.id, 'since.txt', 'written since');
    // The nightly comparison finds nothing to take over, and the server cannot be removed from the panel.
    const { id: local } = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'local' });
    expect(await panel.admin('btsc', { id: String(local) })).toMatchObject({ success: false, err: 'E_INUSE' });

    expect(await panel.admin('zjqyhf', { id: owner.id })).toMatchObject({ success: true });
    await settle(owner.id, ['kept']);
    expect(await host(owner.id)).toMatchObject({
      nodeCode: 'local',
      state: 'active',
      siteId: account.siteId.replace(/^svc.*/, (await moves(owner.id))[0]!.toId),
    });
    expect(await read(null, owner.id, 'since.txt')).toBeNull();
    expect(await read(one, owner.id, 'since.txt')).toBe('written since');

    expect(await panel.admin('zjqyqc', { id: owner.id })).toMatchObject({ success: true });
    expect(await states(owner.id)).toEqual(['done']);
    expect(existsSync(await rootOn(one, owner.id))).toBe(false);
  });

  it('brings its database, PHP version and commands between servers that have them', async () => {
    const owner = await open('one');
    await owner.call('phpxg', { php: '83' });
    expect(await panel.admin('crontab_save', { id: owner.id, ml: 'echo hello', sj: '0 3 * * *', kg: 'true' })).toMatchObject({
      success: true,
    });
    await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
    await settle(owner.id, ['kept']);
    expect(await host(owner.id)).toMatchObject({ nodeCode: 'two' });
    expect(await owner.call('listphp')).toMatchObject({ php: '83' });
    expect(JSON.stringify(await panel.admin('crontab_list', { id: owner.id }))).toContain('hello');
  });
});

describe('an impossible move', () => {
  it('is refused by name before it starts', async () => {
    const owner = await open('one');
    const answer = await panel.admin('zjqy', { id: owner.id, btdh: 'local' });
    expect(answer).toMatchObject({ success: false, err: 'E_STATE' });
    expect(JSON.stringify(await panel.admin('zjqyjc', { id: owner.id, btdh: 'local' }))).toMatch(/PHP 8\.2/);
    expect(await states(owner.id)).toEqual([]);
    for (const btdh of ['one', 'nowhere', '']) expect(await panel.admin('zjqy', { id: owner.id, btdh })).toMatchObject({ success: false });
    expect(await panel.admin('zjqy', { id: '999999', btdh: 'two' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  });

  it('is rolled back when a step fails on the other server, and the site continues as before', async () => {
    for (const at of ['site.create', 'backups.restore', 'databases.import', 'domains.apply'] as const) {
      const owner = await open('one');
      await put(one, owner.id, 'mine.txt', at);
      two.fail = (action) => (action === at ? 'refused' : null);
      await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
      await settle(owner.id, ['failed']);
      two.fail = null;
      expect(await host(owner.id)).toMatchObject({ nodeCode: 'one', state: 'active' });
      expect([at, await read(one, owner.id, 'mine.txt')]).toEqual([at, at]);
      expect([at, existsSync(await rootOn(two, owner.id))]).toEqual([at, false]);
      const [move] = await moves(owner.id);
      expect(move!.error).not.toBeNull();
      // The move is repeated, now with a working server.
      await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
      await settle(owner.id, ['failed', 'kept']);
    }
  });

  it('is one at a time, and ends with the host', async () => {
    const owner = await open('one');
    const answers = await Promise.all(Array.from({ length: 4 }, () => panel.admin('zjqy', { id: owner.id, btdh: 'two' })));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    await settle(owner.id, ['kept']);
    await panel.admin('zjsc', { id: owner.id });
    expect(await panel.admin('zjqyhf', { id: owner.id })).toMatchObject({ success: false });
  });
});

describe('during a move', () => {
  /** Stops the other server's agent at an action until it is released. */
  function holdAt(server: FakeServer, at: string): { reached: Promise<void>; letGo: () => void } {
    let letGo!: () => void;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const reached = new Promise<void>((resolve) => {
      server.seen = async (action) => {
        if (action !== at) return;
        resolve();
        await gate;
      };
    });
    return { reached, letGo: () => ((server.seen = null), letGo()) };
  }

  it('a site runs and can be edited, then is stopped: its owner is told on every page, and refusals explain it', async () => {
    const owner = await open('one');
    const copying = holdAt(two, 'backups.restore');
    await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
    await copying.reached;
    expect(await owner.page('', 'en')).toContain('being copied to another server');
    expect(await owner.call('xjwj', { ml: '/', wjname: 'late.txt' })).not.toMatchObject({ err: 'E_BUSY' });
    expect(await panel.admin('zjqy', { id: owner.id, btdh: 'two' })).toMatchObject({ success: false, err: 'E_CONFLICT' });
    copying.letGo();
    const still = holdAt(two, 'site.renew');
    await still.reached;
    expect(await owner.page('', 'en')).toContain('cannot be changed at the moment');
    expect(await owner.call('xjwj', { ml: '/', wjname: 'too-late.txt' })).toMatchObject({ success: false, err: 'E_BUSY' });
    expect(await panel.admin('xjwj', { id: owner.id, ml: '/', wjname: 'too-late.txt' })).toMatchObject({ success: false, err: 'E_BUSY' });
    expect(await panel.admin('zjqytz', { id: owner.id })).toMatchObject({ success: true });
    still.letGo();
    await expect.poll(() => states(owner.id), { timeout: 20_000 }).toEqual([expect.stringMatching(/^(?:kept|failed)$/)]);
    const { nodeCode } = await host(owner.id);
    expect(await read(nodeCode === 'two' ? two : one, owner.id, 'late.txt')).toBe('');
  });

  it('it can be stopped manually, and nothing of it is left', async () => {
    const owner = await open('one');
    const held = holdAt(two, 'backups.restore');
    await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
    await held.reached;
    expect(await panel.admin('zjqytz', { id: owner.id })).toMatchObject({ success: true });
    held.letGo();
    await settle(owner.id, ['failed']);
    expect(existsSync(await rootOn(two, owner.id))).toBe(false);
    expect(await panel.admin('zjqytz', { id: owner.id })).toMatchObject({ success: false, err: 'E_STATE' });
  });

  it('it counts on the target, so that no server exceeds its capacity', async () => {
    const servers = panel.get(Database).repository(HostingNode);
    const owner = await open('one');
    const n = await panel.get(Database).repository(HostingAccount).countBy({ nodeCode: 'two' });
    await servers.update({ code: 'two' }, { capacity: n + 1 });
    const held = holdAt(two, 'backups.restore');
    await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
    await held.reached;
    expect(await panel.admin('addzj', { user: 'nobody-fits', pass: 'secret-pass-1', btdh: 'two' })).toMatchObject({ err: 'E_LIMIT' });
    held.letGo();
    await settle(owner.id, ['kept']);
    await servers.update({ code: 'two' }, { capacity: 0 });
  });

  it('it continues when the host is paused, and the host is paused there', async () => {
    const owner = await open('one');
    await put(one, owner.id, 'mine.txt', 'of a paused host');
    await panel.admin('zjzt', { id: owner.id });
    await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
    await settle(owner.id, ['kept']);
    expect(await host(owner.id)).toMatchObject({ nodeCode: 'two', state: 'paused' });
    expect(await read(two, owner.id, 'mine.txt')).toBe('of a paused host');
  });

  it('a pause during the move applies, and so does a resume', async () => {
    for (const [before, meanwhile, state] of [
      [null, 'zjzt', 'paused'],
      ['zjzt', 'zjjc', 'active'],
    ] as const) {
      const owner = await open('one');
      await put(one, owner.id, 'mine.txt', state);
      if (before) await panel.admin(before, { id: owner.id });
      const held = holdAt(two, 'backups.restore');
      await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
      await held.reached;
      expect(await panel.admin(meanwhile, { id: owner.id })).toMatchObject({ success: true });
      held.letGo();
      await settle(owner.id, ['kept']);
      const account = await host(owner.id);
      expect(account).toMatchObject({ nodeCode: 'two', state });
      expect(await read(two, owner.id, 'mine.txt')).toBe(state);
      expect(two.brought(account.siteName)).toContain('CREATE TABLE');
      const { siteName, siteId } = account;
      const bound = await panel.get(AccountDrivers).of(account);
      expect([siteName, siteId, await bound.sync()]).toMatchObject([
        siteName,
        siteId,
        { value: { suspended: state === 'paused', running: state === 'active' } },
      ]);
    }
  });

  it('an unchanged site is stopped without being packed again, a changed one is packed', async () => {
    const owners = [await open('one'), await open('one')];
    for (const { id } of owners) await put(one, id, 'mine.txt', 'of the owner');
    const written = Date.now();
    // For recently written files, modification marks are unreliable.
    await expect.poll(() => Date.now() - written, { timeout: 10_000 }).toBeGreaterThan(2_100);
    for (const [at, { id }] of owners.entries()) {
      const isChanged = at === 1;
      let packed = 0;
      one.seen = async (action) => {
        if (action === 'backups.make') packed += 1;
        if (action === 'site.stop' && isChanged) await put(one, id, 'mine.txt', 'changed since');
      };
      await panel.admin('zjqy', { id, btdh: 'two' });
      await settle(id, ['kept']);
      expect(packed).toBe(isChanged ? 2 : 1);
      expect(await read(two, id, 'mine.txt')).toBe(isChanged ? 'changed since' : 'of the owner');
    }
  });

  it('it waits for files that are being packed in the background before the site is stopped', async () => {
    const owner = await open('one');
    await put(one, owner.id, 'mine.txt', 'of the owner');
    const packing = holdAt(one, 'files.pack');
    const packed = owner.call('fileys', { file: '["mine.txt"]', path: '/', dpath: '/mine.zip' });
    await packing.reached;
    await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
    await settle(owner.id, ['closing!']);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await states(owner.id)).toEqual(['closing!']);
    const bound = await panel.get(AccountDrivers).of(await host(owner.id));
    expect(await bound.sync()).toMatchObject({ value: { running: true } });
    packing.letGo();
    await packed;
    await settle(owner.id, ['kept']);
    expect(existsSync(join(await rootOn(two, owner.id), 'mine.zip'))).toBe(true);
  });

  it('it is cancelled when the host is deleted', async () => {
    const owner = await open('one');
    const held = holdAt(two, 'backups.restore');
    await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
    await held.reached;
    const { siteName } = await host(owner.id);
    expect(await panel.admin('zjsc', { id: owner.id })).toMatchObject({ success: true });
    held.letGo();
    await settle(owner.id, ['failed']);
    expect(existsSync(join(two.dataDir, 'sites', siteName))).toBe(false);
  });
});

describe('a server that is being emptied', () => {
  const server = async (code: string) => String((await panel.get(Database).repository(HostingNode).findOneByOrFail({ code })).id);
  const left = () => panel.get(Database).repository(HostingAccount).countBy({ nodeCode: 'three' });
  const page = async () =>
    (await panel.adminFetch(`/admin/server-emptying?id=${await server('three')}`, { headers: { 'Accept-Language': 'en' } })).text();
  const job = () => runJob(panel.get(JobRegistry), 'server-emptying');

  it('loses its sites a few at a time, accepts no new ones, and can be stopped and resumed', async () => {
    const owners = [await open('three'), await open('three'), await open('three')];
    const id = await server('three');
    for (const [btdh, sl] of [
      ['three', '1'],
      ['nowhere', '1'],
      ['', '1'],
      ['two', '9'],
    ] as const)
      expect(await panel.admin('btqk', { id, btdh, sl })).toMatchObject({ success: false });
    expect(await panel.admin('btqk', { id, btdh: 'two', sl: '1' })).toMatchObject({ success: true });
    expect(await panel.admin('btqk', { id, btdh: 'two', sl: '1' })).toMatchObject({ success: false, err: 'E_CONFLICT' });
    expect(await panel.admin('addzj', { user: 'nobody-new', pass: 'secret-pass-1', btdh: 'three' })).toMatchObject({ err: 'E_DISABLED' });
    expect(await panel.admin('btqktz', { id })).toMatchObject({ success: true });
    await settle(owners[0]!.id, ['kept']);
    await job();
    expect(await left()).toBe(2);
    expect(await page()).toContain('Stopped');
    expect(await panel.admin('btqkjx', { id })).toMatchObject({ success: true });
    await expect.poll(async () => (await job(), await left()), { timeout: 30_000 }).toBe(0);
    for (const owner of owners) await settle(owner.id, ['kept']);
    await job();
    expect(await page()).toContain('no hosts are left on this server');
    expect(await panel.admin('btqktz', { id })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await panel.admin('btqk', { id, btdh: 'two', sl: '1' })).toMatchObject({ success: false, err: 'E_STATE' });
  });

  it('keeps sites that cannot move, with the reason, and follows the rule of a group', async () => {
    await panel.admin('btkg', { id: await server('three'), kg: 'true' });
    const owner = await open('three');
    expect(await panel.admin('btqk', { id: await server('three'), btdh: 'local' })).toMatchObject({ success: true });
    await job();
    await expect.poll(() => states(owner.id)).toEqual(['failed']);
    expect(await page()).toContain('1 hosts are still here');
    expect(JSON.stringify(await panel.admin('listqy', { id: owner.id }))).toMatch(/PHP 8\.2/);
    await panel.admin('btzbc', { bh: 'spare', mc: 'Spare', gz: 'least', nodes: `${await server('local')},${await server('two')}` });
    expect(await panel.admin('btqk', { id: await server('three'), btdh: 'auto:spare' })).toMatchObject({ success: true });
    await settle(owner.id, ['failed', 'kept']);
    expect(await host(owner.id)).toMatchObject({ nodeCode: 'two' });
  });
});

describe('the old site', () => {
  it('is deleted when its period ends, and not a moment earlier', async () => {
    const owner = await open('one');
    await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
    await settle(owner.id, ['kept']);
    await runJob(panel.get(JobRegistry), 'moved-sites');
    expect(await states(owner.id)).toEqual(['kept']);
    expect(existsSync(await rootOn(one, owner.id))).toBe(true);
  });

  it('keeps its backups until then, to be downloaded and restored on the new server, and takes them with it', async () => {
    const owner = await open('one');
    await put(one, owner.id, 'mine.txt', 'of the backup');
    await panel.admin('sitebackup_make', { id: owner.id });
    const backups = async () =>
      (await panel.admin('sitebackup_list', { id: owner.id })).rows as unknown as { id: string; zt: string; fs: string }[];
    await expect.poll(async () => (await backups())[0]?.zt, { timeout: 20_000 }).toBe('done');
    await put(one, owner.id, 'mine.txt', 'of today');
    await panel.admin('zjqy', { id: owner.id, btdh: 'two' });
    await settle(owner.id, ['kept']);
    const [backup] = await backups();
    await panel.admin('sitebackup_restore', { id: owner.id, bf: backup!.id });
    await expect.poll(() => read(two, owner.id, 'mine.txt'), { timeout: 20_000 }).toBe('of the backup');
    await expect.poll(async () => (await backups()).every(({ zt }) => zt === 'done'), { timeout: 20_000 }).toBe(true);
    const link = await panel.admin('sitebackup_download', { id: owner.id, bf: backup!.id });
    expect((await panel.adminFetch(String((link.data as { url: string }).url))).status).toBe(200);

    await panel
      .get(Database)
      .repository(SiteMove)
      .update({ hostId: Number(owner.id) }, { keepUntil: new Date(Date.now() - 3 * 86_400_000) });
    // A clock that has just jumped removes nothing: a run must have seen it a day ago.
    await runJob(panel.get(JobRegistry), 'moved-sites');
    expect(await states(owner.id)).toEqual(['kept']);
    await panel.admin('zjqyqc', { id: owner.id });
    expect(await states(owner.id)).toEqual(['done']);
    expect((await backups()).map(({ fs }) => fs)).toEqual(['safety']);
    expect(await read(two, owner.id, 'mine.txt')).toBe('of the backup');
  });

  it('has its lines in the operation log, for start and end', async () => {
    const lines = await panel
      .get(Database)
      .repository(OperationLog)
      .find({ order: { id: 'ASC' } });
    const of = (gn: string) => lines.filter(({ category }) => category === gn).map(({ text }) => text?.key);
    expect(of('zjqy')).toEqual(expect.arrayContaining(['moves.audit_begin', 'moves.audit_moved', 'moves.audit_failed']));
    expect(of('zjqyhf')).toContain('moves.audit_return');
  });
});
