/** Backups of sites: made, kept by plan, restored, downloaded, and accessible only to their owner. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { Like } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { HostingAccount, HostingNode, HostingService, SiteBackup, SiteBackupRemoval, SiteBackupSchedule } from '../src/hosting/index.js';
import { SiteBackupPlans } from '../src/hosting/site-backups/backup-plans.js';
import { LostSiteBackups } from '../src/hosting/site-backups/lost-backups.js';
import { Notice } from '../src/notify/index.js';
import { SiteSettings } from '../src/site/index.js';

import { ManualClock } from './support/manual-clock.js';
import { PanelClient } from './support/panel-client.js';
import { TestPanel } from './support/panel.js';

const PASS = 'secret-pass-1';
const DAY_MS = 86_400_000;

let panel: TestPanel;
let storage: Server;
const objects = new Map<string, Buffer>();
let refuses = 0;
const clock = new ManualClock();

beforeAll(async () => {
  storage = createServer((req, res) => {
    const key = new URL(req.url!, 'http://x').pathname;
    if (refuses) return void req.resume().on('end', () => res.writeHead(refuses).end('<Error><Code>AccessDenied</Code></Error>'));
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const found = objects.get(key);
      if (req.method === 'PUT') objects.set(key, Buffer.concat(chunks));
      if (req.method === 'DELETE') objects.delete(key);
      if (req.method === 'PUT' || req.method === 'DELETE') return res.writeHead(200).end();
      if (!found) return res.writeHead(404).end();
      const from = Number(/^bytes=(\d+)-$/.exec(req.headers.range ?? '')?.[1] ?? 0);
      res.writeHead(from > 0 ? 206 : 200, { 'content-length': found.length - from });
      return req.method === 'HEAD' ? res.end() : res.end(found.subarray(from));
    });
  });
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
  panel = await TestPanel.start({
    SERVICES: 'panel,worker',
    BACKUP_S3_ENDPOINT: `http://127.0.0.1:${(storage.address() as AddressInfo).port}`,
    BACKUP_S3_BUCKET: 'kept',
    BACKUP_S3_ACCESS_KEY: 'key-id',
    BACKUP_S3_SECRET_KEY: 'the-secret-of-the-bucket',
  });
  for (const part of [SiteBackupPlans, LostSiteBackups]) Object.assign(panel.get<object>(part), { clock });
});
afterAll(async () => {
  await panel?.close();
  storage?.closeAllConnections();
  storage?.close();
});
beforeEach(async () => {
  refuses = 0;
  clock.set(new Date());
  await panel.get(SiteSettings).change({ siteBackupLimit: 3, siteBackupSchedule: 'weekly', siteBackupPlace: 'disk' });
});

const accounts = () => panel.get(Database).repository(HostingAccount);
const backups = () => panel.get(Database).repository(SiteBackup);
let count = 0;

/** A new host with a file, and its owner. */
async function open(more: { user?: string; backups?: number | null; webMb?: number } = {}) {
  const user = more.user ?? `owner${String((count += 1)).padStart(3, '0')}`;
  const { id } = await panel.get(HostingService).provision({ node: 'local', password: PASS, expiresOn: null, ...more, user }, 'api');
  const host = await accounts().findOneByOrFail({ id });
  const at = (path: string) => join(panel.dataDir, 'sites', host.siteName, 'public', path);
  writeFileSync(at('page.html'), `of ${user}`);
  const owner = await new PanelClient(panel.url).login('user', user, PASS);
  const ask = async (gn: string, fields: Record<string, string> = {}) =>
    (await owner.ajax('user', { gn, ...fields })).json as unknown as Answer;
  const list = async () => (await ask('sitebackup_list')).rows;
  const settled = () =>
    expect
      .poll(async () => (await backups().findBy({ hostId: id })).filter(({ busy }) => busy !== null).length, { timeout: 20_000 })
      .toBe(0);
  const make = async () => {
    const answer = await ask('sitebackup_make');
    expect(answer).toMatchObject({ success: true });
    await settled();
    return (await list())[0]!;
  };
  return { id, user, host, at, owner, ask, list, make, settled };
}

interface Answer {
  readonly success: boolean;
  readonly err?: string;
  readonly code?: string;
  readonly url?: string;
  readonly fields?: object;
  readonly rows: Record<string, string>[];
}

const archives = () => {
  const folder = join(panel.dataDir, 'site-backups');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

/** A download as bytes. */
const bytesOf = ({ cookies }: PanelClient, url: string, headers: Record<string, string>): Promise<Response> =>
  fetch(panel.url + url, { headers: { ...headers, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }, redirect: 'manual' });

/** Downloads completely and in parts, as browsers and download programs do. */
async function checkParts(get: (headers: Record<string, string>) => Promise<Response>, whole: Buffer): Promise<void> {
  const first = await get({});
  const tag = first.headers.get('etag')!;
  expect([first.status, first.headers.get('content-type'), first.headers.get('accept-ranges')]).toEqual([200, 'application/gzip', 'bytes']);
  expect(first.headers.get('content-length')).toBe(String(whole.length));
  expect(Buffer.from(await first.arrayBuffer()).equals(whole)).toBe(true);
  const parts: [Record<string, string>, number, Buffer, string | null][] = [
    [{ range: 'bytes=40-' }, 206, whole.subarray(40), `bytes 40-${whole.length - 1}/${whole.length}`],
    [{ range: 'bytes=0-9', 'if-range': tag }, 206, whole.subarray(0, 10), `bytes 0-9/${whole.length}`],
    [{ range: 'bytes=-5' }, 206, whole.subarray(-5), `bytes ${whole.length - 5}-${whole.length - 1}/${whole.length}`],
    [{ range: 'bytes=40-', 'if-range': '"another"' }, 200, whole, null],
    [{ range: `bytes=${whole.length}-` }, 416, Buffer.alloc(0), `bytes */${whole.length}`],
  ];
  for (const [headers, status, body, range] of parts) {
    const answer = await get(headers);
    const got = Buffer.from(await answer.arrayBuffer());
    expect([headers, answer.status, answer.headers.get('content-range'), got.equals(body)]).toEqual([headers, status, range, true]);
    expect(answer.headers.get('content-length')).toBe(String(body.length));
  }
}

describe('a backup of a site', () => {
  it('is made, restored after a safety copy, downloaded and deleted by its owner', async () => {
    const { at, ask, list, make, settled, owner, host } = await open();
    const made = await make();
    expect(made).toMatchObject({ fs: 'manual', zt: 'done', wz: 'disk', wj: '2', cw: '', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    writeFileSync(at('page.html'), 'broken');
    expect(await ask('sitebackup_restore', { bf: made.id! })).toMatchObject({ success: true });
    await settled();
    expect(readFileSync(at('page.html'), 'utf8')).toContain('of owner');
    expect((await list()).map(({ fs, zt }) => [fs, zt])).toEqual([
      ['safety', 'done'],
      ['manual', 'done'],
    ]);
    // The safety copy has the previous state; one is kept.
    const [safety] = await list();
    expect(await ask('sitebackup_restore', { bf: safety!.id! })).toMatchObject({ success: true });
    await settled();
    expect(readFileSync(at('page.html'), 'utf8')).toBe('broken');
    // The previous one is deleted after the row is marked as done.
    await expect.poll(async () => (await list()).filter(({ fs }) => fs === 'safety')).toHaveLength(1);
    const { url } = await ask('sitebackup_download', { bf: made.id! });
    const file = await owner.send(url!);
    expect([file.status, file.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="${(await backups().findOneByOrFail({ id: Number(made.id) })).name}"`,
    ]);
    // An interrupted download can continue, so the link works more than once, for him only.
    expect((await owner.send(url!)).status).toBe(200);
    expect(await ask('sitebackup_del', { bf: made.id! })).toMatchObject({ success: true });
    expect((await owner.send(url!)).status).not.toBe(200);
    expect((await list()).map(({ fs }) => fs)).toEqual(['safety']);
    expect(archives().filter((name) => name.startsWith(host.siteName))).toHaveLength(1);
  });

  it('can be downloaded from an offset, as long as it is unchanged', async () => {
    const { host, make, ask, owner } = await open();
    const made = await make();
    const { url } = await ask('sitebackup_download', { bf: made.id! });
    const path = join(
      panel.dataDir,
      'site-backups',
      archives().find((name) => name.startsWith(host.siteName))!,
    );
    await checkParts((headers) => bytesOf(owner, url!, headers), readFileSync(path));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    // A backup with missing bytes is never sent as if it were complete.
    writeFileSync(path, readFileSync(path).subarray(0, 100));
    expect([(await owner.send(url!)).status, (await owner.send(url!)).headers.get('location')]).toEqual([302, '/user/backups']);
  });

  it('is limited by the plan: manual ones up to the limit, none if the plan has none', async () => {
    const { id, ask, make } = await open({ backups: 1 });
    const first = await make();
    expect(await ask('sitebackup_make')).toMatchObject({ success: false, err: 'E_LIMIT' });
    await ask('sitebackup_del', { bf: first.id! });
    await make();
    await panel.admin('zjmode', { id: String(id), bf_max: '0' });
    expect(await ask('sitebackup_make')).toMatchObject({ success: false, err: 'E_LIMIT' });
    expect(await ask('sitebackup_plan', { zq: 'daily' })).toMatchObject({ success: false, err: 'E_LIMIT' });
    await panel.admin('zjmode', { id: String(id), bf_max: '' });
    expect(await accounts().findOneByOrFail({ id })).toMatchObject({ backupQuota: null });
    await make();
    for (const wrong of ['-1', '101', 'many'])
      expect(await panel.admin('zjmode', { id: String(id), bf_max: wrong })).toHaveProperty('fields.bf_max');
  });

  it('is reported when manual ones reach four fifths of the limit, once for each size of the plan', async () => {
    const { id, user, ask, make } = await open({ backups: 5 });
    const told = () => panel.get(Database).repository(Notice).findBy({ username: user, kind: 'backup' });
    for (let n = 0; n < 3; n += 1) await make();
    expect(await told()).toEqual([]);
    const last = await make();
    // After the row is marked as done.
    await expect.poll(async () => (await told()).map(({ level }) => level)).toEqual(['warning']);
    await ask('sitebackup_del', { bf: last.id! });
    await make();
    expect(await told()).toHaveLength(1);
    await panel.admin('zjmode', { id: String(id), bf_max: '6' });
    await make();
    await expect.poll(told).toHaveLength(2);
  });

  it('runs one at a time: two orders at once make one backup, and two restores one', async () => {
    const { at, ask, make, settled, list } = await open();
    // Packing takes longer than five orders, also on a busy machine: a later order would be another backup.
    writeFileSync(at('large.bin'), randomBytes(16 * 1_048_576));
    const made = await make();
    const orders = await Promise.all(Array.from({ length: 5 }, () => ask('sitebackup_make')));
    expect(orders.filter(({ success }) => success)).toHaveLength(1);
    expect(orders.filter(({ err }) => err === 'E_CONFLICT').length).toBeGreaterThan(0);
    await settled();
    expect(await list()).toHaveLength(2);
    const restorations = await Promise.all(Array.from({ length: 5 }, () => ask('sitebackup_restore', { bf: made.id! })));
    expect(restorations.filter(({ success }) => success)).toHaveLength(1);
    expect(await ask('sitebackup_del', { bf: made.id! })).toMatchObject({ success: false, err: 'E_CONFLICT' });
    await settled();
    await expect.poll(async () => (await list()).filter(({ fs }) => fs === 'safety')).toHaveLength(1);
  });

  it('is refused up front when it is larger than the current space, or altered', async () => {
    const { id, host, at, ask, make, settled, list } = await open({ webMb: 10 });
    writeFileSync(at('big.bin'), Buffer.alloc(3 * 1_048_576));
    const made = await make();
    rmSync(at('big.bin'));
    writeFileSync(at('page.html'), 'of today');
    await panel.admin('zjmode', { id: String(id), webkj: '2' });
    expect(await ask('sitebackup_restore', { bf: made.id! })).toMatchObject({ success: false, err: 'E_LIMIT' });
    await panel.admin('zjmode', { id: String(id), webkj: '10' });
    const path = join(
      panel.dataDir,
      'site-backups',
      archives().find((name) => name.startsWith(host.siteName))!,
    );
    const bytes = readFileSync(path);
    bytes[bytes.length - 10]! ^= 1;
    writeFileSync(path, bytes);
    expect(await ask('sitebackup_restore', { bf: made.id! })).toMatchObject({ success: true });
    await settled();
    expect((await list()).find(({ id: one }) => one === made.id)).toMatchObject({ zt: 'done', cw: expect.stringContaining('校验和') });
    expect([readFileSync(at('page.html'), 'utf8'), existsSync(at('big.bin'))]).toEqual(['of today', false]);
  });

  it('is inaccessible to others: foreign and forged ids, and a reused name', async () => {
    const alice = await open();
    const mallory = await open();
    const made = await alice.make();
    for (const gn of ['sitebackup_restore', 'sitebackup_download', 'sitebackup_del'])
      expect([gn, await mallory.ask(gn, { bf: made.id! })]).toMatchObject([gn, { success: false, err: 'E_NOTEXIST' }]);
    for (const bf of ['0', '-1', '../1', '1e9', '', '99999999'])
      expect((await mallory.ask('sitebackup_restore', { bf, id: String(alice.id) })).success).toBe(false);
    expect(await mallory.list()).toEqual([]);
    const { url } = await alice.ask('sitebackup_download', { bf: made.id! });
    expect((await mallory.owner.send(url!)).status).not.toBe(200);
    // An administrator names host and backup, which must belong together.
    expect(await panel.admin('sitebackup_restore', { id: String(mallory.id), bf: made.id! })).toMatchObject({ err: 'E_NOTEXIST' });
    await panel.get(HostingService).terminate(alice.id, 'admin');
    const again = await open({ user: alice.user });
    expect(await again.list()).toEqual([]);
    expect(await again.ask('sitebackup_restore', { bf: made.id! })).toMatchObject({ err: 'E_NOTEXIST' });
  });

  it('of an expired host can be downloaded, but not restored', async () => {
    const { id, ask, make } = await open();
    const made = await make();
    await accounts().update({ id }, { expiresOn: '2020-01-01' });
    expect(await ask('sitebackup_download', { bf: made.id! })).toMatchObject({ success: true });
    for (const gn of ['sitebackup_restore', 'sitebackup_make', 'sitebackup_del'])
      expect((await ask(gn, { bf: made.id! })).success).toBe(false);
  });

  it('is also available to administrators, from the host page', async () => {
    const { id, settled, at, list } = await open();
    const host = { id: String(id) };
    expect(await panel.admin('sitebackup_make', host)).toMatchObject({ success: true });
    await settled();
    const [row] = (await panel.admin('sitebackup_list', host)).rows as unknown as Record<string, string>[];
    expect(row).toMatchObject({ host: String(id), zt: 'done' });
    writeFileSync(at('page.html'), 'broken');
    expect(await panel.admin('sitebackup_restore', { ...host, bf: row!.id! })).toMatchObject({ success: true });
    await settled();
    expect(readFileSync(at('page.html'), 'utf8')).toContain('of owner');
    expect(await panel.admin('sitebackup_stop', host)).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await list()).toHaveLength(2);
  });
});

describe('scheduled backups', () => {
  const schedule = () => panel.get(SiteBackupSchedule);

  it('are made once on their day, in their minute of the night, and the oldest is deleted when a new one is complete', async () => {
    const { id, ask, list, make, settled } = await open({ backups: 2 });
    expect(await ask('sitebackup_plan', { zq: 'daily' })).toMatchObject({ success: true });
    const manual = await make();
    for (let day = 1; day <= 3; day += 1) {
      const { backupDueAt } = await accounts().findOneByOrFail({ id });
      clock.set(new Date(backupDueAt!.getTime() + 60_000));
      await Promise.all([schedule().orderDue(), schedule().orderDue()]);
      await settled();
      // The oldest is deleted right after the new one is complete.
      await expect.poll(async () => (await list()).filter(({ fs }) => fs === 'scheduled'), { timeout: 20_000 }).toHaveLength(1);
    }
    expect((await list()).map(({ fs }) => fs)).toEqual(['scheduled', 'manual']);
    expect((await list())[1]!.id).toBe(manual.id);
    // Manual ones use the whole limit: reported once.
    await ask('sitebackup_del', { bf: (await list())[0]!.id! });
    await make();
    for (let day = 1; day <= 2; day += 1) {
      const { backupDueAt } = await accounts().findOneByOrFail({ id });
      clock.set(new Date(backupDueAt!.getTime() + 60_000));
      await schedule().orderDue();
    }
    expect((await list()).map(({ fs }) => fs)).toEqual(['manual', 'manual']);
    expect(
      await panel
        .get(Database)
        .repository(Notice)
        .countBy({ key: Like(`site-backup:full:${id}:%`) }),
    ).toBe(1);
  });

  it('are made weekly if configured, and never when the owner or the settings disable them', async () => {
    const weekly = await open();
    const never = await open();
    await never.ask('sitebackup_plan', { zq: 'off' });
    await schedule().orderDue();
    for (let day = 1; day <= 8; day += 1) {
      clock.set(new Date(clock.now().getTime() + DAY_MS));
      await schedule().orderDue();
      await weekly.settled();
    }
    const made = (await weekly.list()).filter(({ fs }) => fs === 'scheduled').length;
    expect([made >= 1 && made <= 3, await never.list()]).toEqual([true, []]);
  });
});

describe('backups in the storage', () => {
  it('use addresses without its keys, are restored, and refusals are explained', async () => {
    expect(await panel.admin('sitebackup_set', { bf_wz: 's3' })).toMatchObject({ success: true });
    expect(await panel.admin('sitebackup_test', { bf_wz: 's3' })).toMatchObject({ success: true });
    expect(objects.size).toBe(0);
    const { at, ask, make, settled, list, owner } = await open();
    const made = await make();
    expect([made.wz, [...objects.keys()]]).toEqual(['s3', [expect.stringMatching(/^\/kept\/site-backups\/.*\.tar\.gz$/)]]);
    writeFileSync(at('page.html'), 'broken');
    await ask('sitebackup_restore', { bf: made.id! });
    await settled();
    expect(readFileSync(at('page.html'), 'utf8')).toContain('of owner');
    const { url } = await ask('sitebackup_download', { bf: made.id! });
    const [whole] = [...objects.values()];
    await checkParts((headers) => bytesOf(owner, url!, headers), whole!);
    refuses = 403;
    expect(await panel.admin('sitebackup_test', { bf_wz: 's3' })).toMatchObject({
      success: false,
      code: expect.stringContaining('AccessDenied'),
    });
    await ask('sitebackup_make');
    await settled();
    expect((await list())[0]).toMatchObject({ zt: 'failed', cw: expect.stringContaining('AccessDenied') });
    // It is gone for its owner immediately, and from the storage when that responds.
    expect(await ask('sitebackup_del', { bf: made.id! })).toMatchObject({ success: true });
    expect((await list()).some(({ id }) => id === made.id)).toBe(false);
    refuses = 0;
    await panel.get(SiteBackupRemoval).clear();
    expect([...objects.keys()].length).toBe(1);
  });

  it('are tested on disk, too', async () => {
    expect(await panel.admin('sitebackup_test', { bf_wz: 'disk' })).toMatchObject({
      success: true,
      free: [expect.stringContaining('local')],
    });
    expect(await panel.admin('sitebackup_set', { bf_max: '101' })).toHaveProperty('fields.bf_max');
  });
});

describe('backups on a server that is removed from the panel', () => {
  it('are deleted from its disk first, and remaining ones are reported', async () => {
    const { make, host } = await open();
    await make();
    const nodes = panel.get(Database).repository(HostingNode);
    const { id: _id, ...local } = await nodes.findOneByOrFail({ code: host.nodeCode });
    const [row] = await backups().findBy({ nodeCode: host.nodeCode, siteName: host.siteName });
    // Servers of an available kind, and of one whose plugin is gone, with a backup of a permanently deleted site.
    for (const [code, driver, left] of [
      ['gone1', 'embedded', 0],
      ['gone2', 'nobodys', 1],
    ] as const) {
      const { id } = await nodes.save({ ...local, code, codeKey: code, driver, address: code, openKey: code, signatureKey: code });
      const name = row!.name.replace(host.siteName, code);
      const path = join(panel.dataDir, 'site-backups', name);
      writeFileSync(path, 'archive');
      const { id: backup } = await backups().save({ ...row!, id: undefined, hostId: 999_999, nodeCode: code, name, busy: null });
      expect(await panel.admin('btsc', { id: String(id) })).toMatchObject({ success: true, left });
      expect([code, existsSync(path)]).toEqual([code, left > 0]);
      await panel.get(SiteBackupRemoval).clear();
      expect(await backups().countBy({ id: backup })).toBe(0);
    }
  });
});

describe('backups of a deleted site', () => {
  it('wait with it in the bin, are restored with it, and deleted with it', async () => {
    const { id, user, host, make } = await open();
    await make();
    const removal = panel.get(SiteBackupRemoval);
    const mine = () => archives().filter((name) => name.startsWith(host.siteName));
    await panel.admin('zjsc', { id: String(id) });
    await removal.clear();
    expect(mine()).toHaveLength(1);
    const bin = async () =>
      ((await panel.admin('lisths', { limit: '100' })).rows as unknown as Record<string, string>[]).find((row) => row.user === user)!;
    expect(await panel.admin('zjhf', { id: (await bin()).id!, pass: PASS })).toMatchObject({ success: true });
    const after = await accounts().findOneByOrFail({ username: user });
    expect((await backups().findBy({ hostId: after.id })).map(({ state }) => state)).toEqual(['done']);
    await panel.admin('zjsc', { id: String(after.id) });
    await panel.admin('zjqc', { id: (await bin()).id! });
    await removal.clear();
    expect([mine(), await backups().countBy({ hostId: after.id })]).toEqual([[], 0]);
  });
});
