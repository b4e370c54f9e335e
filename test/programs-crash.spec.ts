/** A program is being installed and the panel is killed midway: in the end the site has the program, or is as it was. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Deployment, DeployProgram, SiteBackup } from '../src/hosting/index.js';

import { CrashPlace } from './support/crash-place.js';
import { programKiller, type ProgramStep } from './support/killers.js';
import { zipOf } from './support/program-zip.js';

const FIRST = { cz: 'setwj', ml: '/', name: 'svc-last.txt', nr: 'written' };
const FAILING = { cz: 'cxname', lj: '/', jne: 'nowhere', xne: 'x' };
const MINE = ['index.html', 'mine.txt'];
const THEIRS = ['svc-first.txt', 'svc-last.txt'];

describe('the installation of a program, with the panel killed midway', () => {
  let place: CrashPlace;

  beforeEach(async () => {
    place = await CrashPlace.create();
  });
  afterEach(() => place?.dispose());

  const rows = () => place.database.repository(Deployment).find();
  const state = async () => (await rows()).map((row) => [row.state, row.busy]);

  async function catalogued(steps: object[]): Promise<number> {
    const archive = await zipOf({ 'svc-first.txt': 'of the program' });
    mkdirSync(join(place.dataDir, 'programs'), { recursive: true });
    writeFileSync(join(place.dataDir, 'programs', 'killed.zip'), archive);
    const program = place.database.repository(DeployProgram).create({
      ...{ name: 'Killed', description: null, price: 0, images: [], requiredQuotaMb: [0, 0], buyers: [], onShelf: true },
      ...{ archivePath: 'programs/killed.zip', archiveSize: archive.length, hasPhp: false, position: 9, form: [], steps },
      ...{ doneMessage: null, createdAt: new Date() },
    });
    await place.database.repository(DeployProgram).insert(program);
    return program.id;
  }

  const CASES: [ProgramStep, object[], string, string[]][] = [
    // Only repeatable work was done.
    ['in-files', [FIRST], 'done', THEIRS],
    // The effect of the steps is unknown.
    ['in-steps', [FIRST, FIRST], 'failed', MINE],
    ['in-undo', [FIRST, FAILING], 'failed', MINE],
  ];
  it.each(CASES)('%s', { timeout: 120_000 }, async (step, steps, ends, names) => {
    const { panel, admin } = await place.start();
    await admin.operate('admin', { gn: 'addzj', btdh: 'local', user: 'crash-proof', pass: 'a-password-of-my-own' });
    const [{ id, sqldz }] = (await admin.operate('admin', { gn: 'listzj' })).rows as [{ id: string; sqldz: string }];
    const folder = join(place.dataDir, 'sites', sqldz, 'public');
    writeFileSync(join(folder, 'mine.txt'), 'of before');
    const program = await catalogued(steps);
    await place.enable(admin, programKiller(step));
    await admin.operate('admin', { gn: 'cxyl', id, bs: String(program) }).catch(() => undefined);
    expect(await panel.ended).toBe('SIGKILL');
    expect(await state()).toEqual([[step === 'in-undo' ? 'undoing' : 'installing', Number(id)]]);
    await place.endClaims();
    const next = await place.recover();
    await expect.poll(state, { timeout: 60_000, interval: 500 }).toEqual([[ends, null]]);
    expect(readdirSync(folder).sort()).toEqual(names);
    if (ends === 'done') return;
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('of before');
    // The page says what happened, and the copy can be restored or deleted.
    const [row] = (await next.admin.operate('admin', { gn: 'listbsjl', id })).rows as Record<string, string>[];
    expect(row).toMatchObject({ zt: 'failed', cw: expect.stringMatching(step === 'in-steps' ? /面板中断/ : /第2步出错/) as string });
    expect(await place.database.repository(SiteBackup).find()).toMatchObject([{ kind: 'safety', state: 'done', busy: null }]);
  });
});
