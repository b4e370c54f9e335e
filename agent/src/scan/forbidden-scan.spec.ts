import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  opendirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { parseConfig } from '../config/parse-config.js';
import { Log } from '../log.js';
import { TaskRefused } from './ends.js';
import { ForbiddenScan } from './forbidden-scan.js';
import { readPanelSettings } from './panel-settings.js';
import { readScanRequest } from './scan-request.js';

interface Result {
  site: string;
  summary: Record<string, unknown> & {
    scanned_files: number;
    total_files: number;
    matches: number;
    error_count: number;
    note: string;
    unchanged_files: number;
  };
  matches: { site: string; type: string; path: string; line: number; keyword: string; excerpt: string }[];
}

describe('forbidden_scan', () => {
  let place: string;
  let root: string;
  let lines: string[];
  beforeEach(() => {
    place = realpathSync(mkdtempSync(join(tmpdir(), 'svc-scan-')));
    root = join(place, 'wwwroot');
    mkdirSync(root);
    mkdirSync(join(place, 'index'));
    lines = [];
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  const config = (further: Record<string, unknown> = {}) =>
    parseConfig(JSON.stringify({ svc_url: 'http://127.0.0.1', platform_secret: 'p', node_id: 'n', node_secret: 's', ...further }), place)
      .config;

  function put(path: string, content: string | Buffer): string {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** Scans as a task would; `keep: false` is a crash before the index is written. */
  async function scan(
    payload: Record<string, unknown> = {},
    { keep = true, stop, reportLimits }: { keep?: boolean; stop?: AbortSignal; reportLimits?: { matches: number; bytes: number } } = {},
  ): Promise<Result> {
    const request = await readScanRequest({ root, keywords: ['赌博', 'casino'], ...payload }, config({ sites_root: place }), null);
    const run = new ForbiddenScan(request, {
      indexFolder: join(place, 'index'),
      log: new Log('DEBUG', [], (line) => void lines.push(line)),
      stop,
      reportLimits,
    });
    const result = (await run.run()) as unknown as Result;
    if (keep) await run.keepIndex();
    return result;
  }

  const pathsOf = (result: Result): string[] => result.matches.map(({ path }) => path.slice(root.length + 1)).sort();
  const changed = { scan_mode: 'incremental', scan_changed_only: true };

  it('reports words with site, file, line and excerpt, and counts', async () => {
    put('svc.1/index.php', '<?php\n// ok\necho "Online CASINO";\n');
    put('svc.1/clean.html', '<p>nothing</p>');
    put('top.txt', '赌博\n');
    const result = await scan();
    expect(result.matches).toEqual(
      expect.arrayContaining([
        { site: 'svc.1', type: 'file', path: join(root, 'svc.1/index.php'), line: 3, keyword: 'casino', excerpt: 'echo "Online CASINO";' },
        { site: '', type: 'file', path: join(root, 'top.txt'), line: 1, keyword: '赌博', excerpt: '赌博' },
      ]),
    );
    expect(result.summary).toMatchObject({
      scanned_files: 3,
      total_files: 3,
      scanned_rows: 0,
      matches: 2,
      error_count: 0,
      scan_mode: 'full',
      note: '',
    });
    expect(result.summary.finished_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    for (const name of ['duration_sec', 'thread_count', 'speed_files_per_sec']) expect(result.summary[name]).toEqual(expect.any(Number));
    expect((await scan({ site: 'mine' })).matches.map(({ site }) => site)).toEqual(['mine', 'mine']);
  });

  it('searches only text suffixes, ignores case, and skips the given folders and suffixes', async () => {
    for (const path of [
      'a.php',
      'b.HTML',
      'c.yml',
      'd.jpg',
      'e',
      'f.php.bak',
      'node_modules/g.js',
      'deep/VENDOR/h.php',
      'deep/cache/i.php',
      'keep/j.json',
      '.git/k.txt',
      'l.md',
    ])
      put(path, 'casino');
    expect(pathsOf(await scan())).toEqual(['a.php', 'b.HTML', 'c.yml', 'keep/j.json', 'l.md']);
    const told = { skip_dirs: 'keep, deep/cache', skip_exts: '.md,YML' };
    expect(pathsOf(await scan(told))).toEqual(['.git/k.txt', 'a.php', 'b.HTML', 'deep/VENDOR/h.php', 'node_modules/g.js']);
    expect(pathsOf(await scan({ skip_dirs: [], skip_exts: [] }))).toHaveLength(9);
  });

  it('reads GBK content and GBK file names', async () => {
    const folder = Buffer.concat([Buffer.from(`${root}/`), Buffer.from('b2cac6b1', 'hex')]);
    mkdirSync(folder);
    writeFileSync(
      Buffer.concat([folder, Buffer.from('/'), Buffer.from('b6c4b2a9', 'hex'), Buffer.from('.htm')]),
      Buffer.from('b6c4b2a9', 'hex'),
    );
    const result = await scan();
    expect(result.matches).toMatchObject([{ site: '彩票', path: join(root, '彩票/赌博.htm'), keyword: '赌博', excerpt: '赌博' }]);
    expect((await scan(changed)).summary).toMatchObject({ scanned_files: 0, unchanged_files: 1 });
  });

  it('searches large files in parts, including words across part borders, and skips files above the limit', async () => {
    const border = 512 * 1024;
    for (let shift = 1; shift < 6; shift++) put(`border${shift}.txt`, `${'x'.repeat(border - shift)}赌博${'y\n'.repeat(300_000)}casino`);
    const result = await scan();
    expect(result.matches.filter(({ keyword }) => keyword === '赌博')).toHaveLength(5);
    expect(new Set(result.matches.map(({ keyword, line }) => `${keyword} ${line}`))).toEqual(new Set(['赌博 1', 'casino 300001']));
    truncateSync(put('huge.txt', 'casino'), 60 * 1024 * 1024);
    const again = await scan({ max_file_size: 1_000_000_000 });
    expect(again.summary).toMatchObject({ total_files: 6, scanned_files: 5, skipped_large_files: 1 });
    expect((await scan({ max_file_size: 1_000 })).summary).toMatchObject({ scanned_files: 0, skipped_large_files: 6 });
  });

  it('follows no symbolic links to files or folders, including cycles', async () => {
    mkdirSync(join(place, 'outside'));
    writeFileSync(join(place, 'outside', 'secret.php'), 'casino');
    put('site/a.php', 'casino');
    symlinkSync(join(place, 'outside'), join(root, 'out'));
    symlinkSync(join(place, 'outside', 'secret.php'), join(root, 'secret.php'));
    symlinkSync(root, join(root, 'site', 'loop'));
    symlinkSync('.', join(root, 'site', 'self'));
    symlinkSync('missing', join(root, 'dangling.php'));
    expect(pathsOf(await scan())).toEqual(['site/a.php']);
  });

  it('counts unreadable files and continues', async () => {
    chmodSync(put('closed.php', 'casino'), 0);
    put('closed/a.php', 'casino');
    chmodSync(join(root, 'closed'), 0);
    put('open.php', 'casino');
    for (const folder of [place, root]) chmodSync(folder, 0o755);
    chmodSync(join(place, 'index'), 0o777);
    // Who runs the tests as the superuser reads everything: be somebody else for a moment.
    const superuser = process.geteuid?.() === 0;
    if (superuser) process.seteuid!(65_534);
    try {
      const result = await scan();
      expect(pathsOf(result)).toEqual(['open.php']);
      expect(result.summary.error_count).toBe(2);
      expect(lines.filter((line) => line.includes('EACCES'))).toHaveLength(2);
    } finally {
      if (superuser) process.seteuid!(0);
      chmodSync(join(root, 'closed'), 0o755);
    }
  });

  it('does not report a file whose folder became a symbolic link during the read', async () => {
    const outside = join(place, 'outside');
    mkdirSync(outside);
    const secret = join(outside, 'a.php');
    writeFileSync(secret, 'casino');
    put('site/a.php', 'nothing');
    const request = await readScanRequest({ root, keywords: ['casino'] }, config(), null);
    const stop = {
      // Looked at after the folder was read and before its files are: the moment an attacker waits for.
      get aborted() {
        renameSync(join(root, 'site'), join(root, 'moved'));
        symlinkSync(outside, join(root, 'site'));
        return false;
      },
    } as AbortSignal;
    const run = new ForbiddenScan(request, {
      indexFolder: join(place, 'index'),
      log: new Log('DEBUG', [], (line) => void lines.push(line)),
      stop,
    });
    const result = (await run.run()) as unknown as Result;
    expect(result.matches).toEqual([]);
    expect(result.summary.error_count).toBe(1);
    expect(lines.join('')).toContain('moved while it was read');
  });

  describe('incremental scans', () => {
    it('read only changed, new and moved files and forget removed ones', async () => {
      put('a.php', 'casino');
      put('b.php', 'casino');
      put('gone.php', 'casino');
      expect((await scan(changed)).summary).toMatchObject({ scanned_files: 3, unchanged_files: 0, scan_mode: 'incremental' });
      expect((await scan(changed)).summary).toMatchObject({ scanned_files: 0, unchanged_files: 3, matches: 0 });
      put('b.php', 'casino!');
      put('new.php', 'casino');
      unlinkSync(join(root, 'gone.php'));
      const result = await scan(changed);
      expect(pathsOf(result)).toEqual(['b.php', 'new.php']);
      expect(result.summary).toMatchObject({ total_files: 3, unchanged_files: 1 });
      // A file that comes back as it was is a new one.
      put('gone.php', 'casino');
      expect(pathsOf(await scan(changed))).toEqual(['gone.php']);
    });

    it('detect an unchanged touched file by its hash and a changed file with reset times', async () => {
      const file = put('a.php', 'fine ok');
      const time = new Date(1_700_000_000_000);
      utimesSync(file, time, time);
      await scan(changed);
      utimesSync(file, new Date(), new Date(2_000_000_000_000));
      expect((await scan(changed)).summary).toMatchObject({ scanned_files: 0, unchanged_files: 1 });
      writeFileSync(file, 'casino!');
      utimesSync(file, time, new Date(2_000_000_000_000));
      await scan(changed);
      writeFileSync(file, 'CASINO!');
      utimesSync(file, time, new Date(2_000_000_000_000));
      expect(pathsOf(await scan(changed))).toEqual(['a.php']);
    });

    it('read everything in a full scan and after the keywords changed', async () => {
      put('a.php', 'casino roulette');
      await scan(changed);
      expect((await scan({ scan_mode: 'full', scan_changed_only: true })).summary.scanned_files).toBe(1);
      const result = await scan({ ...changed, keywords: ['roulette'] });
      expect(pathsOf(result)).toEqual(['a.php']);
      expect(result.summary.note).toContain('关键词');
      expect((await scan({ ...changed, keywords: ['roulette'] })).summary.scanned_files).toBe(0);
    });

    it('treat a touched file of one megabyte or more as changed, without a hash', async () => {
      const file = put('large.txt', 'x'.repeat(1024 * 1024));
      await scan(changed);
      utimesSync(file, new Date(), new Date(2_000_000_000_000));
      expect((await scan(changed)).summary.scanned_files).toBe(1);
    });

    it('continue after the match limit without losing known files', async () => {
      for (let i = 0; i < 40; i++) put(`${i}.php`, 'casino\n'.repeat(5));
      const reported = new Set<string>();
      for (let round = 0; round < 3; round++) {
        const result = await scan({ ...changed, max_matches: 100 });
        for (const path of pathsOf(result)) reported.add(path);
        if (round < 2) expect(result.summary.note).toContain('100');
      }
      expect(reported.size).toBe(40);
      expect((await scan(changed)).summary).toMatchObject({ scanned_files: 0, unchanged_files: 40 });
      // The walk meets a changed file first and stops there: the others stay known.
      for (let i = 40; i < 200; i++) put(`${i}.php`, 'x');
      await scan(changed);
      const folder = opendirSync(root);
      put(folder.readSync()!.name, 'casino once more');
      folder.closeSync();
      expect((await scan({ ...changed, max_matches: 1 })).summary).toMatchObject({ scanned_files: 1, matches: 1 });
      expect((await scan(changed)).summary).toMatchObject({ scanned_files: 0, unchanged_files: 200 });
    });

    it('read everything again after a crash before the index was written and after index damage', async () => {
      put('a.php', 'casino');
      put('b.php', 'casino');
      await scan(changed, { keep: false });
      expect((await scan(changed)).summary.matches).toBe(2);
      const index = join(place, 'index', readdirSync(join(place, 'index'))[0]!);
      // In the middle of a line, at the end of one, and something else altogether.
      const lines = readFileSync(index, 'utf8').split('\n');
      for (const content of [lines.join('\n').slice(0, -20), lines.slice(0, -2).join('\n'), 'xxx\n', '']) {
        writeFileSync(index, content);
        expect((await scan(changed)).summary.matches).toBe(2);
      }
    });
  });

  describe('limits', () => {
    it('stop at max_matches, which is at most 5,000', async () => {
      put('a.txt', 'casino\n'.repeat(9_000));
      expect((await scan({ max_matches: 10 })).matches).toHaveLength(10);
      const result = await scan({ max_matches: 1_000_000 });
      expect(result.matches).toHaveLength(5_000);
      expect(result.summary.note).toContain('5000');
    });

    it('cut the report to the size of one request and say so', async () => {
      put('a.txt', `${'赌博'.repeat(60)}\n`.repeat(500));
      const result = await scan({}, { reportLimits: { matches: 5_000, bytes: 100_000 } });
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(100_000);
      expect(result.matches.length).toBeGreaterThan(100);
      expect(result.summary).toMatchObject({ matches: 500, reported_matches: result.matches.length });
      expect(result.summary.note).toContain('只上报');
    });

    it('have defaults and maximums', async () => {
      const limitsOf = (payload: object) => readScanRequest({ root, keywords: ['x'], ...payload }, config(), null);
      expect(await limitsOf({})).toMatchObject({ maxFileSize: 5 * 1024 * 1024, maxMatches: 1_000, mode: 'full' });
      expect(await limitsOf({ max_file_size: 1e12, max_matches: '9999999' })).toMatchObject({
        maxFileSize: 50 * 1024 * 1024,
        maxMatches: 5_000,
      });
      expect(await limitsOf({ max_file_size: -1, max_matches: 'all' })).toMatchObject({ maxFileSize: 5 * 1024 * 1024, maxMatches: 1_000 });
      const words = Array.from({ length: 20_001 }, (_, i) => `w${i}`);
      expect(await limitsOf({ keywords: words })).toMatchObject({ keywords: words.slice(0, 20_000), dropped: 1 });
      const long = Array.from({ length: 1_601 }, (_, i) => String(i).padStart(250, 'x'));
      expect(await limitsOf({ keywords: long })).toMatchObject({ keywords: long.slice(0, 1_600), dropped: 1 });
    });

    it('drop unsearchable keywords and say so', async () => {
      put('a.txt', 'casino');
      const result = await scan({ keywords: [' casino ', '', 'CASINO', 'x'.repeat(251), 'a\nb'] });
      expect(result.summary.matches).toBe(1);
      expect(result.summary.note).toContain('2 个违禁词');
    });

    it('allow searching 10,000 files for 1,000 keywords while the process stays responsive', async () => {
      for (let i = 0; i < 10_000; i++)
        put(`s${i % 100}/${i}.php`, `<?php echo "page ${i}"; // ${i % 1_000 === 7 ? '词777尾' : 'nothing to see'}\n`.repeat(3));
      const keywords = Array.from({ length: 1_000 }, (_, i) => `词${i}尾`);
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      const result = await scan({ keywords });
      clearInterval(timer);
      expect(result.summary).toMatchObject({ total_files: 10_000, scanned_files: 10_000, matches: 30, error_count: 0 });
      expect(turns).toBeGreaterThan(10);
    }, 120_000);

    it('end a scan when the agent stops', async () => {
      put('a.php', 'casino');
      const stop = AbortSignal.abort();
      await expect(scan({}, { stop })).rejects.toThrow('stopped');
    });
  });

  describe('the folder of a scan task', () => {
    const refusalOf = async (value: unknown, sitesRoot: string | null = null): Promise<string> => {
      const error: unknown = await readScanRequest(
        { root: value, keywords: ['x'] },
        config(sitesRoot === null ? {} : { sites_root: sitesRoot }),
        null,
      ).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (!(error instanceof TaskRefused)) throw new Error(`Not refused: ${String(error)}`);
      return error.message;
    };

    it.each([
      ['nothing', '', '请填写扫描目录'],
      ['no text', { length: 3 }, '请填写扫描目录'],
      ['the disk', '/', '不能扫描整个磁盘'],
      ['the disk by a detour', '/./', '不能扫描整个磁盘'],
      ['a way up', '/tmp/../etc', '不能包含 ..'],
      ['a way up with backslashes', '/tmp\\..\\etc', '不能包含 ..'],
      ['a relative one', 'www', '绝对路径'],
      ['a NUL', '/tmp\0/x', '无效'],
      ['one that is not there', '/no/such/folder', '不存在'],
      ['a file', '/etc/passwd', '不是文件夹'],
      ['a system folder', '/proc/self', '不能扫描系统目录'],
    ])('is rejected: %s', async (_name, value, text) => {
      expect(await refusalOf(value)).toContain(text);
    });

    it('is inside sites_root after resolving symbolic links', async () => {
      symlinkSync('/etc', join(root, 'etc'));
      mkdirSync(join(place, 'wwwroot-other'));
      for (const value of [join(root, 'etc'), place, join(place, 'wwwroot-other'), '/etc'])
        expect(await refusalOf(value, root)).toContain('sites_root');
      mkdirSync(join(root, '..data'));
      symlinkSync(root, join(place, 'alias'));
      for (const value of [root, join(root, '..data'), join(place, 'alias')]) {
        expect(
          (await readScanRequest({ root: value, keywords: ['x'] }, config({ sites_root: join(place, 'alias') }), null)).root,
        ).toContain(root);
      }
    });

    it('requires keywords', async () => {
      for (const keywords of [[], [' '], undefined, '# only a comment']) {
        await expect(readScanRequest({ root, keywords }, config(), null)).rejects.toThrow('没有可用的违禁词');
      }
    });
  });

  it('accepts panel settings as strings or as values', () => {
    const settings = readPanelSettings({
      enabled: 'true',
      content: '赌博\r\n# comment\ncasino',
      scan_changed_only: '1',
      scan_dir: '/www',
      skip_dirs: '.git, cache',
      skip_exts: ['.jpg'],
      full_scan_enabled: true,
      full_scan_cron: '0 3 * * *',
    });
    expect(settings).toMatchObject({
      enabled: true,
      changedOnly: true,
      root: '/www',
      skippedDirs: ['.git', 'cache'],
      skippedSuffixes: ['.jpg'],
      fullEnabled: true,
    });
    expect(settings.keywords.map((word) => word.trim())).toEqual(['赌博', 'casino']);
    expect(readPanelSettings(null)).toMatchObject({ enabled: false, fullEnabled: false, keywords: [''] });
  });
});
