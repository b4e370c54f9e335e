/** A full disk of a site: failures are explained, nothing incomplete stays, and unused space is not counted. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { HostingAccount } from '../src/hosting/index.js';
import { handmadeZip } from '../src/packaging/testing/handmade-zip.js';

import { createMigratedPlace, testEngine } from './support/database.js';
import { canMount } from './support/own-disk.js';
import { TestPanel } from './support/panel.js';
import { zipOf } from './support/program-zip.js';

const DISK_MB = 6;

describe.skipIf(!canMount)('a full disk (needs permission to mount one: root on Linux)', () => {
  let panel: TestPanel;
  let disk: string;
  let id: string;
  let site: string;

  beforeAll(async () => {
    panel = await TestPanel.start({ SERVICES: 'panel,worker' });
    disk = join(panel.dataDir, 'sites');
    mkdirSync(disk, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk]);
    const { data } = await panel.admin('addzj', { user: 'crowded1', pass: 'secret-pass-1', btdh: 'local' });
    id = String(data.id);
    site = join(disk, (await account()).siteName);
    writeFileSync(join(site, 'public/note.txt'), 'first');
    const content = 'x'.repeat(400_000);
    writeFileSync(join(site, 'public/all.zip'), handmadeZip([{ name: 'deep/big.txt', content }]));
    writeFileSync(join(site, 'public/copied.txt'), content);
  });
  afterAll(async () => {
    execFileSync('umount', ['-l', disk]);
    await panel.close();
  });
  beforeEach(() => fill(200_000));

  const account = () => panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'crowded1' });
  /** Leaves this many bytes of the disk free. */
  function fill(left: number): void {
    rmSync(join(disk, '.filling'), { force: true });
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, '.filling'), Buffer.alloc(bavail * bsize - left));
  }
  const unfinished = (): string[] => readdirSync(join(site, 'work'));
  const run = (gn: string, fields: Record<string, string>) => panel.admin(gn, { id, ...fields });
  const FULL = { success: false, err: 'E_NODE', code: expect.stringContaining('磁盘已满') };

  async function upload(bytes: Buffer) {
    const body = new FormData();
    const fields = { gn: 'fileupload', id, htl: '/', tempfilename: 'new.bin', zsize: String(bytes.length), fesw: '0' };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append('file', new Blob([bytes]), 'blob');
    return (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body })).json() as Promise<Record<string, unknown>>;
  }

  it('rejects writes, uploads, copies, packing and unpacking', async () => {
    const { webUsedBytes: used } = await account();
    const before = readdirSync(join(site, 'public')).sort();
    expect(await run('setwj', { wj: '/note.txt', nr: 'y'.repeat(500_000) })).toMatchObject(FULL);
    expect(await run('xjwj', { ml: '/', wjname: 'empty.txt' })).toMatchObject({ success: true });
    await run('ftpsc', { path: '/', name: 'empty.txt' });
    expect(await upload(Buffer.alloc(500_000, 1))).toMatchObject({
      success: false,
      err: 'E_NODE',
      msg: expect.stringContaining('磁盘已满'),
    });
    expect(await run('filecp', { yfile: 'copied.txt', ypath: '/', xpath: '/', type: '1' })).toMatchObject(FULL);
    expect(await run('ftpjy', { jywj: '/all.zip', jyd: '/' })).toMatchObject(FULL);
    expect(readdirSync(join(site, 'public')).sort()).toEqual(before);
    expect(readFileSync(join(site, 'public/note.txt'), 'utf8')).toBe('first');
    expect(unfinished().filter((name) => !name.startsWith('up-'))).toEqual([]);
    expect((await account()).webUsedBytes).toBe(used);
  });

  it('lets an upload continue once there is space again', async () => {
    const bytes = Buffer.alloc(500_000, 1);
    expect(await upload(bytes)).toMatchObject({ success: false });
    rmSync(join(disk, '.filling'));
    expect(await upload(bytes)).toMatchObject({ success: true, size: 1 });
    expect(readFileSync(join(site, 'public/new.bin')).equals(bytes)).toBe(true);
    expect(unfinished()).toEqual([]);
    await run('ftpsc', { path: '/', name: 'new.bin' });
    await run('filetrash_del', { all: 'true' });
  });

  it('does not install a program: the site stays as it was, and its page says why', async () => {
    const before = readdirSync(join(site, 'public')).sort();
    const body = new FormData();
    for (const [name, value] of Object.entries({ gn: 'cxtj', cxname: 'Large', kg: 'on' })) body.append(name, value);
    body.append('filecx', new Blob([await zipOf({ 'noise.bin': randomBytes(5 * 1_048_576) })]), 'large.zip');
    const { id: program } = (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body })).json()) as { id: number };
    const refused = await run('cxyl', { bs: String(program) });
    const row = async () => (await run('listbsjl', {})).rows[0] as unknown as Record<string, string>;
    await expect.poll(async () => (await row()).zt, { timeout: 20_000 }).toBe('failed');
    expect(refused).not.toMatchObject({ qk: 1, code: expect.stringContaining('成功') as string });
    expect((await row()).cw).toContain('磁盘已满');
    expect(readdirSync(join(site, 'public')).sort()).toEqual(before);
    expect(readFileSync(join(site, 'public/note.txt'), 'utf8')).toBe('first');
    expect(unfinished().filter((name) => !name.startsWith('up-'))).toEqual([]);
  });

  it('neither opens nor changes hosts, and says why; with free space both work', async () => {
    fill(0);
    const open = () => panel.admin('addzj', { user: 'crowded2', pass: 'secret-pass-1', btdh: 'local' });
    expect(await open()).toMatchObject({ success: false, code: expect.stringContaining('磁盘已满') });
    expect(await panel.get(Database).repository(HostingAccount).countBy({ username: 'crowded2' })).toBe(0);
    expect(await panel.admin('zjzt', { id })).toMatchObject({ success: false, code: expect.stringContaining('磁盘已满') });
    expect(await account()).toMatchObject({ state: 'active', claimedUntil: null });
    rmSync(join(disk, '.filling'));
    expect(await panel.admin('zjzt', { id })).toMatchObject({ success: true });
    expect(await panel.admin('zjjc', { id })).toMatchObject({ success: true });
    expect(await open()).toMatchObject({ success: true });
    expect(readdirSync(join(disk, '.building'))).toEqual([]);
  });
});

describe.skipIf(!canMount || testEngine !== 'sqlite')(
  'a full disk under the database (needs permission to mount one: root on Linux)',
  () => {
    it('rejects settings with an explanation, keeps the old ones, and accepts them once there is space', { timeout: 60_000 }, async () => {
      const place = await createMigratedPlace({ CAPTCHA: 'off' });
      const database = readFileSync(join(place.dataDir, 'panel.db'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', place.dataDir]);
      let panel: TestPanel | undefined;
      try {
        writeFileSync(join(place.dataDir, 'panel.db'), database);
        panel = await TestPanel.on(place);
        const filling = join(place.dataDir, 'filling');
        expect(await panel.admin('setwz', { name: 'Before' })).toMatchObject({ success: true });
        const { bavail, bsize } = statfsSync(place.dataDir);
        writeFileSync(filling, Buffer.alloc(bavail * bsize));
        let answer = await panel.admin('setwz', { name: 'Never 0' });
        // Space reserved by the database's log may still take a few.
        for (let n = 1; answer.success && n < 500; n += 1) answer = await panel.admin('setwz', { name: `Never ${n}` });
        expect(answer).toMatchObject({ success: false, code: expect.stringContaining('磁盘已满') });
        rmSync(filling);
        expect(await panel.admin('setwz', { name: 'After' })).toMatchObject({ success: true });
      } finally {
        execFileSync('umount', ['-l', place.dataDir]);
        await (panel ? panel.close() : place.dispose());
      }
    });
  },
);
