/**
 * Large backups of sites in a storage: sent in parts, one object in the end, and nothing left of failed ones. The storage checks every
 * signature.
 */
import { hash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { HostingAccount, HostingService, SiteBackup } from '../src/hosting/index.js';
import { SiteBackupStorage } from '../src/hosting/site-backups/backup-storage.js';
import { PartedArchive } from '../src/hosting/site-backups/parted-archive.js';
import { SiteSettings } from '../src/site/index.js';
import { FAKE_S3, FakeS3 } from '../src/store/packages/testing/fake-s3.js';

import { PanelClient } from './support/panel-client.js';
import { TestPanel } from './support/panel.js';

const PASS = 'secret-pass-1';
const MB = 1024 * 1024;
const bucket = new FakeS3();
let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start({
    SERVICES: 'panel,worker',
    BACKUP_S3_ENDPOINT: await bucket.start(),
    BACKUP_S3_BUCKET: FAKE_S3.bucket,
    BACKUP_S3_REGION: FAKE_S3.region,
    BACKUP_S3_ACCESS_KEY: FAKE_S3.accessKeyId,
    BACKUP_S3_SECRET_KEY: FAKE_S3.secretAccessKey,
    BACKUP_S3_PART_MB: '5',
  });
  await panel.get(SiteSettings).change({ siteBackupLimit: 10, siteBackupPlace: 's3' });
});
afterAll(async () => {
  await panel?.close();
  await bucket.stop();
});
beforeEach(() => {
  Object.assign(bucket.uploads, { failParts: 0, loseEnd: false });
  bucket.uploads.received.length = 0;
  bucket.uploads.open.clear();
  bucket.objects.clear();
  bucket.refusals.length = 0;
});

const rows = () => panel.get(Database).repository(SiteBackup);
let count = 0;

/** A new host with an incompressible file of this many bytes. */
async function open(bytes: number) {
  const user = `parts${String((count += 1)).padStart(3, '0')}`;
  const { id } = await panel.get(HostingService).provision({ node: 'local', user, password: PASS, expiresOn: null }, 'api');
  const { siteName } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ id });
  const path = join(panel.dataDir, 'sites', siteName, 'public', 'large.bin');
  const content = randomBytes(bytes);
  writeFileSync(path, content);
  const owner = await new PanelClient(panel.url).login('user', user, PASS);
  const ask = async (gn: string, fields: Record<string, string> = {}) =>
    (await owner.ajax('user', { gn, ...fields })).json as { success: boolean; rows: Record<string, string>[] };
  const settled = () => expect.poll(() => rows().countBy({ busy: id }), { timeout: 30_000 }).toBe(0);
  const make = async () => {
    expect(await ask('sitebackup_make')).toMatchObject({ success: true });
    await settled();
    return rows().findOneOrFail({ where: { hostId: id }, order: { id: 'DESC' } });
  };
  return { id, path, content, ask, make, settled };
}

const objectOf = ({ name }: SiteBackup) => bucket.objects.get(`site-backups/${name}`)?.content;
const onDisk = (): string[] => {
  const folder = join(panel.dataDir, 'site-backups');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('a large backup of a site', () => {
  it('is sent in parts, becomes one object with the same content, and is restored', { timeout: 60_000 }, async () => {
    const { path, content, ask, make, settled } = await open(23 * MB);
    const made = await make();
    expect([made.state, bucket.uploads.received, bucket.uploads.open.size]).toEqual(['done', [1, 2, 3, 4, 5], 0]);
    const kept = objectOf(made)!;
    expect([kept.length, hash('sha256', kept)]).toEqual([made.size, made.sha256]);
    writeFileSync(path, 'broken');
    expect(await ask('sitebackup_restore', { bf: String(made.id) })).toMatchObject({ success: true });
    await settled();
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(await ask('sitebackup_del', { bf: String(made.id) })).toMatchObject({ success: true });
    expect([objectOf(made), onDisk()]).toEqual([undefined, []]);
    expect(bucket.refusals.filter((code) => code !== 'NoSuchKey')).toEqual([]);
  });

  it('that is small is sent in one request', async () => {
    const { make } = await open(MB);
    const made = await make();
    expect([made.state, bucket.uploads.received, objectOf(made)!.length]).toEqual(['done', [], made.size]);
  });

  it('succeeds although parts were refused twice, and the response to its last step was lost', { timeout: 60_000 }, async () => {
    const { make } = await open(21 * MB);
    bucket.uploads.failParts = 2;
    bucket.uploads.loseEnd = true;
    const made = await make();
    expect([made.state, hash('sha256', objectOf(made)!)]).toEqual(['done', made.sha256]);
  });

  it('leaves nothing when parts are refused repeatedly, and says what the storage said', { timeout: 60_000 }, async () => {
    const { ask, make } = await open(21 * MB);
    bucket.uploads.failParts = 100;
    const made = await make();
    expect(made.state).toBe('failed');
    // The row is updated first: remains are deleted afterwards, also by a later run.
    await expect.poll(() => [bucket.uploads.open.size, bucket.objects.size, onDisk()]).toEqual([0, 0, []]);
    expect((await ask('sitebackup_list')).rows[0]!.cw).toContain('503 SlowDown');
  });

  it('leaves nothing when it is stopped midway', { timeout: 60_000 }, async () => {
    const { id, ask, settled } = await open(21 * MB);
    bucket.uploads.failParts = 100;
    await ask('sitebackup_make');
    await expect.poll(() => bucket.uploads.open.size).toBe(1);
    expect(await ask('sitebackup_stop')).toMatchObject({ success: true });
    await settled();
    const made = await rows().findOneByOrFail({ hostId: id });
    await expect.poll(() => [bucket.uploads.open.size, bucket.objects.size, onDisk()]).toEqual([0, 0, []]);
    expect(made.state).toBe('failed');
  });
});

describe('the parts of an archive', () => {
  const archive = (size: number, fill = 'a') => ({ size, sha256: fill.repeat(64) });
  const parted = (name: string, isSame: boolean): PartedArchive =>
    new PartedArchive(panel.get(SiteBackupStorage), name, () => Promise.resolve(isSame));
  const send = (url: string, size: number) => fetch(url, { method: 'PUT', body: Buffer.alloc(size) });

  it('of another attempt with the same archive are not sent again, those of another archive are never used', async () => {
    const size = 11 * MB;
    const first = await parted('one.tar.gz', false).begin(archive(size));
    expect(first.map(({ from, size: bytes }) => [from / MB, bytes / MB])).toEqual([[0, 5], [5, 5], [10, 1]]); // prettier-ignore
    await send(first[1]!.url, first[1]!.size);
    // An incomplete part counts as missing.
    await send(first[2]!.url, 100);
    const second = parted('one.tar.gz', true);
    const missing = await second.begin(archive(size));
    expect(missing.map(({ from }) => from / MB)).toEqual([0, 10]);
    await expect(second.complete(size)).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' });
    for (const { url, size: bytes } of missing) expect((await send(url, bytes)).status).toBe(200);
    await second.complete(size);
    expect(bucket.objects.get('site-backups/one.tar.gz')!.content.length).toBe(size);
    // As if killed after everything was sent and before that was stored.
    expect(await parted('one.tar.gz', true).begin(archive(size))).toEqual([]);

    const old = await parted('two.tar.gz', false).begin(archive(size));
    await send(old[0]!.url, old[0]!.size);
    expect(await parted('two.tar.gz', false).begin(archive(size, 'b'))).toHaveLength(3);
    expect([...bucket.uploads.open.values()].map(({ parts }) => parts.size)).toEqual([0]);
    expect((await send(old[1]!.url, old[1]!.size)).status).toBe(404);
  });

  it('are deleted with the archive, however many attempts left some', async () => {
    for (let n = 0; n < 5; n += 1) await panel.get(SiteBackupStorage).parts.begin('three.tar.gz');
    await panel.get(SiteBackupStorage).parts.begin('three.tar.gz.other');
    await panel.get(SiteBackupStorage).removeParts('three.tar.gz');
    expect([...bucket.uploads.open.values()].map(({ key }) => key)).toEqual(['site-backups/three.tar.gz.other']);
  });

  it('have their own addresses: none accepts another part, and none works when changed', async () => {
    const { url } = (await parted('four.tar.gz', false).begin(archive(21 * MB)))[0]!;
    for (const changed of [url.replace('partNumber=1', 'partNumber=2'), url.replace('four', 'five')])
      expect((await send(changed, 5)).status).toBe(403);
  });

  it('are large enough that no archive exceeds the storage’s maximum number of parts', async () => {
    Object.assign(bucket.uploads, { loseEnd: false });
    const parts = await parted('huge.tar.gz', false).begin(archive(400 * 1024 * MB));
    expect([parts.length <= 10_000, parts.at(-1)!.from + parts.at(-1)!.size]).toEqual([true, 400 * 1024 * MB]);
    expect(parts[0]!.size % MB).toBe(0);
  });
});
