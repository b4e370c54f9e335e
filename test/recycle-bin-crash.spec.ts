import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { IsNull, Not } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ormOptions } from '../ormconfig.js';
import { DemoVisitor } from '../src/cli/demo-visitor.js';
import { createDatabase, type Database } from '../src/database/index.js';
import { DurableEvent } from '../src/hooks/index.js';
import { BinnedSite, HostingAccount } from '../src/hosting/index.js';

import { createMigratedPlace, type TestPlace } from './support/database.js';
import { type BinStep, binKiller } from './support/killers.js';
import { writePlugin } from './support/plugins.js';
import { ServerProcess } from './support/server-process.js';

const USER = 'crash-proof';
const PASS = 'a-password-of-my-own';

describe('the recycle bin, with the panel killed in the middle', () => {
  let place: TestPlace;
  let database: Database;
  const running: ServerProcess[] = [];

  beforeEach(async () => {
    place = await createMigratedPlace();
    database = createDatabase(ormOptions(place.config));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((panel) => panel.stop('SIGKILL')));
    await place.dispose();
  });

  async function start(): Promise<{ panel: ServerProcess; admin: DemoVisitor }> {
    const panel = await ServerProcess.start(place, {});
    running.push(panel);
    await panel.ready();
    const admin = new DemoVisitor(panel.url);
    await admin.operate('admin', { gn: 'login', user: 'admin', pass: 'svc-panel-admin' });
    return { panel, admin };
  }

  /** A host with a file, and the plugin that kills at `step` on from then. */
  async function prepare(step: BinStep): Promise<{ panel: ServerProcess; admin: DemoVisitor; id: string; site: string }> {
    writePlugin(place.dataDir, 'killer', binKiller(step));
    const { panel, admin } = await start();
    await admin.operate('admin', { gn: 'addzj', btdh: 'local', user: USER, pass: PASS });
    const [host] = (await admin.operate('admin', { gn: 'listzj' })).rows as { id: string; sqldz: string }[];
    writeFileSync(join(place.dataDir, 'sites', host!.sqldz, 'public', 'mine.txt'), 'mine');
    await admin.operate('admin', { gn: 'plugin_install', slug: 'killer' });
    await admin.operate('admin', { gn: 'plugin_enable', slug: 'killer', enabled: 'true' });
    return { panel, admin, id: host!.id, site: host!.sqldz };
  }

  async function state() {
    if (!database.dataSource.isInitialized) await database.dataSource.initialize();
    const [hosts, kept, events] = await Promise.all([
      database.repository(HostingAccount).find(),
      database.repository(BinnedSite).find(),
      database.repository(DurableEvent).find({ order: { id: 'ASC' } }),
    ]);
    const folders = (name: string) =>
      existsSync(join(place.dataDir, name)) ? readdirSync(join(place.dataDir, name)).filter((file) => !file.startsWith('.')) : [];
    return { hosts, kept, hooks: events.map(({ hook }) => hook), sites: folders('sites'), recycle: folders('recycle') };
  }
  /** What the dead process had claimed is anybody's now, and not only when the claim has run out. */
  const claimsAreOver = () =>
    database.repository(HostingAccount).update({ claimedUntil: Not(IsNull()) }, { claimedUntil: new Date('2020-01-01T00:00:00Z') });
  const read = (folder: string, site: string) => readFileSync(join(place.dataDir, folder, site, 'public', 'mine.txt'), 'utf8');
  const settled = (want: object) => expect.poll(state, { timeout: 60_000, interval: 500 }).toMatchObject(want);

  afterEach(() => (database.dataSource.isInitialized ? database.dataSource.destroy() : undefined));

  it.each(['before-in', 'after-in'] as const)(
    'on the way in (%s): the account is deleted once, by whom is still known, and the site is kept whole',
    { timeout: 120_000 },
    async (step) => {
      const { panel, admin, id, site } = await prepare(step);
      await admin.operate('admin', { gn: 'zjsc', id }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      expect(await state()).toMatchObject({ hosts: [{ state: 'terminating' }], kept: [{ state: 'moving', deletedName: 'admin' }] });
      await claimsAreOver();
      await start();
      const kept = [{ state: 'kept', username: USER, deletedBy: 'admin', deletedName: 'admin' }];
      await settled({ hosts: [], kept, hooks: ['host.created', 'host.deleted'], sites: [], recycle: [site] });
      expect(read('recycle', site)).toBe('mine');
    },
  );

  it.each(['before-out', 'after-out'] as const)(
    'on the way out (%s): the new account is opened once, with its files, and the entry is gone',
    { timeout: 120_000 },
    async (step) => {
      const { panel, admin, id } = await prepare(step);
      await admin.operate('admin', { gn: 'zjsc', id });
      const [row] = (await admin.operate('admin', { gn: 'lisths' })).rows as { id: string }[];
      await admin.operate('admin', { gn: 'zjhf', id: row!.id, pass: PASS }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      await state();
      await claimsAreOver();
      await start();
      const hooks = ['host.created', 'host.deleted', 'host.created'];
      await settled({ hosts: [{ username: USER, state: 'active', claimedUntil: null }], kept: [], hooks, recycle: [] });
      const { hosts, sites } = await state();
      expect(sites).toEqual([hosts[0]!.siteName]);
      expect(read('sites', hosts[0]!.siteName)).toBe('mine');
    },
  );

  it(
    'while one is destroyed: it cannot come back as half a site, and its entry stays until the files are gone',
    { timeout: 120_000 },
    async () => {
      const { panel, admin, id, site } = await prepare('half-purged');
      await admin.operate('admin', { gn: 'zjsc', id });
      const [row] = (await admin.operate('admin', { gn: 'lisths' })).rows as { id: string }[];
      await admin.operate('admin', { gn: 'zjqc', id: row!.id }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      expect(await state()).toMatchObject({ kept: [{ state: 'purging' }], recycle: [site] });
      const second = await start();
      const answer = await second.admin.operate('admin', { gn: 'zjhf', id: row!.id, pass: PASS }).catch((error: Error) => error.message);
      expect(JSON.stringify(answer)).not.toContain('"success":true');
      expect(await state()).toMatchObject({ hosts: [], kept: [{ state: 'purging' }] });
    },
  );
});
