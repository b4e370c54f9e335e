import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Not } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { TestPanel } from '../../../test/support/panel.js';
import { BackupRecords } from '../../backup/index.js';
import { Database } from '../../database/index.js';
import { HostingAccount, NodeDriftCheck, SiteBackup } from '../../hosting/index.js';
import { BackgroundQueue, Restored, Task } from '../../jobs/index.js';
import { OperationLog } from '../../operations/index.js';

const UUID = '01234567-89ab-cdef-0123-456789abcdef';
const OLD = new Date(Date.now() - 3 * 86_400_000);

const SITE_BACKUPS = 'site-backups/';
const siteArchive = (site: string): string => `${SITE_BACKUPS}${site}-20260101-010101-0123456789abcdef.tar.gz`;
const SITE_BACKUP = {
  hostId: 1,
  nodeCode: 'local',
  siteName: 'x',
  place: 'disk',
  kind: 'manual',
  by: 'user',
  madeAt: OLD,
  changedPaths: '',
} as const;

interface Line {
  mc: string;
  zt: string;
  nr: string;
}

let panel: TestPanel;
beforeAll(async () => (panel = await TestPanel.start()));
afterAll(() => panel.close());
beforeEach(async () => void (await panel.get(Database).repository(Task).delete({ name: 'health.repair' })));

const queue = (): BackgroundQueue => panel.get(BackgroundQueue as never);

async function run(xx: string, xe?: string): Promise<Line[]> {
  expect(await panel.admin('xtxf', { xx, ...(xe && { xe }) })).toMatchObject({ success: true });
  await queue().idle();
  expect((await queue().list({ name: 'health.repair', state: 'failed' }, { page: 1, limit: 1 })).tasks).toEqual([]);
  return (await panel.admin('xflist')).rows as unknown as Line[];
}

function put(path: string, when: Date | null = OLD, content = 'x'): string {
  const whole = join(panel.dataDir, path);
  mkdirSync(join(whole, '..'), { recursive: true });
  writeFileSync(whole, content);
  if (when) utimesSync(whole, when, when);
  return whole;
}

describe('xtxf', () => {
  it('rejects unknown repairs and repairs without a prior check', async () => {
    for (const xx of ['["2"]', '["1","7"]', 'constructor']) {
      const answer = await panel.admin('xtxf', { xx });
      expect(answer).toMatchObject({ success: false, err: 'E_ARGS' });
      expect(answer.code).toContain(xx.includes('2') ? '2' : xx.includes('7') ? '7' : 'constructor');
    }
    for (const xx of ['[]', '', '[""]']) expect((await panel.admin('xtxf', { xx })).err).toBe('E_ARGS');
    expect(await panel.admin('xtxf', { xx: '["3"]', xe: 'true' })).toMatchObject({ success: false, err: 'E_STATE' });
    await run('["1"]');
    expect((await panel.admin('xtxf', { xx: '["3"]', xe: 'true' })).err).toBe('E_STATE');
    await panel.get(Database).repository(Task).update({ name: 'health.repair' }, { endedAt: OLD });
    expect((await panel.admin('xtxf', { xx: '["1"]', xe: 'true' })).err).toBe('E_STATE');
  });

  it('does not start during another repair or while the installation is locked', async () => {
    const id = await queue().add('health.repair', { repairs: ['1'], isRepair: false, by: 'x' }, { runAt: new Date(Date.now() + 60_000) });
    expect((await panel.admin('xtxf', { xx: '["1"]' })).err).toBe('E_CONFLICT');
    await queue().cancel(id);
    const moment = new Date();
    await panel.get(Database).repository(Restored).insert({ madeAt: moment, restoredAt: moment, panel: 'x' });
    await panel.restart();
    expect((await panel.admin('xtxf', { xx: '["1"]' })).err).toBe('E_STATE');
    expect(await panel.admin('bffx')).toMatchObject({ success: true });
  });

  it('has a page that checks, shows the findings and repairs', async () => {
    put(`.writable-${UUID}`);
    expect(await (await panel.adminFetch('/admin/repairs')).text()).toContain('data-ajax="xtxf"');
    await run('["3"]');
    const page = await (await panel.adminFetch('/admin/repairs')).text();
    expect(page).toContain(`.writable-${UUID}`);
    expect(page).toMatch(/data-fields='?"?{&(quot|#34);xx&(quot|#34);/);
  });
});

describe('obsolete files', () => {
  it('are only unfinished files of the panel’s own processes', async () => {
    const gone = [
      put(`.writable-${UUID}`),
      put('secret.key.0123456789ab'),
      put('.restoring/data/half'),
      put('backups/svc-20260101-010101-0123abcd.tar.gz.age.part'),
      put(`store/incoming/${UUID}.part`),
      put('site-backups/check-0123456789ab'),
      put(siteArchive('killed').concat('.part')),
      put(siteArchive('killed').concat('.json')),
      put(siteArchive('nobodys')),
      put(`plugin-versions/desk/.new-${UUID}/index.js`),
    ];
    for (const folder of ['.restoring', `plugin-versions/desk/.new-${UUID}`]) utimesSync(join(panel.dataDir, folder), OLD, OLD);
    const running = await panel
      .get(BackupRecords)
      .begin({ name: 'svc-20260101-020202-0123abcd.tar.gz.age', place: 'folder', cause: 'hand' });
    const siteBackups = panel.get(Database).repository(SiteBackup);
    for (const [at, state] of (['making', 'done'] as const).entries())
      await siteBackups.insert({
        ...SITE_BACKUP,
        state,
        busy: state === 'making' ? at + 1 : null,
        name: siteArchive(state).slice(SITE_BACKUPS.length),
      });
    const outside = put('elsewhere/keep.txt');
    mkdirSync(join(panel.dataDir, 'elsewhere/linked'), { recursive: true });
    const kept = [
      outside,
      put(`backups/${running.name}.part`),
      put('backups/svc-20260101-030303-0123abcd.tar.gz.age.part', null),
      put('backups/svc-20260101-030303-0123abcd.tar.gz.age'),
      put('backups/somebody.part'),
      put(siteArchive('making').concat('.part')),
      put(siteArchive('making').concat('.json')),
      put(siteArchive('done')),
      put(siteArchive('young'), null),
      put('site-backups/somebody.tar.gz'),
      put(`store/incoming/${UUID.replace('0', '1')}.part`, new Date(Date.now() - 7_200_000)),
      put('store/incoming/upload.part'),
      put('.writable-mine'),
      put('.restoring-not'),
      put('secret.key'.concat('.bak')),
      put(`sites/.writable-${UUID}`),
      put(`elsewhere/linked/.new-${UUID}`),
    ];
    // Links: to a file of somebody, and in place of a folder that is looked into.
    const links = [join(panel.dataDir, `.writable-${UUID.replace('0', '2')}`), join(panel.dataDir, 'plugin-versions/linked')];
    symlinkSync(outside, links[0]!);
    symlinkSync(join(panel.dataDir, 'elsewhere/linked'), links[1]!);

    const looked = await run('["3"]');
    expect(looked.map(({ zt }) => zt)).toEqual(gone.map(() => 'would'));
    for (const path of gone) expect([path, existsSync(path)]).toEqual([path, true]);
    const done = await run('["3"]', 'true');
    expect(done.map(({ zt }) => zt)).toEqual(gone.map(() => 'done'));
    for (const path of gone) expect([path, existsSync(path)]).toEqual([path, false]);
    for (const path of kept) expect([path, existsSync(path)]).toEqual([path, true]);
    expect(readFileSync(outside, 'utf8')).toBe('x');
    expect(readdirSync(join(panel.dataDir, 'plugin-versions'))).toContain('linked');
    expect(await run('["3"]', 'true')).toEqual([]);
    const log = await panel
      .get(Database)
      .repository(OperationLog)
      .find({ where: { category: 'xtxf' }, order: { id: 'ASC' } });
    expect(log.map(({ actor, text }) => [actor, text?.params?.done])).toContainEqual(['admin', gone.length]);
    await panel.get(BackupRecords).end(running.id, { error: { key: 'backup.interrupted' } });
  });
});

describe('ids of sites', () => {
  const accounts = () => panel.get(Database).repository(HostingAccount);

  it('are set from the servers, only for own sites and not while the host is being changed', async () => {
    for (const user of ['moved001', 'other001', 'busy0001', 'empty001'])
      expect(await panel.admin('addzj', { user, pass: 'secret-pass-1', btdh: 'local' })).toMatchObject({ success: true });
    const before = await accounts().find({ order: { id: 'ASC' } });
    const [moved, other, busy, empty] = before;
    await accounts().update({ id: Not(0) }, { siteId: 'old' });
    await accounts().update({ id: empty!.id }, { siteId: '' });
    await accounts().update({ id: busy!.id }, { claimedBy: 'x', claimedUntil: new Date(Date.now() + 600_000) });
    // Somebody else's site under the name of ours.
    const record = join(panel.dataDir, 'sites', other!.siteName, 'site.json');
    writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')), ownerMark: 'host:999:somebody' }));
    const ids = async (): Promise<string[]> => (await accounts().find({ order: { id: 'ASC' } })).map(({ siteId }) => siteId);

    expect((await run('["1"]')).filter(({ zt }) => zt === 'would')).toHaveLength(2);
    expect(await ids()).toEqual(['old', 'old', 'old', '']);
    const done = (await run('1,3', 'false')) && (await run('["1"]', 'true'));
    expect(done.filter(({ zt }) => zt === 'done')).toHaveLength(2);
    expect(await ids()).toEqual([moved!.siteId, 'old', 'old', empty!.siteId]);
    expect((await run('["1"]', 'true')).filter(({ zt }) => zt === 'done')).toEqual([]);
    await accounts().update({ id: busy!.id }, { claimedBy: null, claimedUntil: null });
  });

  it('are checked again before writing, so that concurrent changes are kept', async () => {
    const [account] = await accounts().find({ order: { id: 'ASC' }, take: 1 });
    const { id, siteId, siteName } = account!;
    const drift = panel.get(NodeDriftCheck);
    expect(await drift.adopt({ accountId: id, siteName, from: 'another', to: 'new' })).toBe(false);
    expect((await accounts().findOneByOrFail({ id })).siteId).toBe(siteId);
  });

  it('continues if a server does not respond, and reports it', async () => {
    const failing = vi.spyOn(NodeDriftCheck.prototype, 'compare').mockRejectedValue(new Error('no answer'));
    try {
      expect(await run('["1"]')).toEqual([expect.objectContaining({ zt: 'failed', nr: expect.stringContaining('no answer') as string })]);
    } finally {
      failing.mockRestore();
    }
  });

  it('reports other differences without changing them', async () => {
    const [account] = await accounts().find({ where: { userKey: 'moved001' } });
    const record = join(panel.dataDir, 'sites', account!.siteName, 'site.json');
    writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')), suspended: true }));
    const text = readFileSync(record, 'utf8');
    const lines = await run('["1"]');
    expect(lines.filter(({ zt, nr }) => zt === 'left' && nr.includes(account!.siteName))).toHaveLength(1);
    await run('["1"]', 'true');
    expect(readFileSync(record, 'utf8')).toBe(text);
  });
});
