/**
 * Themes and plugins of a panel that is killed with SIGKILL while one is removed, rolled back or uploaded as a ZIP: it is in the old or the
 * new state, whatever file operation the panel died at. The operation depends on a seed, which is printed on failure.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { chances } from '../support/chances.js';
import { CrashPlace } from '../support/crash-place.js';
import { someMoments } from '../support/moments.js';
import { PanelClient } from '../support/panel-client.js';
import { zipOf } from '../support/store-packages.js';

const NAME = 'coast';
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const chance = chances(SEED);

/** Returns a plugin that kills its panel before the nth operation, from 0 on, that removes or moves a file of {@link NAME}. */
const killer = (at: number): string => `
const fs = require('node:fs');
module.exports = (svc) => {
  const marker = require('node:path').join(svc.path, 'killed');
  if (fs.existsSync(marker)) return;
  let seen = 0;
  for (const [owner, names] of [[fs, ['renameSync', 'rmSync']], [fs.promises, ['rename', 'rm']]])
    for (const name of names) {
      const real = owner[name];
      owner[name] = (...args) => {
        if (args.some((one) => typeof one === 'string' && one.includes('/${NAME}')) && seen++ === ${at}) {
          fs.writeFileSync(marker, '');
          require('node:child_process').execFileSync('sh', ['-c', 'kill -9 ' + process.pid]);
        }
        return real(...args);
      };
    }
  require('node:module').syncBuiltinESMExports();
};
`;

/**
 * Returns a plugin that kills its panel before or after a file operation.
 *
 * @param path regular expression for the path of the file
 */
const killerAt = (name: string, path: string, when: 'before' | 'after'): string => `
const fs = require('node:fs');
module.exports = (svc) => {
  const marker = require('node:path').join(svc.path, 'killed');
  if (fs.existsSync(marker)) return;
  const die = () => {
    fs.writeFileSync(marker, '');
    require('node:child_process').execFileSync('sh', ['-c', 'kill -9 ' + process.pid]);
  };
  const real = fs.promises.${name};
  fs.promises.${name} = async (...args) => {
    const isMeant = args.some((one) => typeof one === 'string' && new RegExp(${JSON.stringify(path)}).test(one));
    if (isMeant && '${when}' === 'before') die();
    const result = await real(...args);
    if (isMeant && '${when}' === 'after') die();
    return result;
  };
  require('node:module').syncBuiltinESMExports();
};
`;

let crash: CrashPlace;
beforeEach(async () => {
  crash = await CrashPlace.create();
});
afterEach(() => crash.dispose());

const inData = (...path: string[]): string => join(crash.dataDir, ...path);

/** Writes version 2 of a package, with version 1 kept for a rollback, as after an upgrade. */
function put(kind: 'themes' | 'plugins'): void {
  for (const [place, version] of [
    [join('.before', NAME, '1'), '1.0.0'],
    [NAME, '2.0.0'],
  ] as const) {
    const files =
      kind === 'themes'
        ? { 'theme.json': { title: NAME, version }, 'home/index.liquid': `{% partial 'word' %} ${version}`, 'shared/word.liquid': version }
        : { 'plugin.json': { id: NAME, name: NAME, version }, 'index.js': 'module.exports = () => {};' };
    const origin = { store: '', version, sha256: version.repeat(13).slice(0, 64), permissions: [], stepsBefore: [] };
    for (const [file, content] of Object.entries({ ...files, '.origin.json': origin })) {
      const path = inData(kind, place, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    }
  }
}

/** Returns the ZIP of a version of the theme. */
const themeZip = (version: string): Promise<Buffer> =>
  zipOf(NAME, {
    'theme.json': JSON.stringify({ name: NAME, title: NAME, version }),
    'home/index.liquid': `{% partial 'word' %} ${version}`,
    'shared/word.liquid': version,
  });

async function upload(url: string, zip: Buffer): Promise<void> {
  const form = new FormData();
  form.append('gn', 'theme_upload');
  form.append('file', new Blob([new Uint8Array(zip)]), 'theme.zip');
  const client = await new PanelClient(url).login('admin', 'admin', DEFAULT_ADMIN_PASSWORD);
  expect((await client.send('/admin/ajax.php', { method: 'POST', body: form })).json).toMatchObject({ success: true });
}

/** Returns the version of the present files; empty if there are none. */
function versionOf(file: string): string {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : '';
}

/** Kills the panel at a random one of `operations` file operations, and starts another one. */
async function killedDuring(operations: number, operation: Record<string, string>, ...before: Record<string, string>[]) {
  const at = Math.floor(chance() * operations);
  const { panel, admin } = await crash.start();
  for (const step of before) expect(await admin.operate('admin', step)).toMatchObject({ success: true });
  await crash.enable(admin, killer(at));
  await admin.operate('admin', operation).catch(() => undefined);
  expect(await panel.ended, `operation ${at} of ${operation.gn}, CRASH_SEED=${SEED}`).toBe('SIGKILL');
  await crash.endClaims();
  return { ...(await crash.recover()), told: `killed before operation ${at}, CRASH_SEED=${SEED}` };
}

const HOME = { gn: 'settheme', usertheme: 'default', admintheme: 'default', hometheme: NAME };

it('a removed theme is either unchanged or gone after a crash, and no earlier version returns', { timeout: 120_000 }, async () => {
  put('themes');
  const { admin, told } = await killedDuring(4, { gn: 'theme_sc', name: NAME });
  expect(['2.0.0', ''], told).toContain(versionOf(inData('themes', NAME, 'theme.json')));
  await admin.operate('admin', { gn: 'theme_sc', name: NAME }).catch(() => undefined);
  expect(versionOf(inData('themes', NAME, 'theme.json')), told).toBe('');
  expect(existsSync(inData('themes', '.before', NAME)), told).toBe(false);
});

it('a theme rollback leaves either version after a crash, and finally the previous one', { timeout: 120_000 }, async () => {
  put('themes');
  const { panel, told } = await killedDuring(4, { gn: 'theme_rollback', name: NAME }, HOME);
  const home = async (): Promise<string> => (await fetch(panel.url)).text();
  expect(['1.0.0 1.0.0', '2.0.0 2.0.0'], told).toContain(await home());
  await expect.poll(home, { timeout: 60_000, interval: 200, message: told }).toBe('1.0.0 1.0.0');
});

it('an uninstalled plugin is either unchanged or gone after a crash, and no earlier version returns', { timeout: 120_000 }, async () => {
  put('plugins');
  const [install, uninstall] = [
    { gn: 'plugin_install', slug: NAME },
    { gn: 'plugin_uninstall', slug: NAME, data: 'drop' },
  ];
  const { admin, told } = await killedDuring(5, uninstall, install);
  const version = (): string => versionOf(inData('plugins', NAME, 'plugin.json'));
  expect(['2.0.0', ''], told).toContain(version());
  // It is installed or not: in the end, the buttons of the page can remove it.
  if (version() !== '') for (const step of [install, uninstall]) await admin.operate('admin', step).catch(() => undefined);
  expect(version(), told).toBe('');
  expect(existsSync(inData('plugins', '.before', NAME)), told).toBe(false);
});

const MOMENTS = [
  ['before its ZIP is whole', 'nothing has changed', 'rename', '\\.part$', 'before'],
  ['while it is unpacked', 'nothing has changed', 'mkdir', `\\.incoming/${NAME}/`, 'before'],
  ['before the old files go', 'nothing has changed', 'rename', `\\.before/${NAME}/`, 'before'],
  ['between the old files and the new ones', 'it changes', 'rename', `\\.incoming/${NAME}$`, 'before'],
  ['before it is known to be well', 'it changes', 'rm', `${NAME}/\\.unproven$`, 'before'],
  ['before its ZIP goes', 'it changes', 'rm', '\\.incoming/[\\w-]+\\.zip$', 'before'],
  ['after its ZIP has gone', 'it changes', 'rm', '\\.incoming/[\\w-]+\\.zip$', 'after'],
] as const;

it.each(someMoments(MOMENTS, ([, kind]) => kind))(
  'a theme uploaded as a ZIP, with its panel killed %s, has either version, and finally the new one, once',
  { timeout: 120_000 },
  async (moment, _kind, name, path, when) => {
    put('themes');
    const zip = await themeZip('3.0.0');
    const { panel, admin } = await crash.start();
    expect(await admin.operate('admin', HOME)).toMatchObject({ success: true });
    await crash.enable(admin, killerAt(name, path, when));
    await upload(panel.url, zip).catch(() => undefined);
    expect(await panel.ended).toBe('SIGKILL');
    await crash.endClaims();
    const next = await crash.recover();
    const home = async (): Promise<string> => (await fetch(next.panel.url)).text();
    expect(['2.0.0 2.0.0', '3.0.0 3.0.0']).toContain(await home());
    const history = async () => (await next.admin.operate('admin', { gn: 'theme_history', limit: '9' })).rows;
    // The upload was not complete: it is sent again.
    if (moment === 'before its ZIP is whole') {
      expect(await history()).toEqual([]);
      await upload(next.panel.url, zip);
    }
    await expect.poll(history, { timeout: 60_000, interval: 200 }).toMatchObject([{ lx: 'upload', zt: 'done', cw: '' }]);
    expect(await home()).toBe('3.0.0 3.0.0');
    const before = readdirSync(inData('themes', '.before', NAME));
    expect(before.map((number) => versionOf(inData('themes', '.before', NAME, number, 'theme.json'))).sort()).toEqual(['1.0.0', '2.0.0']);
    expect(readdirSync(inData('themes', '.incoming')).filter((left) => !left.endsWith('.part'))).toEqual([]);
  },
);
