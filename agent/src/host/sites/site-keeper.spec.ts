/** What becomes of a site where the system fails in the middle of a change. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { Log } from '../../log.js';
import { freshSite } from '../actions/fresh-site.js';
import { SiteKeeper, type SiteSystem } from './site-keeper.js';
import { SiteRecords } from '../records/site-records.js';

const QUOTA = { webMb: 100, databaseMb: 100, trafficGb: 0, domains: 0 };
const SITE = freshSite({
  name: 'a.test',
  user: 'svc00000001',
  uid: 20_001,
  mark: 'mine',
  username: 'ann',
  quota: QUOTA,
  expiresOn: null,
  php: null,
});

let folder: string;
/** What the web server serves, and what it does not do. */
let served: Set<string>;
let failing: Set<keyof SiteSystem>;
let records: SiteRecords;
let keeper: SiteKeeper;

const step = async (name: keyof SiteSystem, work: () => void): Promise<void> => {
  work();
  if (failing.has(name)) throw new Error(`It does not ${name}.`);
};
const system: SiteSystem = {
  apply: (site) => step('apply', () => failing.has('apply') || served.add(site.user)),
  hide: (site) => step('hide', () => served.delete(site.user)),
  remove: (site) => step('remove', () => served.delete(site.user)),
};
/** As after a crash: from what is on the disk. */
async function start(): Promise<void> {
  records = await SiteRecords.open(folder);
  keeper = new SiteKeeper(records, system, new Log('ERROR', [], () => undefined));
  await keeper.recover();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sites-'));
  [served, failing] = [new Set(), new Set()];
  await start();
  await keeper.applyRecord(SITE, null);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('restores a replaced site completely if the web server fails after its removal', async () => {
  failing.add('hide');
  await expect(keeper.destroyServed(SITE)).rejects.toThrow('It does not hide.');
  expect({ live: records.live(SITE.name), served: [...served], pending: records.pending() }).toEqual({
    live: SITE,
    served: [SITE.user],
    pending: [],
  });
});

it('restores it at the next start if that fails too', async () => {
  failing.add('hide').add('apply');
  await expect(keeper.destroyServed(SITE)).rejects.toThrow('It does not hide.');
  expect([records.live(SITE.name), [...served]]).toEqual([SITE, []]);
  failing.clear();
  await start();
  expect({ live: records.live(SITE.name), served: [...served], pending: records.pending() }).toEqual({
    live: SITE,
    served: [SITE.user],
    pending: [],
  });
});

it('finds a site being removed by its mark only', async () => {
  failing.add('remove');
  await expect(keeper.destroyServed(SITE)).rejects.toThrow('It does not remove.');
  expect(records.leaving(SITE)?.user).toBe(SITE.user);
  expect(records.leaving({ name: SITE.name, mark: 'another' })).toBeNull();
});
