import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { AppConfig, Secrets } from '../../src/config/index.js';
import { BackupMaker, BackupRecords, BackupSchedule } from '../../src/backup/index.js';
import { MysqlSnapshot } from '../../src/backup/database/mysql-snapshot.js';
import { SqliteSnapshot } from '../../src/backup/database/sqlite-snapshot.js';
import { Backup } from '../../src/backup/entities/index.js';
import { Clock, PACKAGE_ROOT } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { DurableEvent, EventDelivery } from '../../src/hooks/index.js';
import { BackgroundQueue, CronScheduler, JobRun, JobRuns } from '../../src/jobs/index.js';
import { Notice } from '../../src/notify/index.js';
import { Order, Orders, Settlement } from '../../src/payment/index.js';
import { PluginOption } from '../../src/plugin-registry/entities/index.js';
import { createTestPlace, testEngine, testServer, type TestPlace } from '../support/database.js';
import { FAKE_S3, FakeS3 } from '../../src/store/packages/testing/fake-s3.js';
import { TestPanel } from '../support/panel.js';
import { environmentOf, svc } from '../support/svc.js';

const PASSWORD = 'svc-panel-admin';

/** Orders that are paid one after another until it is stopped. */
class Load {
  /** Numbers of the paid ones, in order. */
  readonly paid: string[] = [];
  private going = true;
  private readonly work: Promise<void>;

  constructor(private readonly panel: TestPanel) {
    this.work = this.run();
  }

  async stop(): Promise<void> {
    this.going = false;
    await this.work;
  }

  private async run(): Promise<void> {
    while (this.going) {
      const number = await pay(this.panel);
      this.paid.push(number);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

async function pay(panel: TestPanel): Promise<string> {
  const { number } = await panel.get(Orders).create({ user: 'somebody', scene: 'load', name: 'load', amount: 100, type: 'sandbox__test' });
  const result = await panel.get(Settlement).settle(number, 'sandbox', { money: '1.00', trade_no: number });
  if (!result.ok) throw new Error(JSON.stringify(result));
  return number;
}

const queueOf = (panel: TestPanel): BackgroundQueue => panel.get(BackgroundQueue as never);

async function recoveryKey(panel: TestPanel): Promise<string> {
  const made = await panel.admin('bfmy', { ypass: PASSWORD });
  return String(made.data.hfmy);
}

async function backUp(panel: TestPanel): Promise<Backup> {
  expect(await panel.admin('bfadd')).toMatchObject({ success: true });
  await queueOf(panel).idle();
  const [backup] = await panel
    .get(Database)
    .repository(Backup)
    .find({ order: { id: 'DESC' }, take: 1 });
  return backup!;
}

const fileOf = (panel: TestPanel, backup: Backup): string => join(panel.dataDir, 'backups', backup.name);

describe('a backup under load, restored on an empty machine', () => {
  let panel: TestPanel;
  let key: string;
  let backup: Backup;
  let before: string[];
  let empty: TestPlace;
  let restored: TestPanel;

  beforeAll(async () => {
    panel = await TestPanel.start();
    await panel.enable('sandbox');
    await panel.admin('addzj', { user: 'alice01', pass: 'secret-pass-1', btdh: 'local' });
    const database = panel.get(Database);
    await database.repository(PluginOption).insert([
      { slug: 'odd', key: 'text', value: 'line\nline\u2028"quoted" \\ 空间 😀 \u0000end'.replace('\u0000', '') },
      { slug: 'odd', key: 'secret', value: panel.get(Secrets).seal('s3cret', 'odd.secret') },
    ]);
    mkdirSync(join(panel.dataDir, 'sites/alice01/empty'), { recursive: true });
    writeFileSync(join(panel.dataDir, 'sites/alice01/big.bin'), Buffer.alloc(3_000_001, 7));
    writeFileSync(join(panel.dataDir, 'sites/alice01/nothing.txt'), '');
    symlinkSync('big.bin', join(panel.dataDir, 'sites/alice01/link'));
    key = await recoveryKey(panel);
    const load = new Load(panel);
    try {
      await vi.waitFor(() => expect(load.paid.length).toBeGreaterThan(10), 30_000);
      before = [...load.paid];
      backup = await backUp(panel);
    } finally {
      await load.stop();
    }
    empty = await createTestPlace({ CAPTCHA: 'off', RATE_LIMIT: 'off' });
    rmSync(empty.dataDir, { recursive: true });
  });
  afterAll(async () => {
    await restored?.close();
    await panel.close();
  });

  it('is complete, says so, and nobody can read anything in it', async () => {
    expect(backup).toMatchObject({ state: 'done', error: null, running: null });
    const { rows } = await panel.admin('bflist');
    expect(rows[0]).toMatchObject({ mc: backup.name, zt: 'done', fs: 'hand' });
    const bytes = readFileSync(fileOf(panel, backup));
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    expect(bytes.length).toBe(backup.size);
    expect(statSync(fileOf(panel, backup)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(panel.dataDir, 'backups'))).toEqual([backup.name]);
    expect((await svc(panel.place, ['doctor'])).text).toMatch(/ok\s+backup\s+svc-/);
  });

  it('is downloaded as it is stored, by administrators', async () => {
    const answer = await panel.admin('bfxz', { id: String(backup.id) });
    const url = String(answer.data.url);
    const file = await panel.adminFetch(url);
    expect(Buffer.from(await file.arrayBuffer()).equals(readFileSync(fileOf(panel, backup)))).toBe(true);
    expect(file.headers.get('content-disposition')).toContain(backup.name);
    expect(await (await panel.fetch(url)).json()).toEqual({ code: '请登陆后台' });
    expect((await panel.adminFetch('/admin/backups/file?id=999')).status).toBe(302);
  });

  it('is rejected with a wrong key, truncated, altered, or when something already exists', async () => {
    const file = fileOf(panel, backup);
    const other = await recoveryKey(panel);
    expect(await svc(empty, ['restore', file], { input: other })).toMatchObject({
      code: 1,
      text: expect.stringContaining('cannot be decrypted with this recovery key'),
    });
    expect(await svc(empty, ['restore', file], { input: 'no key' })).toMatchObject({
      code: 1,
      text: expect.stringContaining('not a recovery key'),
    });
    expect(await svc(empty, ['restore', `${file}.not`], { input: key })).toMatchObject({
      code: 1,
      text: expect.stringContaining('does not exist'),
    });
    const bytes = readFileSync(file);
    const broken = join(panel.dataDir, 'broken.age');
    const changed = Buffer.from(bytes);
    changed[Math.floor(bytes.length / 2)]! ^= 1;
    for (const content of [bytes.subarray(0, bytes.length - 5), bytes.subarray(0, Math.floor(bytes.length / 2)), changed]) {
      writeFileSync(broken, content);
      const answer = await svc(empty, ['restore', broken], { input: key });
      expect([answer.code, answer.text]).toEqual([1, expect.stringMatching(/damaged or incomplete|cannot be decrypted/)]);
      expect(existsSync(empty.dataDir) ? readdirSync(empty.dataDir) : []).toEqual([]);
    }
    rmSync(broken);
    expect(await svc(panel.place, ['restore', file], { input: key })).toMatchObject({
      code: 1,
      text: expect.stringContaining('Stop all its processes'),
    });
  });

  it('has every order that was paid before it started, complete, with sites, secrets and settings', async () => {
    const answer = await svc(empty, ['restore', fileOf(panel, backup)], { input: `# created: today\n${key}\n` });
    expect([answer.code, answer.text]).toEqual([0, expect.stringContaining(`${backup.files} files`)]);
    expect(readdirSync(empty.dataDir).filter((name) => name.includes('restor'))).toEqual([]);
    expect(await svc(empty, ['doctor'])).toMatchObject({ code: 0, text: expect.stringMatching(/restored\s+restored on/) });
    restored = await TestPanel.on(empty);
    const orders = await restored.get(Database).repository(Order).find();
    const paid = new Set(orders.filter(({ status }) => status === 'paid').map(({ number }) => number));
    expect(before.filter((number) => !paid.has(number))).toEqual([]);
    // Complete transactions only: a paid order has its event.
    expect(
      await restored
        .get(Database)
        .repository(DurableEvent)
        .countBy({ hook: 'order.paid' as never }),
    ).toBe(paid.size);
    const options = await restored
      .get(Database)
      .repository(PluginOption)
      .find({ where: { slug: 'odd' }, order: { id: 'ASC' } });
    expect(options[0]!.value).toBe('line\nline\u2028"quoted" \\ 空间 😀 end');
    expect(restored.get(Secrets).open(options[1]!.value, 'odd.secret')).toBe('s3cret');
    const site = join(empty.dataDir, 'sites/alice01');
    expect(readFileSync(join(site, 'big.bin')).equals(Buffer.alloc(3_000_001, 7))).toBe(true);
    expect([
      readFileSync(join(site, 'nothing.txt'), 'utf8'),
      readFileSync(join(site, 'link')).length,
      existsSync(join(site, 'empty')),
    ]).toEqual(['', 3_000_001, true]);
    expect(statSync(join(empty.dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
    const next = await restored.get(Orders).create({ user: 'somebody', scene: 'load', name: 'next', amount: 100, type: 'sandbox__test' });
    expect(orders.map(({ number }) => number)).not.toContain(next.number);
  });

  it('does nothing automatically until an administrator has seen the differences and allows it', async () => {
    const waiting = (): Promise<number> => restored.get(Database).repository(DurableEvent).count();
    expect(await (await restored.adminFetch('/admin/')).text()).toContain('/admin/restored');
    const page = await (await restored.adminFetch('/admin/restored')).text();
    expect(page).toContain('bffx');
    const runs = restored.get(Database).repository(JobRun);
    const had = await runs.count();
    await restored.get(CronScheduler).onMinute();
    expect(await runs.count()).toBe(had);
    expect((await restored.admin('jhrun', { id: 'core:order-expiry' })).err).toBe('E_STATE');
    expect((await restored.admin('bfadd')).err).toBe('E_STATE');
    const { rows } = (await restored.admin('jkjc')) as unknown as { rows: Record<string, string>[] };
    expect(rows.find(({ id }) => id === 'restored')).toMatchObject({ zt: 'warn', url: '/admin/restored' });
    // A payment is accepted; its consequences wait.
    const number = await pay(restored);
    expect(await restored.get(Database).repository(Order).findOneBy({ number })).toMatchObject({ status: 'paid' });
    expect(await waiting()).toBeGreaterThan(0);
    await restored.restart();
    await restored.signIn();
    expect((await restored.admin('jhrun', { id: 'core:order-expiry' })).err).toBe('E_STATE');
    expect(await restored.admin('bffx')).toMatchObject({ success: true });
    expect((await restored.admin('bffx')).err).toBe('E_STATE');
    expect(await restored.admin('jhrun', { id: 'core:order-expiry' })).toMatchObject({ success: true });
    expect((await restored.adminFetch('/admin/restored')).status).toBe(302);
    expect(await (await restored.adminFetch('/admin/')).text()).not.toContain('/admin/restored');
    await restored.get(CronScheduler).onMinute();
    expect(await restored.get(JobRuns).last('core:event-sweep')).toBeDefined();
    const deliveries = restored.get(Database).repository(EventDelivery);
    await expect.poll(() => deliveries.countBy({ state: 'running' as never })).toBe(0);
  });

  it('replaces the existing installation on request, and sets that aside', async () => {
    await restored.stop();
    const file = fileOf(panel, backup);
    expect(await svc(empty, ['restore', file], { input: key })).toMatchObject({ code: 1, text: expect.stringContaining('--overwrite') });
    expect(await svc(empty, ['restore', file, '--overwrite'], { input: key })).toMatchObject({ code: 0 });
    const aside = readdirSync(empty.dataDir).filter((name) => name.includes('before-restore'));
    expect(aside.length).toBe(testEngine === 'sqlite' ? 2 : 1);
    await restored.resume();
    await restored.signIn();
    expect((await restored.admin('jhrun', { id: 'core:order-expiry' })).err).toBe('E_STATE');
  });
});

describe('failing backups', () => {
  let panel: TestPanel;
  beforeAll(async () => (panel = await TestPanel.start()));
  afterAll(() => panel.close());

  it('need a recovery key first, which needs the password', async () => {
    expect((await panel.admin('bfadd')).err).toBe('E_STATE');
    expect((await panel.admin('bfsz', { sj: '03:30', bl: '3' })).err).toBe('E_STATE');
    expect(await svc(panel.place, ['backup'])).toMatchObject({ code: 1, text: expect.stringContaining('recovery key') });
    expect((await panel.admin('bfmy', { ypass: 'wrong' })).fields).toHaveProperty('ypass');
    expect(await recoveryKey(panel)).toMatch(/^AGE-SECRET-KEY-1/);
    for (const [sj, bl] of [
      ['3:30', '3'],
      ['24:00', '3'],
      ['03:30', '0'],
      ['03:30', '366'],
      ['03:30', 'x'],
    ] as const)
      expect((await panel.admin('bfsz', { sj, bl })).err).toBe('E_ARGS');
    expect(await panel.admin('bfsz', { sj: '00:00', bl: '2' })).toMatchObject({ success: true });
    expect(await (await panel.adminFetch('/admin/backups')).text()).toContain('value="00:00"');
  });

  it('are kept up to the limit, with one per day', async () => {
    for (let round = 0; round < 3; round += 1) expect((await svc(panel.place, ['backup'])).code).toBe(0);
    const files = (): string[] => readdirSync(join(panel.dataDir, 'backups'));
    expect(files()).toHaveLength(2);
    for (let tick = 0; tick < 2; tick += 1) {
      await panel.admin('jhrun', { id: 'core:backup' });
      await expect.poll(async () => (await panel.get(JobRuns).last('core:backup'))?.endedAt ?? null).not.toBeNull();
      await queueOf(panel).idle();
    }
    const rows = await panel
      .get(Database)
      .repository(Backup)
      .find({ order: { id: 'ASC' } });
    expect(rows.map(({ cause, state }) => `${cause} ${state}`)).toEqual(['terminal done', 'schedule done']);
    expect(files().sort()).toEqual(rows.map(({ name }) => name).sort());
    expect(await panel.admin('bfsc', { id: String(rows[0]!.id) })).toMatchObject({ success: true });
    expect(files()).toHaveLength(1);
    expect((await panel.admin('bfsc', { id: String(rows[0]!.id) })).err).toBe('E_NOTEXIST');
  });

  it('describe disk errors in words, and leave nothing', async () => {
    const folder = join(panel.dataDir, 'not-a-folder');
    writeFileSync(folder, '');
    expect((await svc(panel.place, ['backup'], { env: { BACKUP_DIR: join(folder, 'x') } })).code).toBe(1);
    rmSync(folder);
    const rows = await panel
      .get(Database)
      .repository(Backup)
      .find({ where: { state: 'failed' } });
    expect(rows.map(({ running, error }) => [running, error])).toEqual([[null, expect.stringContaining('not-a-folder')]]);
  });

  it('of a killed process are cleaned up', async () => {
    mkdirSync(join(panel.dataDir, 'sites'), { recursive: true });
    // Random bytes: compressible data is written too fast.
    const noise = Buffer.alloc(64 * 1_048_576);
    for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE(Math.imul(at + 1, 2_654_435_761) >>> 0, at);
    writeFileSync(join(panel.dataDir, 'sites/noise.bin'), noise);
    const child = spawn(process.execPath, [join(PACKAGE_ROOT, 'dist/src/cli/svc.js'), 'backup'], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environmentOf(panel.place) },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const folder = join(panel.dataDir, 'backups');
    const parts = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.part'));
    const isHalfWritten = (): boolean => child.exitCode !== null || parts().some((name) => statSync(join(folder, name)).size > 100_000);
    await expect.poll(isHalfWritten, { interval: 5 }).toBe(true);
    expect(child.exitCode).toBeNull();
    child.kill('SIGKILL');
    await ended;
    const rows = panel.get(Database).repository(Backup);
    expect(await rows.countBy({ state: 'running' })).toBe(1);
    expect(await svc(panel.place, ['backup'])).toMatchObject({ code: 1, text: expect.stringContaining('already') });
    await rows.update({ state: 'running' }, { leaseUntil: new Date(Date.now() - 60_000) });
    expect(await panel.get(BackupMaker).clearCrashed()).toBe(1);
    expect(parts()).toEqual([]);
    rmSync(join(panel.dataDir, 'sites/noise.bin'));
    expect((await svc(panel.place, ['backup'])).code).toBe(0);
    expect((await panel.admin('bflist')).rows.map((row) => (row as unknown as { zt: string }).zt)).toContain('failed');
  });

  it.skipIf(!existsSync('/proc/self'))('end with an error when no folder can be created', async () => {
    expect(await svc(panel.place, ['backup'], { env: { BACKUP_DIR: '/proc/x/y' } })).toEqual({
      code: 1,
      text: 'The backup folder cannot be created at /proc/x/y (ENOENT). Set BACKUP_DIR to a usable folder.',
    });
  });

  it('are given up when they stop writing, whatever they wait for', async () => {
    const snapshot = testEngine === 'sqlite' ? SqliteSnapshot : MysqlSnapshot;
    const hanging = vi.spyOn(snapshot.prototype, 'tables').mockImplementation(() => new Promise(() => undefined));
    const maker = new BackupMaker(panel.get(AppConfig), panel.get(Clock), panel.get(BackupRecords), { report: 20, stall: 200 });
    try {
      await expect(maker.make('hand', new AbortController().signal)).rejects.toMatchObject({ code: 'STALLED' });
    } finally {
      hanging.mockRestore();
    }
    const rows = panel.get(Database).repository(Backup);
    expect(await rows.findOne({ where: {}, order: { id: 'DESC' } })).toMatchObject({ state: 'failed', running: null });
    expect(await panel.get(BackupRecords).running()).toBeNull();
    expect((await svc(panel.place, ['backup'])).code).toBe(0);
  });

  it('of the day wait for a running one, say so once, and are made afterwards', async () => {
    const rows = panel.get(Database).repository(Backup);
    const day = 86_400_000;
    await rows.update({ cause: 'schedule' }, { startedAt: new Date(Date.now() - 2 * day) });
    const { id } = await panel.get(BackupRecords).begin({ name: 'slow.tar.gz.age', place: 'folder', cause: 'terminal' });
    const failed = await rows.countBy({ state: 'failed' });
    const schedule = panel.get(BackupSchedule);
    for (let tick = 0; tick < 3; tick += 1) expect(await schedule.orderDue()).toBe(0);
    await queueOf(panel).idle();
    const notices = await panel.get(Database).repository(Notice).find();
    expect(notices.filter(({ key }) => key === `backup:waits:${id}`)).toHaveLength(1);
    expect(await rows.countBy({ state: 'failed' })).toBe(failed);
    expect((await queueOf(panel).list({ name: 'backup.make', state: 'failed' }, { page: 1, limit: 1 })).total).toBe(0);
    // Its process was killed: nothing reports that it is running any more.
    await rows.update({ id }, { leaseUntil: new Date(Date.now() - 60_000) });
    expect(await schedule.orderDue()).toBe(1);
    await queueOf(panel).idle();
    expect(await panel.get(BackupRecords).lastScheduled()).toMatchObject({ state: 'done' });
    expect(await schedule.orderDue()).toBe(0);
  });
});

// The destination of a backup is independent of the database engine.
describe.skipIf(testServer)('backups in a bucket', () => {
  const bucket = new FakeS3();
  let panel: TestPanel;
  beforeAll(async () => {
    const endpoint = await bucket.start();
    const { accessKeyId, secretAccessKey, region, bucket: name } = FAKE_S3;
    panel = await TestPanel.start({
      BACKUP_S3_ENDPOINT: endpoint,
      BACKUP_S3_BUCKET: name,
      BACKUP_S3_REGION: region,
      BACKUP_S3_ACCESS_KEY: accessKeyId,
      BACKUP_S3_SECRET_KEY: secretAccessKey,
      BACKUP_S3_PREFIX: 'panel',
      BACKUP_S3_PART_MB: '5',
    });
    await recoveryKey(panel);
  });
  afterAll(async () => {
    await panel.close();
    await bucket.stop();
  });

  it('are sent encrypted, fetched and removed, and stored nowhere else', async () => {
    const backup = await backUp(panel);
    expect(backup).toMatchObject({ state: 'done', place: 's3' });
    expect([...bucket.objects.keys()]).toEqual([`panel/${backup.name}`]);
    expect(readdirSync(join(panel.dataDir, 'backups'))).toEqual([]);
    const { data } = await panel.admin('bfxz', { id: String(backup.id) });
    const file = Buffer.from(await (await panel.adminFetch(String(data.url))).arrayBuffer());
    expect(file.equals(bucket.objects.get(`panel/${backup.name}`)!.content)).toBe(true);
    expect(await (await panel.adminFetch('/admin/backups')).text()).toContain('/panel/');
    bucket.objects.clear();
    expect((await panel.admin('bfxz', { id: String(backup.id) })).err).toBe('E_NOTEXIST');
    expect(await panel.admin('bfsc', { id: String(backup.id) })).toMatchObject({ success: true });
  });

  it('that are large are sent in parts, become one object, and leave nothing when parts are rejected', { timeout: 60_000 }, async () => {
    const large = join(panel.dataDir, 'sites', 'large.bin');
    mkdirSync(dirname(large), { recursive: true });
    writeFileSync(large, randomBytes(22 * 1024 * 1024));
    bucket.uploads.failParts = 2;
    const backup = await backUp(panel);
    const { content } = bucket.objects.get(`panel/${backup.name}`)!;
    expect([backup.state, content.length, bucket.uploads.received, bucket.uploads.open.size]).toEqual([
      'done',
      backup.size,
      [1, 2, 3, 4, 5],
      0,
    ]);
    const { data } = await panel.admin('bfxz', { id: String(backup.id) });
    expect(Buffer.from(await (await panel.adminFetch(String(data.url))).arrayBuffer()).equals(content)).toBe(true);

    // Killed on the way: the sent parts are deleted when the backup is found dead.
    const dead = await panel.get(BackupRecords).begin({ name: 'svc-dead.tar.gz.age', place: 's3', cause: 'hand' });
    bucket.uploads.open.set('left', { key: `panel/${dead.name}`, parts: new Map() });
    await panel
      .get(Database)
      .repository(Backup)
      .update({ id: dead.id }, { leaseUntil: new Date(0) });
    bucket.uploads.failParts = 100;
    await expect(panel.get(BackupMaker).make('hand', new AbortController().signal)).rejects.toThrow('503');
    rmSync(large);
    bucket.uploads.failParts = 0;
    expect([bucket.uploads.open.size, bucket.objects.size, readdirSync(join(panel.dataDir, 'backups'))]).toEqual([0, 1, []]);
    bucket.objects.clear();
  });

  it('that a service rejects fail with the reason, and leave nothing here', async () => {
    bucket.fail = 507;
    await panel.admin('bfadd');
    await queueOf(panel).idle();
    bucket.fail = null;
    const [failed] = await panel
      .get(Database)
      .repository(Backup)
      .find({ order: { id: 'DESC' }, take: 1 });
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('507') });
    expect(readdirSync(join(panel.dataDir, 'backups'))).toEqual([]);
  });
});
