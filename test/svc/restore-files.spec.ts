import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { MysqlTarget } from '../../src/backup/database/mysql-target.js';
import { SqliteTarget } from '../../src/backup/database/sqlite-target.js';
import { FileMoves } from '../../src/backup/restore/file-moves.js';
import { createMigratedPlace, testEngine, type TestPlace } from '../support/database.js';
import { TestPanel } from '../support/panel.js';
import { svc } from '../support/svc.js';

const TARGET = testEngine === 'sqlite' ? SqliteTarget : MysqlTarget;

let panel: TestPanel;
let key: string;
let file: string;
let place: TestPlace;

beforeAll(async () => {
  panel = await TestPanel.start();
  writeFileSync(join(panel.dataDir, 'only-in-backup.txt'), 'new');
  mkdirSync(join(panel.dataDir, 'both'));
  writeFileSync(join(panel.dataDir, 'both/file.txt'), 'new');
  key = String((await panel.admin('bfmy', { ypass: 'svc-panel-admin' })).data.hfmy);
  const made = await svc(panel.place, ['backup']);
  file = join(panel.dataDir, 'backups', made.text.split(':')[0]!);
});
afterAll(async () => {
  await place?.dispose();
  await panel.close();
});
beforeEach(async () => {
  await place?.dispose();
  place = await createMigratedPlace({ CAPTCHA: 'off', RATE_LIMIT: 'off' });
  await (await TestPanel.on(place)).stop();
  mkdirSync(join(place.dataDir, 'both'));
  writeFileSync(join(place.dataDir, 'both/file.txt'), 'old');
});

const content = () => ({
  key: readFileSync(join(place.dataDir, 'secret.key'), 'utf8'),
  both: readFileSync(join(place.dataDir, 'both/file.txt'), 'utf8'),
  only: existsSync(join(place.dataDir, 'only-in-backup.txt')),
  staging: existsSync(join(place.dataDir, '.restoring')),
});

it('a restore whose last step fails leaves files and database as they were', async () => {
  const before = content();
  const broken = vi.spyOn(TARGET.prototype, 'finish').mockRejectedValue(new Error('no end'));
  try {
    expect(await svc(place, ['restore', file, '--overwrite'], { input: key })).toMatchObject({
      code: 1,
      text: expect.stringContaining('no end') as string,
    });
  } finally {
    broken.mockRestore();
  }
  expect(content()).toEqual(before);
  await (await TestPanel.on(place)).stop();
});

it('a restore killed between files and database prevents the start, and is undone or restarted', async () => {
  const before = content();
  // Steps that a killed process does not reach.
  const killed = [
    vi.spyOn(TARGET.prototype, 'finish').mockRejectedValue(new Error('killed')),
    vi.spyOn(TARGET.prototype, 'isInterrupted').mockRejectedValue(new Error('killed')),
    vi.spyOn(TARGET.prototype, 'close').mockImplementation(async function (this: object) {
      await (this as { connected?: { end(): Promise<void> } | null }).connected?.end();
    }),
  ];
  expect((await svc(place, ['restore', file, '--overwrite'], { input: key })).code).toBe(1);
  for (const spy of killed) spy.mockRestore();
  expect(content()).toMatchObject({ both: 'new', only: true, staging: true });
  await expect(TestPanel.on(place)).rejects.toThrow('svc restore --undo');
  expect(await svc(place, ['restore', '--undo'])).toMatchObject({ code: 0, text: expect.stringContaining('is recovered') as string });
  expect(content()).toEqual(before);
  await (await TestPanel.on(place)).stop();
  expect(await svc(place, ['restore', file, '--overwrite'], { input: key })).toMatchObject({ code: 0 });
  expect(content()).toMatchObject({ both: 'new', only: true, staging: false });
  const aside = readdirSync(place.dataDir).find((name) => name.startsWith('before-restore-'))!;
  expect(readFileSync(join(place.dataDir, aside, 'both/file.txt'), 'utf8')).toBe('old');
});

it('files that were moved in part go back, however far it got', async () => {
  const places = new FileMoves(place.dataDir);
  const before = content();
  for (const moved of [0, 1, 2]) {
    mkdirSync(join(places.staging, 'data/both'), { recursive: true });
    writeFileSync(join(places.staging, 'data/both/file.txt'), 'new');
    writeFileSync(join(places.staging, 'data/only-in-backup.txt'), 'new');
    mkdirSync(join(places.staging, 'before'));
    writeFileSync(join(places.staging, 'places.json'), '["both","only-in-backup.txt"]');
    if (moved > 0) renameSync(join(place.dataDir, 'both'), join(places.staging, 'before/both'));
    if (moved > 1) renameSync(join(places.staging, 'data/both'), join(place.dataDir, 'both'));
    await places.undo();
    expect(content()).toEqual(before);
  }
});
