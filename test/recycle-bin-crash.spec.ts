import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type DemoVisitor } from '../src/cli/demo-visitor.js';
import { DurableEvent } from '../src/hooks/index.js';
import { BinnedSite, HostingAccount } from '../src/hosting/index.js';

import { CrashPlace } from './support/crash-place.js';
import { type BinStep, binKiller } from './support/killers.js';
import { someMoments } from './support/moments.js';
import type { ServerProcess } from './support/server-process.js';

const USER = 'crash-proof';
const PASS = 'a-password-of-my-own';

describe('the recycle bin, with the panel killed midway', () => {
  let crash: CrashPlace;
  beforeEach(async () => void (crash = await CrashPlace.create()));
  afterEach(() => crash.dispose());

  /** A host with a file, and the plugin that kills the panel at `step` from then on. */
  async function prepare(step: BinStep): Promise<{ panel: ServerProcess; admin: DemoVisitor; id: string; site: string }> {
    const { panel, admin } = await crash.start();
    await admin.operate('admin', { gn: 'addzj', btdh: 'local', user: USER, pass: PASS });
    const [host] = (await admin.operate('admin', { gn: 'listzj' })).rows as { id: string; sqldz: string }[];
    writeFileSync(join(crash.dataDir, 'sites', host!.sqldz, 'public', 'mine.txt'), 'mine');
    await crash.enable(admin, binKiller(step));
    return { panel, admin, id: host!.id, site: host!.sqldz };
  }

  async function state() {
    const [hosts, kept, events] = await Promise.all([
      crash.database.repository(HostingAccount).find(),
      crash.database.repository(BinnedSite).find(),
      crash.database.repository(DurableEvent).find({ order: { id: 'ASC' } }),
    ]);
    const folders = (name: string) =>
      existsSync(join(crash.dataDir, name)) ? readdirSync(join(crash.dataDir, name)).filter((file) => !file.startsWith('.')) : [];
    return { hosts, kept, hooks: events.map(({ hook }) => hook), sites: folders('sites'), recycle: folders('recycle') };
  }
  const read = (folder: string, site: string) => readFileSync(join(crash.dataDir, folder, site, 'public', 'mine.txt'), 'utf8');
  const settled = (want: object) => expect.poll(state, { timeout: 60_000, interval: 500 }).toMatchObject(want);

  it.each(someMoments(['before-in', 'after-in'] as const))(
    'on the way in (%s): the account is deleted once, with its author recorded, and the site is kept completely',
    { timeout: 120_000 },
    async (step) => {
      const { panel, admin, id, site } = await prepare(step);
      await admin.operate('admin', { gn: 'zjsc', id }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      expect(await state()).toMatchObject({ hosts: [{ state: 'terminating' }], kept: [{ state: 'moving', deletedName: 'admin' }] });
      await crash.endClaims();
      await crash.recover();
      const kept = [{ state: 'kept', username: USER, deletedBy: 'admin', deletedName: 'admin' }];
      await settled({ hosts: [], kept, hooks: ['host.created', 'host.deleted'], sites: [], recycle: [site] });
      expect(read('recycle', site)).toBe('mine');
    },
  );

  it.each(someMoments(['before-out', 'after-out'] as const))(
    'on the way out (%s): the new account is opened once with its files, and the entry is removed',
    { timeout: 120_000 },
    async (step) => {
      const { panel, admin, id } = await prepare(step);
      await admin.operate('admin', { gn: 'zjsc', id });
      const [row] = (await admin.operate('admin', { gn: 'lisths' })).rows as { id: string }[];
      await admin.operate('admin', { gn: 'zjhf', id: row!.id, pass: PASS }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      await crash.endClaims();
      await crash.recover();
      const hooks = ['host.created', 'host.deleted', 'host.created'];
      await settled({ hosts: [{ username: USER, state: 'active', claimedUntil: null }], kept: [], hooks, recycle: [] });
      const { hosts, sites } = await state();
      expect(sites).toEqual([hosts[0]!.siteName]);
      expect(read('sites', hosts[0]!.siteName)).toBe('mine');
    },
  );

  it(
    'during destruction: a partial site cannot be restored, and its entry stays until the files are deleted',
    { timeout: 120_000 },
    async () => {
      const { panel, admin, id, site } = await prepare('half-purged');
      await admin.operate('admin', { gn: 'zjsc', id });
      const [row] = (await admin.operate('admin', { gn: 'lisths' })).rows as { id: string }[];
      await admin.operate('admin', { gn: 'zjqc', id: row!.id }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      expect(await state()).toMatchObject({ kept: [{ state: 'purging' }], recycle: [site] });
      const second = await crash.recover();
      const answer = await second.admin.operate('admin', { gn: 'zjhf', id: row!.id, pass: PASS }).catch((error: Error) => error.message);
      expect(JSON.stringify(answer)).not.toContain('"success":true');
      expect(await state()).toMatchObject({ hosts: [], kept: [{ state: 'purging' }] });
    },
  );
});
