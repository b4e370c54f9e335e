import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Clock } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { DriverRegistry, type RemoteSite, type SiteSpecification } from '../driver/index.js';

import { EmbeddedBackups, EmbeddedDriver, EmbeddedFiles, SiteAreas, SiteFolders } from './index.js';

let dataDir: string;
let driver: EmbeddedDriver;
const { signal } = new AbortController();

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-sites-'));
  const config = new AppConfig({ DATA_DIR: dataDir });
  const folders = new SiteFolders(config, new Clock());
  const areas = new SiteAreas(folders, new Clock());
  driver = new EmbeddedDriver(
    folders,
    new EmbeddedFiles(areas),
    { ofMonth: () => Promise.resolve({ outcome: 'ok', value: 0 }) } as never,
    {} as never,
    new EmbeddedBackups(areas, config),
    new DriverRegistry(),
    config,
  );
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const site = (more: Partial<SiteSpecification> = {}): SiteSpecification => ({
  node: { code: 'local', address: '', port: 0, secure: false, panelKey: '', settings: {} },
  username: 'alice01',
  siteName: 'svc.0001',
  siteId: '',
  ownerMark: 'host:1',
  password: null,
  quota: { webMb: 0, databaseMb: 0, trafficGb: 0, domains: 0 },
  expiresOn: null,
  ...more,
});

describe('EmbeddedDriver', () => {
  it('creates one site for one owner despite concurrent requests, and no half-built site', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => driver.create(site())));
    expect(results.filter((result) => result.outcome === 'ok')).toHaveLength(1);
    expect(new Set(results.map((result) => ('value' in result ? result.value.siteId : 'none'))).size).toBe(1);
    expect(readdirSync(join(dataDir, 'sites', '.building'))).toEqual([]);
  });

  it('does not touch a site with another owner’s mark', async () => {
    await driver.create(site());
    const other = site({ ownerMark: 'host:2' });
    for (const call of [driver.create(other), driver.suspend(other), driver.terminate(other), driver.sync(other, signal)]) {
      expect((await call).outcome).toBe('refused');
    }
    expect((await driver.sync(site(), signal)).outcome).toBe('ok');
  });

  it('detects an unused site by its files: none, or the unchanged welcome page', async () => {
    await driver.create(site());
    const isIdle = async () => {
      const result = await driver.idle(site());
      return 'value' in result && result.value.includes('files');
    };
    const folder = join(dataDir, 'sites', 'svc.0001', 'public');
    const page = join(folder, 'index.html');
    const welcome = readFileSync(page, 'utf8');
    expect(await isIdle()).toBe(true);
    writeFileSync(page, welcome.replace('</', '<!'));
    expect(await isIdle()).toBe(false);
    rmSync(page);
    expect(await isIdle()).toBe(true);
    writeFileSync(join(dataDir, 'elsewhere.html'), welcome);
    symlinkSync(join(dataDir, 'elsewhere.html'), page);
    expect(await isIdle()).toBe(false);
    rmSync(page);
    mkdirSync(page);
    expect(await isIdle()).toBe(false);
    rmSync(folder, { recursive: true });
    expect(await isIdle()).toBe(false);
    expect((await driver.idle(site({ ownerMark: 'host:2' }))).outcome).toBe('refused');
  });

  it('reports for every operation whether it was already done', async () => {
    await driver.create(site());
    expect((await driver.suspend(site())).outcome).toBe('ok');
    expect((await driver.suspend(site())).outcome).toBe('already');
    expect(await driver.sync(site(), signal)).toMatchObject({ value: { running: false } });
    expect((await driver.unsuspend(site(), 'running')).outcome).toBe('ok');
    expect((await driver.terminate(site())).outcome).toBe('ok');
    expect((await driver.terminate(site())).outcome).toBe('not_found');
    expect((await driver.suspend(site())).outcome).toBe('not_found');
  });

  it('keeps deleted sites until they are restored or purged, and never touches another account’s site', async () => {
    const [kept, next] = [site(), site({ siteName: 'svc.0002', ownerMark: 'host:2', username: 'bob' })];
    await driver.create(kept);
    writeFileSync(join(dataDir, 'sites', kept.siteName, 'public', 'mine.txt'), 'mine');
    await driver.suspend(kept);
    expect(await driver.bin.has(kept, signal)).toMatchObject({ value: false });
    await driver.terminate(kept);
    expect(await driver.bin.has(kept, signal)).toMatchObject({ value: true });
    const made = await driver.create(next);
    const stranger = { ...kept, ownerMark: 'host:9' };
    expect((await driver.bin.restore(stranger, next, signal)).outcome).toBe('refused');
    expect((await driver.bin.restore(kept, { ...next, ownerMark: 'host:9' }, signal)).outcome).toBe('refused');
    expect((await driver.bin.purge(stranger, signal)).outcome).toBe('refused');
    expect((await driver.bin.restore(kept, next, signal)).outcome).toBe('ok');
    expect((await driver.bin.restore(kept, next, signal)).outcome).toBe('already');
    expect(readFileSync(join(dataDir, 'sites', next.siteName, 'public', 'mine.txt'), 'utf8')).toBe('mine');
    // It is the new account's alone: not paused, and under the id it was made with.
    expect(await driver.sync(next, signal)).toMatchObject({ value: { running: true, suspended: false } });
    expect(await driver.create(next)).toEqual({ outcome: 'already', value: 'value' in made && made.value });
    expect((await driver.bin.purge(kept, signal)).outcome).toBe('not_found');
    await driver.terminate(next);
    const third = site({ siteName: 'svc.0003', ownerMark: 'host:3' });
    await driver.create(third);
    expect((await driver.bin.restore(kept, third, signal)).outcome).toBe('not_found');
    expect((await driver.bin.purge(next, signal)).outcome).toBe('ok');
    expect(await driver.bin.has(next, signal)).toMatchObject({ value: false });
  });

  it('starts and stops the web site alone, and unsuspends it in the given state', async () => {
    await driver.create(site());
    const stands = async () => {
      const status = await driver.sync(site(), signal);
      return 'value' in status && [status.value.running, status.value.suspended];
    };
    expect((await driver.start(site())).outcome).toBe('already');
    expect((await driver.stop(site())).outcome).toBe('ok');
    expect(await stands()).toEqual([false, false]);
    await driver.suspend(site());
    await driver.unsuspend(site(), 'stopped');
    expect(await stands()).toEqual([false, false]);
    await driver.suspend(site());
    expect(await stands()).toEqual([false, true]);
    await driver.unsuspend(site(), 'running');
    expect(await stands()).toEqual([true, false]);
    expect((await driver.stop(site({ ownerMark: 'host:2' }))).outcome).toBe('refused');
    expect((await driver.start(site({ siteName: 'svc.none' }))).outcome).toBe('not_found');
  });

  it('lists the sites of a node page by page, without half-built sites', async () => {
    expect(await driver.list(site().node, null, signal)).toEqual({ outcome: 'ok', value: { sites: [], next: null } });
    const names = Array.from({ length: 205 }, (_, index) => `svc.${String(index).padStart(4, '0')}`);
    for (const siteName of names) await driver.create(site({ siteName, ownerMark: `host:${siteName}` }));
    const elsewhere = { ...site().node, code: 'other' };
    await driver.create(site({ siteName: 'svc.elsewhere', node: elsewhere }));
    await driver.stop(site({ siteName: names[0]!, ownerMark: `host:${names[0]}` }));
    const walk = async (node: SiteSpecification['node'], cursor: string | null = null): Promise<RemoteSite[]> => {
      const page = await driver.list(node, cursor, signal);
      if (!('value' in page)) throw new Error(page.outcome);
      const { sites, next } = page.value;
      return next === null ? [...sites] : [...sites, ...(await walk(node, next))];
    };
    const found = await walk(site().node);
    expect(found.map(({ siteName }) => siteName)).toEqual(names);
    expect(found[0]).toMatchObject({ ownerMark: `host:${names[0]}`, username: 'alice01', running: false, suspended: false });
    expect(await walk(elsewhere)).toMatchObject([{ siteName: 'svc.elsewhere' }]);
  });

  it('counts the bytes of a site without following links', async () => {
    await driver.create(site());
    const root = join(dataDir, 'sites', 'svc.0001', 'public');
    const before = await driver.sync(site(), signal);
    writeFileSync(join(dataDir, 'big'), Buffer.alloc(1_000_000));
    writeFileSync(join(root, 'a.bin'), Buffer.alloc(5_000));
    symlinkSync('/', join(root, 'everything'));
    const after = await driver.sync(site(), signal);
    const bytes = (result: typeof after) => ('value' in result ? result.value.webUsedBytes : Number.NaN);
    expect(bytes(after) - bytes(before)).toBe(5_000 + 1);
  });

  it.each(['', '.', '..', '../x', 'a/b', 'a..b', '/etc', '.building', 'a\0b', 'A', 'a'.repeat(65)])(
    'rejects the site name %j',
    async (siteName) => {
      await expect(driver.create(site({ siteName }))).rejects.toThrow(/not the name of a site/);
      await expect(driver.terminate(site({ siteName }))).rejects.toThrow(/not the name of a site/);
    },
  );
});
