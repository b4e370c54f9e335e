import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { MysqlTarget } from '../../src/backup/database/mysql-target.js';
import { SqliteTarget } from '../../src/backup/database/sqlite-target.js';
import { Backup } from '../../src/backup/entities/index.js';
import { BackupMaker } from '../../src/backup/index.js';
import { FileMoves } from '../../src/backup/restore/file-moves.js';
import { PreparedRestore } from '../../src/backup/restore/prepared-restore.js';
import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { BackgroundQueue } from '../../src/jobs/index.js';
import { OperationLog } from '../../src/operations/index.js';
import { testEngine } from '../support/database.js';
import { TestPanel } from '../support/panel.js';
import { startPanel } from '../support/start-panel.js';
import { tidyHtml } from '../support/tidy-html.js';

const TARGET = testEngine === 'sqlite' ? SqliteTarget : MysqlTarget;
const HOST = { pass: 'secret-pass-1', btdh: 'local' };

let panel: TestPanel;
let key: string;
let id: string;

const queue = (): BackgroundQueue => panel.get(BackgroundQueue as never);
const idle = () => queue().idle();
const prepared = () => new PreparedRestore(panel.dataDir);
const hosts = async () =>
  (
    await panel
      .get(Database)
      .repository(HostingAccount)
      .find({ order: { id: 'ASC' } })
  ).map(({ username }) => username);
const page = async (path = `/admin/backup-restore?id=${id}`) =>
  (await panel.adminFetch(path, { headers: { 'Accept-Language': 'en' } })).text();
const fileInBackup = () => join(panel.dataDir, 'both/file.txt');

async function prepare(): Promise<void> {
  expect(await panel.admin('bfhf', { id, hfmy: key })).toMatchObject({ success: true });
  await idle();
  expect(prepared().plan).toMatchObject({ by: 'admin', attempts: 0 });
}

beforeEach(async () => {
  panel = await TestPanel.start();
  mkdirSync(join(panel.dataDir, 'both'));
  writeFileSync(fileInBackup(), 'of the backup');
  await panel.admin('addzj', { user: 'before01', ...HOST });
  key = String((await panel.admin('bfmy', { ypass: 'svc-panel-admin' })).data.hfmy);
  await panel.admin('bfadd');
  await idle();
  const [backup] = await panel.get(Database).repository(Backup).find();
  id = String(backup!.id);
  await panel.admin('addzj', { user: 'after001', ...HOST });
  writeFileSync(fileInBackup(), 'of today');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await panel.close();
});

describe('a backup', () => {
  it('is checked completely and compared with the current data, without a change', async () => {
    expect(await panel.admin('bfjc', { id, hfmy: 'AGE-SECRET-KEY-1NONE' })).toMatchObject({ err: 'E_ARGS' });
    expect(await panel.admin('bfjc', { id: '99', hfmy: key })).toMatchObject({ err: 'E_NOTEXIST' });
    const { data } = await panel.admin('bfjc', { id, hfmy: `# public key: age1x\n${key}\n` });
    await idle();
    const shown = await page();
    expect(shown).toContain('Complete: every byte was read');
    expect(tidyHtml(shown)).toContain('Hosting accounts</th><td><strong>1</strong></td><td>2');
    expect(shown).toContain(`npm run svc -- restore ${join(panel.dataDir, 'backups')}`);
    const task = await queue().find(String(data.task_id));
    expect(JSON.stringify(task)).not.toContain(key);
    expect(prepared().plan).toBeNull();
    expect(readdirSync(panel.dataDir).filter((name) => name.startsWith('.restoring'))).toEqual([]);
    expect(await hosts()).toEqual(['before01', 'after001']);
  });

  it('with another key, or truncated, is distinguished from a complete one in words', async () => {
    const old = key;
    const other = String((await panel.admin('bfmy', { ypass: 'svc-panel-admin' })).data.hfmy);
    await panel.admin('bfjc', { id, hfmy: other });
    await idle();
    expect(await page()).toContain('This recovery key does not open the backup');
    const [backup] = await panel.get(Database).repository(Backup).find();
    truncateSync(join(panel.dataDir, 'backups', backup!.name), backup!.size - 100);
    for (const gn of ['bfjc', 'bfhf']) {
      await panel.admin(gn, { id, hfmy: old });
      await idle();
      expect(await page()).toContain('The backup is damaged or incomplete');
    }
    expect(prepared().plan).toBeNull();
    expect(readdirSync(panel.dataDir)).not.toContain('.restoring-prepared');
  });
});

describe('a restore from the browser', () => {
  it('is prepared while the panel runs, and done at its next start, with the old data kept', async () => {
    await prepare();
    expect(await hosts()).toEqual(['before01', 'after001']);
    expect(readFileSync(fileInBackup(), 'utf8')).toBe('of today');
    expect(await page()).toContain('Ready: restart the panel now');
    expect(await page('/admin/')).toContain('A backup will replace the current data');
    expect(await panel.admin('bfhf', { id, hfmy: key })).toMatchObject({ err: 'E_STATE' });
    const { safety } = prepared().plan!;
    await panel.stop();
    await panel.resume();
    await panel.signIn();
    expect(await hosts()).toEqual(['before01']);
    expect(readFileSync(fileInBackup(), 'utf8')).toBe('of the backup');
    const aside = readdirSync(panel.dataDir).find((name) => name.startsWith('before-restore-'))!;
    expect(readFileSync(join(panel.dataDir, aside, 'both/file.txt'), 'utf8')).toBe('of today');
    if (testEngine === 'sqlite') expect(readdirSync(panel.dataDir).some((name) => name.startsWith('panel.db.before-restore-'))).toBe(true);
    expect(existsSync(join(panel.dataDir, 'backups', safety))).toBe(true);
    expect(await page('/admin/restored')).toContain(safety);
    const line = await panel.get(Database).repository(OperationLog).findOneByOrFail({ category: 'bfhf' });
    expect(line).toMatchObject({ actor: 'admin', outcome: 'ok' });
    expect(await panel.admin('bfjc', { id, hfmy: key })).toMatchObject({ err: 'E_STATE' });
    await panel.admin('bffx');
    await panel.restart();
    expect(await hosts()).toEqual(['before01']);
    expect(await panel.get(Database).repository(OperationLog).countBy({ category: 'bfhf' })).toBe(1);
  });

  it('that was cancelled changes nothing', async () => {
    await prepare();
    expect(await panel.admin('bfhfqx')).toMatchObject({ success: true });
    expect(await panel.admin('bfhfqx')).toMatchObject({ err: 'E_STATE' });
    await panel.restart();
    expect(await hosts()).toEqual(['before01', 'after001']);
    expect(readdirSync(panel.dataDir)).not.toContain('.restoring-prepared');
  });

  it.each([
    ['rows that are not taken', () => vi.spyOn(TARGET.prototype, 'insert').mockRejectedValue(new Error('full'))],
    ['an end that fails', () => vi.spyOn(TARGET.prototype, 'finish').mockRejectedValue(new Error('full'))],
  ])('that fails leaves everything as it was, with the reason: %s', async (_name, breakIt) => {
    await prepare();
    await panel.stop();
    const broken = breakIt();
    await panel.resume();
    broken.mockRestore();
    await panel.signIn();
    expect(await hosts()).toEqual(['before01', 'after001']);
    expect(readFileSync(fileInBackup(), 'utf8')).toBe('of today');
    expect(await page()).toMatch(/could not be restored at <time [^>]*>[^<]*<\/time>; everything is as it was: full/);
    expect(await panel.admin('bfhfqx')).toMatchObject({ success: true });
    expect(await page()).not.toContain('could not be restored at');
  });

  it.each([
    ['before its files', () => [vi.spyOn(FileMoves.prototype, 'apply').mockRejectedValue(new Error('killed'))]],
    ['between files and database', () => [vi.spyOn(TARGET.prototype, 'finish').mockRejectedValue(new Error('killed'))]],
    ['once it is in its place', () => [vi.spyOn(PreparedRestore.prototype, 'storeOutcome').mockRejectedValue(new Error('killed'))]],
    ['before what there was is set aside', () => [vi.spyOn(FileMoves.prototype, 'commit').mockRejectedValue(new Error('killed'))]],
  ])('that is killed goes on at the next start: %s', async (_name, kill) => {
    await prepare();
    await panel.stop();
    // Steps that a killed process does not reach.
    const killed = [
      ...kill(),
      vi.spyOn(FileMoves.prototype, 'undo').mockRejectedValue(new Error('killed')),
      vi.spyOn(TARGET.prototype, 'undo').mockRejectedValue(new Error('killed')),
      vi.spyOn(TARGET.prototype, 'close').mockImplementation(async function (this: object) {
        await (this as { connected?: { end(): Promise<void> } | null }).connected?.end();
      }),
    ];
    await expect(panel.resume()).rejects.toThrow('killed');
    for (const spy of killed) spy.mockRestore();
    await panel.resume();
    await panel.signIn();
    expect(await hosts()).toEqual(['before01']);
    expect(readFileSync(fileInBackup(), 'utf8')).toBe('of the backup');
    expect(readdirSync(panel.dataDir).filter((name) => name.startsWith('.restoring'))).toEqual(['.restoring-outcome.json']);
    expect(prepared().outcome).toMatchObject({ problem: null, noted: true });
  });

  it('killed during the cleanup of unpacked files leaves none after the next start', async () => {
    await prepare();
    const killed = vi.spyOn(PreparedRestore.prototype, 'clear').mockResolvedValue(undefined);
    await panel.restart();
    killed.mockRestore();
    expect(readdirSync(panel.dataDir)).toContain('.restoring-discarded');
    await panel.restart();
    expect(readdirSync(panel.dataDir).filter((name) => name.startsWith('.restoring'))).toEqual(['.restoring-outcome.json']);
    expect(await hosts()).toEqual(['before01']);
  });

  it('that repeatedly killed the panel is given up, with an explanation', async () => {
    await prepare();
    const plan = prepared().plan!;
    await prepared().ready({ ...plan, attempts: 3 });
    await panel.restart();
    await panel.signIn();
    expect(await hosts()).toEqual(['before01', 'after001']);
    expect(await page()).toContain('stopped 3 times while restoring the backup');
    expect(prepared().plan).toBeNull();
  });

  it('whose preparation died is prepared again, once', async () => {
    const make = vi.spyOn(BackupMaker.prototype, 'make').mockRejectedValueOnce(new Error('the process died'));
    await panel.admin('bfhf', { id, hfmy: key });
    await expect.poll(() => make.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(0);
    await expect.poll(() => prepared().plan !== null, { timeout: 20_000 }).toBe(true);
  });
});

it('a second process starts on the current data, and the restore stays prepared', { timeout: 60_000 }, async () => {
  await prepare();
  const second = await startPanel(panel.place.config);
  try {
    expect(prepared().plan).not.toBeNull();
    expect(await hosts()).toEqual(['before01', 'after001']);
  } finally {
    await second.close();
  }
});
