/**
 * Work on files of a site while the panel is killed midway: nothing incomplete stays, nothing is lost, and the page can show the result.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { handmadeZip } from '../src/packaging/testing/handmade-zip.js';

import { CrashPlace } from './support/crash-place.js';
import { fileKiller, type FileStep } from './support/killers.js';
import { someMoments } from './support/moments.js';
import { PanelClient } from './support/panel-client.js';

const PIECE = 'a piece of the file';
const ARCHIVE = handmadeZip(['a', 'b'].map((name) => ({ name: `${name}/${name}.txt`, content: name })));

let crash: CrashPlace;
let id: string;
let folder: string;

beforeEach(async () => void (crash = await CrashPlace.create()));
afterEach(() => crash.dispose());

/** Signs in as administrator; file forms send more than `DemoVisitor` can. */
const signIn = (panel: { url: string }) => new PanelClient(panel.url).login('admin', 'admin', 'svc-panel-admin');

/** A host with some files, whose panel dies at a step from now on. */
async function prepare(step: FileStep) {
  const { panel, admin: visitor } = await crash.start();
  const admin = await signIn(panel);
  await visitor.operate('admin', { gn: 'addzj', btdh: 'local', user: 'crash-proof', pass: 'a-password-of-my-own' });
  const [host] = (await visitor.operate('admin', { gn: 'listzj' })).rows as { id: string; sqldz: string }[];
  ({ id } = host!);
  folder = join(crash.dataDir, 'sites', host!.sqldz);
  for (const name of ['a', 'b', 'to']) mkdirSync(join(folder, 'public', name));
  for (const name of ['a', 'b']) writeFileSync(join(folder, 'public', name, `${name}.txt`), name);
  await crash.enable(visitor, fileKiller(step));
  return { panel, admin };
}

/** Starts the panel that takes over, with the leases of the killed one expired. */
async function again() {
  await crash.endClaims();
  const { panel, admin: visitor } = await crash.recover();
  return { panel, visitor, admin: await signIn(panel) };
}

const names = (name: string): string[] => {
  const path = join(folder, name);
  return existsSync(path) ? readdirSync(path, { recursive: true }).map(String).sort() : [];
};
const text = (path: string): string => readFileSync(join(folder, 'public', path), 'utf8');
/** Files of the site except the initial ones. */
const made = (): string[] => names('public').filter((path) => !/^(a|b|to|index\.html|a\/a\.txt|b\/b\.txt)$/.test(path));

/** An operation of the administrator. @throws Error with the panel's own text if it is refused */
async function operate(admin: PanelClient, fields: Record<string, string>): Promise<Record<string, unknown>> {
  const { json } = await admin.ajax('admin', fields);
  if (json.success !== true && !Array.isArray(json.rows)) throw new Error(`${fields.gn}: ${JSON.stringify(json)}`);
  return json;
}

/** The final state of a task that a dead process started. */
const outcome = (admin: PanelClient, task: string) =>
  expect.poll(() => operate(admin, { gn: 'rwsj', id, task_id: task }), { timeout: 90_000, interval: 500 });

/** The task of an interrupted action, as shown by the background work page. */
async function taskOf(admin: PanelClient): Promise<string> {
  const { rows } = await operate(admin, { gn: 'rwlist' });
  return (rows as { id: string; czuser: string }[]).find(({ czuser }) => czuser === 'admin:1')!.id;
}

async function piece(admin: PanelClient, from: number, bytes: string) {
  const body = new FormData();
  const fields = { gn: 'fileupload', id, htl: '/', tempfilename: 'up/loaded.txt', zsize: String(2 * PIECE.length), fesw: String(from) };
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new Blob([bytes]), 'blob');
  return (await admin.send('/admin/ajax.php', { method: 'POST', body })).json;
}
const received = async (admin: PanelClient): Promise<number> => {
  const { json } = await admin.ajax('admin', {
    gn: 'file_upload_size',
    id,
    htl: '/',
    fename: 'up/loaded.txt',
    size: String(2 * PIECE.length),
  });
  return Number(json.size);
};

describe('the panel killed in the middle', () => {
  it('of a part: the upload continues from what was received', { timeout: 120_000 }, async () => {
    const { panel, admin } = await prepare('half-piece');
    await piece(admin, 0, PIECE).catch(() => undefined);
    expect(await panel.ended).toBe('SIGKILL');
    const second = await again();
    const from = await received(second.admin);
    expect(from).toBe(Math.floor(PIECE.length / 2));
    expect(made()).toEqual([]);
    const whole = PIECE + PIECE;
    expect(await piece(second.admin, 0, PIECE)).toMatchObject({ error: 0, size: from });
    expect(await piece(second.admin, from, whole.slice(from))).toMatchObject({ success: true, size: 1 });
    expect(text('up/loaded.txt')).toBe(whole);
    expect(names('work')).toEqual([]);
  });

  it('of the last step: a complete upload needs no more bytes', { timeout: 120_000 }, async () => {
    const { panel, admin } = await prepare('whole-piece');
    await piece(admin, 0, PIECE);
    await piece(admin, PIECE.length, PIECE).catch(() => undefined);
    expect(await panel.ended).toBe('SIGKILL');
    const second = await again();
    expect(await received(second.admin)).toBe(2 * PIECE.length);
    expect(made()).toEqual(['up']);
    expect(await piece(second.admin, 2 * PIECE.length, '')).toMatchObject({ success: true, size: 1 });
    expect(text('up/loaded.txt')).toBe(PIECE + PIECE);
    expect(names('work')).toEqual([]);
  });

  const ACTIONS = [
    ['copy', 'made', { gn: 'filecp', yfile: '["a","b"]', ypath: '/', xpath: '/to', type: '1' }],
    ['copy', 'first-put', { gn: 'filecp', yfile: '["a","b"]', ypath: '/', xpath: '/to', type: '1' }],
    ['unpack', 'made', { gn: 'ftpjy', jywj: '/all.zip', jyd: '/to' }],
    ['unpack', 'first-put', { gn: 'ftpjy', jywj: '/all.zip', jyd: '/to' }],
    ['pack', 'made', { gn: 'fileys', file: '["a","b"]', path: '/', dpath: '/to/all.zip' }],
    ['pack', 'first-put', { gn: 'fileys', file: '["a","b"]', path: '/', dpath: '/to/all.zip' }],
  ] as const;
  it.each(someMoments(ACTIONS, ([, step]) => step))(
    'of an action (%s, %s): the next process completes it, once',
    { timeout: 150_000 },
    async (kind, step, fields) => {
      const { panel, admin } = await prepare(step);
      if (kind === 'unpack') writeFileSync(join(folder, 'public/all.zip'), ARCHIVE);
      await admin.ajax('admin', { id, ...fields }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      const second = await again();
      const task = await taskOf(second.admin);
      await outcome(second.admin, task).toMatchObject({ zt: 'success', left: 0 });
      const wanted = kind === 'pack' ? ['to/all.zip'] : ['to/a', 'to/a/a.txt', 'to/b', 'to/b/b.txt'];
      expect(made().filter((path) => path !== 'all.zip')).toEqual(wanted);
      if (kind !== 'pack') expect([text('to/a/a.txt'), text('to/b/b.txt')]).toEqual(['a', 'b']);
      expect(names('work')).toEqual([]);
    },
  );

  it.each(someMoments(['noted', 'discarded'] as const))(
    'of a deletion (%s): the file is in its old place or in the trash',
    { timeout: 120_000 },
    async (step) => {
      const { panel, admin } = await prepare(step);
      await admin.ajax('admin', { gn: 'ftpsc', id, path: '/', name: 'a' }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      const { admin: later } = await again();
      const list = async () => {
        const { total, rows } = await operate(later, { gn: 'filetrash', id });
        return { total, paths: (rows as { path: string }[]).map(({ path }) => path) };
      };
      const isKept = step === 'discarded';
      expect(await list()).toEqual(isKept ? { total: 1, paths: ['/a'] } : { total: 0, paths: [] });
      expect(existsSync(join(folder, 'public/a/a.txt'))).toBe(!isKept);
      expect(readdirSync(join(folder, 'trash'))).toHaveLength(isKept ? 1 : 0);
      await operate(later, { gn: 'ftpsc', id, path: '/', name: 'b' });
      expect((await list()).paths).toEqual(isKept ? ['/b', '/a'] : ['/b']);
    },
  );
});
