/**
 * Archives of sites on BaoTa servers are made and read on the panel's machine: its own disk, which holds its database, keeps free space
 * whatever such a server contains or reports.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  callDriver,
  type DriverTurn,
  DriverRegistry,
  type DriverResult,
  FileProblem,
  type HostDriver,
  type SiteSpecification,
  type SpaceMeter,
} from '../src/hosting/index.js';
import { sayWords } from '../src/common/index.js';
import { LocalCopies } from '../src/hosting/baota/files/local-copy.js';
import { problemOf } from '../src/hosting/embedded/files/folder.js';
import { fileError } from '../src/hosting/files/file-errors.js';
import { HostingError } from '../src/hosting/hosting-errors.js';
import { sayOfServer, wordsForCustomer } from '../src/hosting/server-access.js';
import { siteBackupError } from '../src/hosting/site-backups/backup-errors.js';
import { programError } from '../src/hosting/site-programs/program-errors.js';
import { FakeBaota } from './support/fake-baota.js';
import { canMount } from './support/own-disk.js';
import { TestPanel } from './support/panel.js';
import { zipOf } from './support/program-zip.js';

const DISK_MB = 64;

it('a full disk is reported as the panel’s, not the server’s: where to free space, and for owners whom to ask', () => {
  for (const told of [fileError, siteBackupError, programError]) {
    const error = told({ code: 'PANEL_DISK' });
    expect(error).toBeInstanceOf(HostingError);
    const { told: words, forOwner } = error as HostingError;
    const inside = { key: 'sitebackup.notice_failed_text', params: { error: words } };
    for (const [locale, operators, owners] of [
      ['en', /^The panel's own disk \(DATA_DIR\) is too full/, /Ask your provider to free up space/],
      ['zh-CN', /^面板自己的磁盘（DATA_DIR）空间不足/, /请联系服务商清理空间/],
    ] as const) {
      expect(sayOfServer({ locale, scope: 'admin' }, words)).toMatch(operators);
      for (const one of [sayOfServer({ locale, scope: 'user' }, words), sayWords(locale, forOwner.told)]) {
        expect(one).toMatch(owners);
        expect(one).not.toContain('DATA_DIR');
      }
      expect(sayWords(locale, wordsForCustomer(inside))).toMatch(owners);
    }
  }
});

describe.skipIf(!canMount)('the panel’s disk (needs permission to mount one: root on Linux)', () => {
  let panel: TestPanel;
  let baota: FakeBaota;
  let driver: HostDriver;
  let site: SiteSpecification;
  let disk: string;
  /** The lowest free share of the disk during an operation. */
  let least: number;
  const free = (): number => {
    const { bavail, blocks } = statfsSync(disk);
    return bavail / blocks;
  };

  beforeAll(async () => {
    [panel, baota] = await Promise.all([TestPanel.start(), FakeBaota.start()]);
    disk = join(panel.dataDir, 'baota-work');
    mkdirSync(disk, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk]);
    driver = panel.get(DriverRegistry).find('baota')!;
    const [siteName, quota] = ['svc.1disk', { webMb: 0, databaseMb: 0, trafficGb: 0, domains: 0 }];
    const rest = { siteId: '', password: 'secret-1', quota, expiresOn: null };
    const wanted = { node: baota.node(), username: 'disk001', siteName, ownerMark: `host:1:${siteName}`, ...rest };
    const made = await callDriver((deadline) => driver.create(wanted, deadline));
    if (!('value' in made)) throw new Error(JSON.stringify(made));
    site = { ...wanted, siteId: made.value.siteId };
  });
  afterAll(async () => {
    execFileSync('umount', ['-l', disk]);
    await Promise.all([panel?.close(), baota?.close()]);
  });
  beforeEach(() => {
    baota.endless = false;
    baota.asked.length = 0;
    least = 1;
  });

  let count = 0;
  const watched = async <Value>(work: (turn: DriverTurn) => Promise<DriverResult<Value>>): Promise<DriverResult<Value>> => {
    const look = setInterval(() => (least = Math.min(least, free())), 1);
    try {
      return await work({ id: `disk${(count += 1)}`, signal: AbortSignal.timeout(20_000), progress: () => undefined });
    } finally {
      clearInterval(look);
    }
  };
  const roomy = { take: () => Promise.resolve(true), giveBack: () => Promise.resolve(), fits: () => Promise.resolve(true) };
  const put = (name: string, bytes: number): void => {
    const at = baota.disk.at(`/www/wwwroot/${site.siteName}/${name}`);
    writeFileSync(at, 'x');
    truncateSync(at, bytes);
  };
  const works: Record<string, (turn: DriverTurn, name: string) => Promise<DriverResult<unknown>>> = {
    'an archive of it': (turn, name) => driver.files!.pack(site, { folder: '/', names: [name], archive: '/made.zip' }, roomy, turn),
    'what is in it': (turn, name) => driver.files!.unpack(site, { archive: `/${name}`, folder: '/' }, roomy, turn),
    'a backup': (turn) => driver.backups!.make(site, { name: 'svc.1disk-1.tar.gz' }, turn),
  };

  it.each(Object.keys(works))('is not filled by %s when the site is larger than the disk: nothing is transferred', async (what) => {
    put('large.zip', (DISK_MB + 1) * 1_048_576);
    expect(await watched((turn) => works[what]!(turn, 'large.zip'))).toMatchObject({ outcome: 'refused', problem: { code: 'PANEL_DISK' } });
    rmSync(baota.disk.at(`/www/wwwroot/${site.siteName}/large.zip`));
    expect(least).toBeGreaterThan(0.9);
    expect(readdirSync(disk)).toEqual([]);
  });

  it('keeps free space before unpacking a much larger archive, after checking that the account may use that much', async () => {
    const bytes = Buffer.from(await zipOf({ 'zeros.bin': '\0'.repeat((DISK_MB + 16) * 1_048_576) }));
    writeFileSync(baota.disk.at(`/www/wwwroot/${site.siteName}/bomb.zip`), bytes);
    const unpack = (meter: SpaceMeter) => watched((turn) => driver.files!.unpack(site, { archive: '/bomb.zip', folder: '/' }, meter, turn));
    expect(await unpack(roomy)).toMatchObject({ outcome: 'refused', problem: { code: 'PANEL_DISK' } });
    expect(least).toBeGreaterThan(0.004);
    least = 1;
    expect(await unpack({ ...roomy, fits: (size) => Promise.resolve(size < 8 * 1_048_576) })).toMatchObject({
      outcome: 'refused',
      problem: { code: 'NO_SPACE' },
    });
    expect(least).toBeGreaterThan(0.8);
    expect(readdirSync(disk)).toEqual([]);
    expect(baota.disk.folders(`/www/wwwroot/${site.siteName}`)).toEqual([]);
    rmSync(baota.disk.at(`/www/wwwroot/${site.siteName}/bomb.zip`));
  });

  it.each(Object.keys(works))('keeps free space when a server sends without end for %s', async (what) => {
    put('small.zip', 1_000);
    baota.endless = true;
    expect(await watched((turn) => works[what]!(turn, 'small.zip'))).toMatchObject({ outcome: 'refused', problem: { code: 'PANEL_DISK' } });
    expect(least).toBeGreaterThan(0.004);
    expect([readdirSync(disk), free() > 0.99]).toEqual([[], true]);
  });

  it.each(Object.keys(works))('is reported as full when others fill it during %s, and nothing is left behind', async (what) => {
    put('small.zip', 100_000);
    const filler = join(disk, 'filler');
    baota.instead = (call) => {
      if (call.endsWith(' create_download_url')) spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64K'], { stdio: 'ignore' });
      return false;
    };
    try {
      expect(await watched((turn) => works[what]!(turn, 'small.zip'))).toMatchObject({
        outcome: 'refused',
        problem: { code: 'PANEL_DISK' },
      });
      expect([least, readdirSync(disk)]).toEqual([0, ['filler']]);
    } finally {
      baota.instead = null;
      rmSync(filler, { force: true });
    }
  });

  it('is not blamed when the server reports its own disk full', async () => {
    const copies = panel.get(LocalCopies);
    const cameTo = (error: unknown) => copies.with({} as never, () => Promise.reject(error)).catch((end: unknown) => end);
    const full = Object.assign(new Error('ENOSPC: no space left on device, mkdir'), { code: 'ENOSPC' });
    for (const error of [full, problemOf(full)]) expect(await cameTo(error)).toMatchObject({ code: 'PANEL_DISK', cause: error });
    expect(await cameTo(new FileProblem('DISK_FULL'))).toMatchObject({ code: 'DISK_FULL' });
  });
});
