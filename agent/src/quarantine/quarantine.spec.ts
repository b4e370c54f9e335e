import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { parseConfig } from '../config/parse-config.js';
import { Quarantine } from './quarantine.js';

const ID = 'a'.repeat(32);
const CONTENT = '<?php casino();';

let place: string;
let site: string;
let file: string;
let quarantine: Quarantine;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'svc-quarantine-')));
  site = join(place, 'wwwroot', 'site');
  mkdirSync(site, { recursive: true });
  file = join(site, 'bad.php');
  writeFileSync(file, CONTENT);
  chmodSync(file, 0o640);
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  quarantine = new Quarantine(join(place, 'state'), join(place, 'wwwroot'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const task = (more: Record<string, unknown> = {}) => ({
  id: ID,
  path: file,
  sha256: createHash('sha256').update(CONTENT).digest('hex'),
  ...more,
});
const entry = (name = '') => join(place, 'state', 'quarantine', ID, name);
const aside = () => join(site, `.svc-quarantine-${ID}`);
const manifest = () => JSON.parse(readFileSync(entry('manifest.json'), 'utf8')) as Record<string, unknown>;
const unchanged = () => expect([readFileSync(file, 'utf8'), readdirSync(site), existsSync(entry())]).toEqual([CONTENT, ['bad.php'], false]);

describe('quarantine', () => {
  it('moves a file out of its site, readable only by the agent, and restores it unchanged', async () => {
    const before = statSync(file);
    expect(await quarantine.take(task())).toMatchObject({ path: file, size: CONTENT.length, mode: 0o640, mtime: 1_700_000_000 });
    expect(readdirSync(site)).toEqual([]);
    expect([entry(), entry('file'), join(entry(), '..')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600, 0o700]);
    // The same task again, and then twice the way back.
    expect(await quarantine.take(task())).toMatchObject({ size: CONTENT.length });
    await quarantine.restore(task());
    await quarantine.restore(task());
    const after = statSync(file);
    expect([after.uid, after.gid, after.mode, after.mtimeMs]).toEqual([before.uid, before.gid, before.mode, before.mtimeMs]);
    unchanged();
  });

  it('deletes permanently, can be repeated, and deletes only quarantined files', async () => {
    await quarantine.take(task());
    await quarantine.delete(task());
    await quarantine.delete(task());
    expect([existsSync(entry()), readdirSync(site)]).toEqual([false, []]);
    await expect(quarantine.restore(task())).rejects.toThrow('没有该文件');
  });

  it('never overwrites a new file in its place, and detects a damaged copy', async () => {
    await quarantine.take(task());
    writeFileSync(file, 'new');
    await expect(quarantine.restore(task())).rejects.toThrow('未覆盖');
    expect([readFileSync(file, 'utf8'), readdirSync(site)]).toEqual(['new', ['bad.php']]);
    unlinkSync(file);
    writeFileSync(entry('file'), 'rotten');
    await expect(quarantine.restore(task())).rejects.toThrow('已损坏');
    expect(readdirSync(site)).toEqual([]);
    rmSync(site, { recursive: true });
    await expect(quarantine.restore(task())).rejects.toThrow('文件夹不存在');
  });

  it('does not share the copy with hard links or open handles of the file', async () => {
    linkSync(file, join(place, 'wwwroot', 'other.php'));
    await quarantine.take(task());
    writeFileSync(join(place, 'wwwroot', 'other.php'), 'changed');
    expect(readFileSync(entry('file'), 'utf8')).toBe(CONTENT);
  });

  it.each([
    ['outside of the sites', () => ({ path: '/etc/passwd' })],
    [
      'beside the sites by its name',
      () => (mkdirSync(join(place, 'wwwroot2')), writeFileSync(join(place, 'wwwroot2', 'x'), ''), { path: join(place, 'wwwroot2', 'x') }),
    ],
    ['upwards', () => ({ path: join(place, 'wwwroot') + '/site/../../x' })],
    ['relative', () => ({ path: 'bad.php' })],
    ['empty', () => ({ path: '' })],
    ['no text', () => ({ path: ['x'] })],
    ['with a zero byte', () => ({ path: `${file}\0` })],
    ['a folder', () => ({ path: site })],
    ['a link', () => (symlinkSync('/etc/passwd', join(site, 'link.php')), { path: join(site, 'link.php') })],
    ['behind a linked folder', () => (symlinkSync('/etc', join(site, 'etc')), { path: join(site, 'etc', 'passwd') })],
    ['behind a linked folder further up', () => (symlinkSync('/', join(site, 'all')), { path: join(site, 'all', 'etc', 'passwd') })],
    [
      'above 64 MB',
      () => {
        writeFileSync(join(place, 'wwwroot', 'large'), '');
        truncateSync(join(place, 'wwwroot', 'large'), 64 * 1024 * 1024 + 1);
        return { path: join(place, 'wwwroot', 'large') };
      },
    ],
    ['not there', () => ({ path: join(site, 'gone.php') })],
    ['of a strange id', () => ({ id: '../../../etc' })],
    ['of a folder as id', () => ({ id: '..' })],
  ])('refuses %s and changes nothing', async (_, prepare) => {
    const more = prepare();
    await expect(quarantine.take(task(more))).rejects.toThrow();
    expect(readFileSync(file, 'utf8')).toBe(CONTENT);
    expect(existsSync(join(place, 'state', 'quarantine')) ? readdirSync(join(place, 'state', 'quarantine')) : []).toEqual([]);
    expect(existsSync('/etc/passwd')).toBe(true);
  });

  it('does not restore through a folder that became a symbolic link', async () => {
    await quarantine.take(task());
    renameSync(site, join(place, 'moved'));
    symlinkSync(join(place, 'moved'), site);
    await expect(quarantine.restore(task())).rejects.toThrow();
    expect(readdirSync(join(place, 'moved'))).toEqual([]);
  });
});

describe('after a crash', () => {
  /** As a crash left it: the copy is complete, the manifest says `moving`. */
  async function copied(): Promise<void> {
    await quarantine.take(task());
    const kept = manifest();
    writeFileSync(file, CONTENT);
    const { dev, ino } = lstatSync(file);
    writeFileSync(entry('manifest.json'), JSON.stringify({ ...kept, state: 'moving', device: dev, inode: ino }));
  }
  const isHeld = () => expect([readdirSync(site), manifest().state, readFileSync(entry('file'), 'utf8')]).toEqual([[], 'held', CONTENT]);

  it('before the copy was complete: starts over and removes abandoned copies', async () => {
    mkdirSync(entry(), { recursive: true });
    writeFileSync(entry('file'), 'half');
    await quarantine.take(task());
    isHeld();
    unlinkSync(entry('manifest.json'));
    await quarantine.sweep();
    expect(existsSync(entry())).toBe(false);
  });

  it('before and after the file was set aside or removed: completes', async () => {
    await copied();
    await quarantine.take(task());
    isHeld();
    await copied();
    renameSync(file, aside());
    await quarantine.take(task());
    isHeld();
    await copied();
    unlinkSync(file);
    await quarantine.take(task());
    isHeld();
  });

  it('with a new file in its place: keeps the new file', async () => {
    await copied();
    renameSync(file, aside());
    writeFileSync(file, 'new');
    await quarantine.take(task());
    expect([readdirSync(site), readFileSync(file, 'utf8'), manifest().state]).toEqual([['bad.php'], 'new', 'held']);
  });

  it('with a file changed meanwhile: puts it back and keeps no copy', async () => {
    await copied();
    renameSync(file, aside());
    writeFileSync(aside(), 'changed');
    await expect(quarantine.take(task())).rejects.toThrow('被修改');
    expect([readdirSync(site), readFileSync(file, 'utf8'), existsSync(entry())]).toEqual([['bad.php'], 'changed', false]);
  });

  it('during a restore: completes from any step', async () => {
    await quarantine.take(task());
    writeFileSync(aside(), 'half');
    await quarantine.restore(task());
    unchanged();
    await quarantine.take(task());
    // It has its name again, and the rest is still to be done.
    writeFileSync(file, CONTENT);
    await quarantine.restore(task());
    unchanged();
  });
});

describe('the config', () => {
  const base = {
    svc_url: 'https://panel.example',
    platform_secret: 'p',
    node_id: 'n',
    node_secret: 's',
    sites_root: '/www',
    state_dir: '/var/lib/x',
  };
  const problems = (change: Record<string, unknown>): string => {
    try {
      parseConfig(JSON.stringify({ ...base, quarantine: true, ...change }), '/');
      return '';
    } catch (error) {
      return String(error);
    }
  };

  it('disables it by default and announces it only if enabled', () => {
    expect(parseConfig(JSON.stringify(base), '/').config).toMatchObject({
      quarantine: false,
      capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan'],
    });
    expect(parseConfig(JSON.stringify({ ...base, capabilities: ['task', 'quarantine'] }), '/').config.capabilities).toEqual(['task']);
    expect(parseConfig(JSON.stringify({ ...base, quarantine: true }), '/').config.capabilities).toContain('quarantine');
  });

  it('reports missing requirements', () => {
    expect(problems({})).toBe('');
    expect(problems({ sites_root: '' })).toContain('needs "sites_root"');
    expect(problems({ state_dir: '/www/state' })).toContain('outside');
    expect(problems({ capabilities: ['heartbeat'] })).toContain('needs "task"');
    expect(problems({ quarantine: 'yes' })).toContain('true or false');
  });
});
