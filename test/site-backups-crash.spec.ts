/** Backups of sites, with the panel killed in the middle: nothing half-made stays, and a site is what it was or what it was to be. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { SiteBackup } from '../src/hosting/index.js';

import { CrashPlace } from './support/crash-place.js';
import { siteBackupKiller, type SiteBackupStep } from './support/killers.js';

const PASS = 'a-password-of-my-own';

describe('a backup of a site, with the panel killed in the middle', () => {
  let place: CrashPlace;

  beforeEach(async () => {
    place = await CrashPlace.create();
  });
  afterEach(() => place?.dispose());

  const rows = (): Promise<SiteBackup[]> => place.database.repository(SiteBackup).find({ order: { id: 'ASC' } });
  const archives = (): string[] => {
    const folder = join(place.dataDir, 'site-backups');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const file = (site: string, name: string) => join(place.dataDir, 'sites', site, 'public', name);
  const states = async () => (await rows()).map(({ kind, state, busy }) => [kind, state, busy]);

  /** A host with a file and, for what comes after it, a backup; the plugin kills at `step` from then on. */
  async function prepare(step: SiteBackupStep, withBackup: boolean) {
    const { panel, admin } = await place.start();
    await admin.operate('admin', { gn: 'addzj', btdh: 'local', user: 'crash-proof', pass: PASS });
    const [host] = (await admin.operate('admin', { gn: 'listzj' })).rows as { id: string; sqldz: string }[];
    const { id, sqldz: site } = host!;
    writeFileSync(file(site, 'mine.txt'), 'of the backup');
    if (withBackup) {
      await admin.operate('admin', { gn: 'sitebackup_make', id });
      await expect.poll(states, { timeout: 30_000 }).toEqual([['manual', 'done', null]]);
      writeFileSync(file(site, 'mine.txt'), 'of today');
    }
    await place.enable(admin, siteBackupKiller(step));
    return { panel, admin, id, site };
  }

  it.each(['before-kept', 'after-kept'] as const)(
    'while one is made (%s): it is whole in the end, once',
    { timeout: 120_000 },
    async (step) => {
      const { panel, admin, id } = await prepare(step, false);
      await admin.operate('admin', { gn: 'sitebackup_make', id }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      expect(await states()).toEqual([['manual', 'making', Number(id)]]);
      await place.endClaims();
      await place.start();
      await expect.poll(states, { timeout: 60_000, interval: 500 }).toEqual([['manual', 'done', null]]);
      expect(archives()).toEqual([(await rows())[0]!.name]);
    },
  );

  it.each(['before-switch', 'in-switch', 'after-switch'] as const)(
    'while one is put back (%s): the site stands all the time, whole, and what it was is kept',
    { timeout: 120_000 },
    async (step) => {
      const { panel, admin, id, site } = await prepare(step, true);
      const [made] = await rows();
      await admin.operate('admin', { gn: 'sitebackup_restore', id, bf: String(made!.id) }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      expect(await states()).toEqual([
        ['manual', 'restoring', Number(id)],
        ['safety', 'done', null],
      ]);
      const safety = readFileSync(join(place.dataDir, 'site-backups', (await rows())[1]!.name));
      // Before anybody has gone on with it, whoever looks sees one of both.
      const next = await place.start();
      const { text } = (await next.admin.operate('admin', { gn: 'hqwj', id, path: '/mine.txt' }).then(
        () => ({ text: readFileSync(file(site, 'mine.txt'), 'utf8') }),
        () => ({ text: readFileSync(file(site, 'mine.txt'), 'utf8') }),
      )) as { text: string };
      expect(text).toBe(step === 'before-switch' ? 'of today' : 'of the backup');
      await place.endClaims();
      await expect.poll(states, { timeout: 60_000, interval: 500 }).toEqual([
        ['manual', 'done', null],
        ['safety', 'done', null],
      ]);
      expect(readFileSync(file(site, 'mine.txt'), 'utf8')).toBe('of the backup');
      expect(existsSync(join(place.dataDir, 'sites', site, 'restoring'))).toBe(false);
      expect(readFileSync(join(place.dataDir, 'site-backups', (await rows())[1]!.name)).equals(safety)).toBe(true);
    },
  );

  it('while one is deleted: it is gone in the end', { timeout: 120_000 }, async () => {
    const { panel, admin, id } = await prepare('half-removed', true);
    const [made] = await rows();
    await admin.operate('admin', { gn: 'sitebackup_del', id, bf: String(made!.id) }).catch(() => undefined);
    expect(await panel.ended).toBe('SIGKILL');
    expect(await states()).toEqual([['manual', 'removing', null]]);
    const next = await place.start();
    await next.admin.operate('admin', { gn: 'jhrun', id: 'core:site-backups-gone' });
    await expect.poll(states, { timeout: 60_000, interval: 500 }).toEqual([]);
    expect(archives()).toEqual([]);
  });
});
