/** Backups of sites, with the panel killed midway: nothing incomplete stays, and a site is in its old or its new state. */
import { hash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { SiteBackup } from '../src/hosting/index.js';
import { FAKE_S3, FakeS3 } from '../src/store/packages/testing/fake-s3.js';

import { CrashPlace } from './support/crash-place.js';
import { siteBackupKiller, type SiteBackupStep } from './support/killers.js';
import { someMoments } from './support/moments.js';

const PASS = 'a-password-of-my-own';

describe('a backup of a site, with the panel killed midway', () => {
  let place: CrashPlace;
  let bucket: FakeS3;

  beforeEach(async () => {
    bucket = new FakeS3();
    place = await CrashPlace.create({
      BACKUP_S3_ENDPOINT: await bucket.start(),
      BACKUP_S3_BUCKET: FAKE_S3.bucket,
      BACKUP_S3_REGION: FAKE_S3.region,
      BACKUP_S3_ACCESS_KEY: FAKE_S3.accessKeyId,
      BACKUP_S3_SECRET_KEY: FAKE_S3.secretAccessKey,
      BACKUP_S3_PART_MB: '5',
    });
  });
  afterEach(async () => {
    await place?.dispose();
    await bucket.stop();
  });

  const rows = (): Promise<SiteBackup[]> => place.database.repository(SiteBackup).find({ order: { id: 'ASC' } });
  const archives = (): string[] => {
    const folder = join(place.dataDir, 'site-backups');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const file = (site: string, name: string) => join(place.dataDir, 'sites', site, 'public', name);
  const states = async () => (await rows()).map(({ kind, state, busy }) => [kind, state, busy]);

  /** A host with a file and, for later steps, a backup; the plugin kills the panel at `step` from then on. */
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

  it.each(someMoments(['before-kept', 'after-kept'] as const))(
    'while it is made (%s): it is complete in the end, once',
    { timeout: 120_000 },
    async (step) => {
      const { panel, admin, id } = await prepare(step, false);
      await admin.operate('admin', { gn: 'sitebackup_make', id }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      expect(await states()).toEqual([['manual', 'making', Number(id)]]);
      await place.endClaims();
      await place.recover();
      await expect.poll(states, { timeout: 60_000, interval: 500 }).toEqual([['manual', 'done', null]]);
      expect(archives()).toEqual([(await rows())[0]!.name]);
    },
  );

  it('while it is sent in parts: it continues with the missing parts, and is complete', { timeout: 120_000 }, async () => {
    const { panel, admin, id, site } = await prepare('in-sending', false);
    writeFileSync(file(site, 'large.bin'), randomBytes(23 * 1024 * 1024));
    await admin.operate('admin', { gn: 'sitebackup_set', bf_wz: 's3' });
    await admin.operate('admin', { gn: 'sitebackup_make', id });
    expect(await panel.ended).toBe('SIGKILL');
    expect([bucket.uploads.received, bucket.objects.size, archives().map((name) => name.replace(/^.*gz/, ''))]).toEqual([
      [1, 2],
      0,
      ['.json', '.part'],
    ]);
    // Later files are not in it: the archive was already made.
    writeFileSync(file(site, 'later.txt'), 'later');
    await place.endClaims();
    await place.recover();
    await expect.poll(states, { timeout: 60_000, interval: 500 }).toEqual([['manual', 'done', null]]);
    const [made] = await rows();
    const kept = bucket.objects.get(`site-backups/${made!.name}`)!.content;
    expect([bucket.uploads.received, bucket.uploads.open.size, archives()]).toEqual([[1, 2, 3, 4, 5], 0, []]);
    expect([hash('sha256', kept), kept.length]).toEqual([made!.sha256, made!.size]);
    expect(bucket.refusals.filter((code) => code !== 'NoSuchKey')).toEqual([]);
  });

  it.each(someMoments(['before-switch', 'in-switch', 'after-switch'] as const))(
    'while it is restored (%s): the site is always complete, and its old state is kept',
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
      // Before the work is resumed, readers see one of both states.
      const next = await place.recover();
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

  it('while it is deleted: it is gone in the end', { timeout: 120_000 }, async () => {
    const { panel, admin, id } = await prepare('half-removed', true);
    const [made] = await rows();
    await admin.operate('admin', { gn: 'sitebackup_del', id, bf: String(made!.id) }).catch(() => undefined);
    expect(await panel.ended).toBe('SIGKILL');
    expect(await states()).toEqual([['manual', 'removing', null]]);
    const next = await place.recover();
    await next.admin.operate('admin', { gn: 'jhrun', id: 'core:site-backups-gone' });
    await expect.poll(states, { timeout: 60_000, interval: 500 }).toEqual([]);
    expect(archives()).toEqual([]);
  });
});
