import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Clock } from '../../../common/index.js';
import { AppConfig } from '../../../config/index.js';
import type { DriverTurn, KeptArchive, MadeBackup } from '../../driver/index.js';
import { SiteAreas } from '../files/index.js';
import { resultOf, TestSite } from '../files/testing/test-site.js';
import { SiteFolders } from '../site-folders.js';

import { EmbeddedBackups } from './embedded-backups.js';

const NAME = 'svc.0001-20260101-000000-0123456789abcdef.tar.gz';
let site: TestSite;
let backups: EmbeddedBackups;
let folders: SiteFolders;

beforeEach(async () => {
  site = await TestSite.make();
  const config = new AppConfig({ DATA_DIR: site.dataDir });
  folders = new SiteFolders(config, new Clock());
  backups = new EmbeddedBackups(new SiteAreas(folders, new Clock()), config);
});
afterEach(() => {
  expect(readFileSync(join(site.dataDir, 'sites/svc.0002/public/index.html'), 'utf8')).toBe('welcome');
  expect(existsSync(join(site.folder, 'restoring'))).toBe(false);
  expect(site.space.used).toBe(site.bytes);
  site.dispose();
});

const archives = (): string[] => (existsSync(join(site.dataDir, 'site-backups')) ? readdirSync(join(site.dataDir, 'site-backups')) : []);
async function make(turn: DriverTurn = site.turn(), url?: string): Promise<KeptArchive & MadeBackup> {
  const made = await resultOf(backups.make(site.account, { name: NAME, url }, turn));
  if (typeof made === 'string') throw new Error(made);
  return { name: NAME, ...made };
}
const restore = (from: KeptArchive, turn = site.turn()) => resultOf(backups.restore(site.account, from, site.space, turn));
const change = (): void => {
  site.put('index.html', 'broken');
  site.space.used -= 7;
  site.put('added.txt', 'added');
};

describe('backup on the disk', () => {
  it('contains all public files and restores them with their timestamps', async () => {
    site.put('a/deep/文件.txt', 'deep');
    site.put('a/empty.txt', '');
    mkdirSync(site.at('nothing'));
    utimesSync(site.at('a/deep/文件.txt'), 1_600_000_000, 1_600_000_000);
    const before = site.tree;
    const made = await make();
    expect(made).toMatchObject({ files: 6, left: 0, changed: 0, content: 11 });
    expect(made.sha256).toBe(
      createHash('sha256')
        .update(readFileSync(join(site.dataDir, 'site-backups', NAME)))
        .digest('hex'),
    );
    expect([archives(), statSync(join(site.dataDir, 'site-backups', NAME)).mode & 0o777]).toEqual([[NAME], 0o600]);
    change();
    rmSync(site.at('a'), { recursive: true });
    site.space.used -= 4;
    expect(await restore(made)).toBeUndefined();
    expect([site.tree, site.text('index.html'), site.text('a/deep/文件.txt')]).toEqual([before, 'welcome', 'deep']);
    expect(statSync(site.at('a/deep/文件.txt')).mtimeMs).toBe(1_600_000_000_000);
  });

  it('skips links, pipes and hard links, counts them, and keeps the server’s own file', async () => {
    symlinkSync('/etc/passwd', site.at('link'));
    execFileSync('mkfifo', [site.at('pipe')]);
    linkSync(join(site.dataDir, 'sites/svc.0002/public/index.html'), site.at('hard.html'));
    writeFileSync(site.at('c:odd.txt'), 'x');
    writeFileSync(site.at('.user.ini'), 'old');
    site.space.used = site.bytes;
    const made = await make();
    expect(made).toMatchObject({ files: 1, left: 4 });
    writeFileSync(site.at('.user.ini'), 'of today');
    site.space.used = site.bytes;
    expect(await restore(made)).toBeUndefined();
    expect(site.tree).toEqual(['.user.ini', 'index.html']);
    expect(site.text('.user.ini')).toBe('of today');
    site.space.used = site.bytes;
  });

  it('reports files that change or shrink while they are read, and stores all others completely', async () => {
    const content = randomBytes(20_000_000);
    for (const name of ['grows', 'shrinks', 'stays']) site.put(`${name}.bin`, content);
    let shorter = false;
    const changes = setInterval(() => {
      appendFileSync(site.at('grows.bin'), 'more');
      truncateSync(site.at('shrinks.bin'), (shorter = !shorter) ? content.length - 1_000_000 : content.length);
    }, 1);
    const made = await make().finally(() => clearInterval(changes));
    expect([...made.changedPaths].sort()).toEqual(['/grows.bin', '/shrinks.bin']);
    expect(made.changed).toBe(2);
    site.space.used = site.bytes;
    expect(await restore(made)).toBeUndefined();
    expect(readFileSync(site.at('stays.bin')).equals(content)).toBe(true);
    site.space.used = site.bytes;
  });

  it('is rejected before any change if it is missing, truncated, altered, or from a manipulated archive', async () => {
    const made = await make();
    const path = join(site.dataDir, 'site-backups', NAME);
    const whole = readFileSync(path);
    change();
    const before = site.tree;
    const evil = pack();
    evil.entry({ name: '../../evil.txt' }, 'x');
    evil.finalize();
    const crafted = gzipSync(await buffer(evil as never));
    for (const bytes of [whole.subarray(0, -1), Buffer.concat([whole.subarray(0, -1), Buffer.from([7])]), crafted]) {
      writeFileSync(path, bytes);
      expect(await restore(made)).toBe('BACKUP_DAMAGED');
    }
    // Even one whose row was forged leads nowhere.
    const sha256 = createHash('sha256').update(crafted).digest('hex');
    expect(await restore({ ...made, size: crafted.length, sha256 })).toMatch(/UNSAFE|DAMAGED/);
    rmSync(path);
    expect(await restore(made)).toBe('BACKUP_GONE');
    expect([site.tree, site.text('index.html')]).toEqual([before, 'broken']);
    expect(existsSync(join(site.dataDir, 'evil.txt'))).toBe(false);
  });

  it.each(['../svc.0002', '/etc/passwd', 'a/b', '..', '.hidden', 'A', 'x'.repeat(200), 'a\0b', ''])('rejects the name %j', async (name) => {
    await expect(backups.make(site.account, { name }, site.turn())).rejects.toThrow('not the name of an archive');
    await expect(backups.remove(site.account, name)).rejects.toThrow('not the name of an archive');
  });

  it('can only be used for its own site', async () => {
    const made = await make();
    const other = { ...site.account, ownerMark: 'host:2' };
    expect(await resultOf(backups.make(other, { name: NAME }, site.turn()))).toContain('belongs to another');
    expect(await resultOf(backups.restore(other, made, site.space, site.turn()))).toContain('belongs to another');
  });

  it('is rejected before any change if it exceeds the web space, and releases exactly what it reserved', async () => {
    site.put('big.bin', Buffer.alloc(5_000));
    const made = await make();
    rmSync(site.at('big.bin'));
    site.space.used -= 5_000;
    site.space.limit = site.space.used + 4_999;
    expect(await restore(made)).toBe('NO_SPACE');
    expect(site.tree).toEqual(['index.html']);
    site.space.limit += 1;
    expect(await restore(made)).toBeUndefined();
    expect(site.tree).toEqual(['big.bin', 'index.html']);
  });

  it('leaves the site unchanged and no partial files when aborted', async () => {
    site.put('big.bin', Buffer.alloc(3_000_000, 'x'));
    const made = await make();
    change();
    for (const run of [
      (turn: DriverTurn) => backups.make(site.account, { name: `other-${NAME}` }, turn),
      (turn: DriverTurn) => backups.restore(site.account, made, site.space, turn),
    ]) {
      const abort = new AbortController();
      const turn = { ...site.turn(abort.signal), progress: () => abort.abort(new Error('stopped')) };
      await expect(run(turn)).rejects.toThrow('stopped');
    }
    expect([archives(), site.text('index.html')]).toEqual([[NAME], 'broken']);
  });

  it('is removed once, complete or not, even if the site is gone', async () => {
    await make();
    writeFileSync(join(site.dataDir, 'site-backups', `${NAME}.part`), 'half');
    rmSync(site.folder, { recursive: true });
    expect(await resultOf(backups.remove(site.account, NAME))).toBeUndefined();
    expect(await resultOf(backups.remove(site.account, NAME))).toBeUndefined();
    expect([archives(), await resultOf(backups.open(site.account, NAME, AbortSignal.timeout(10_000), 0))]).toEqual([[], 'BACKUP_GONE']);
    mkdirSync(site.folder);
    site.space.used = 0;
  });

  it('reports the free space when checked', async () => {
    expect(await resultOf(backups.check(site.account.node))).toMatchObject({ free: expect.any(Number) });
    expect(archives()).toEqual([]);
  });
});

describe('switch to a backup', () => {
  it('is completed by the next reader if it was interrupted between its two steps', async () => {
    for (const look of [() => folders.webRoot('svc.0001'), () => site.files.find(site.account, '/index.html')]) {
      mkdirSync(join(site.folder, 'restoring/next'), { recursive: true });
      writeFileSync(join(site.folder, 'restoring/next/index.html'), 'of the backup');
      renameSync(site.at(''), join(site.folder, 'restoring/old'));
      expect(await look()).toBeTruthy();
      expect(site.text('index.html')).toBe('of the backup');
      rmSync(join(site.folder, 'restoring'), { recursive: true });
    }
    site.space.used = site.bytes;
  });

  it('leaves the site unchanged if it did not start, and the next restore removes the unpacked files', async () => {
    const made = await make();
    mkdirSync(join(site.folder, 'restoring/next'), { recursive: true });
    writeFileSync(join(site.folder, 'restoring/next/index.html'), 'of another backup');
    expect(await folders.webRoot('svc.0001')).toBeTruthy();
    expect(site.text('index.html')).toBe('welcome');
    expect(await restore(made)).toBeUndefined();
    expect(site.tree).toEqual(['index.html']);
  });

  it('keeps concurrent changes of the owner complete, in the old or the new files', async () => {
    const made = await make();
    let going = true;
    const writes = (async () => {
      for (let n = 0; going; n += 1) {
        await resultOf(
          site.files.write(site.account, { path: `/w${n % 5}.txt`, bytes: Buffer.from('written whole'), isNew: false }, site.space),
        );
        await resultOf(
          site.files.write(site.account, { path: `/w${n % 5}.txt`, bytes: Buffer.from('written whole'), isNew: true }, site.space),
        );
      }
    })();
    for (let n = 0; n < 20; n += 1) expect(await restore(made)).toBeUndefined();
    going = false;
    await writes;
    for (const path of site.tree) expect(site.text(path)).toBe(path === 'index.html' ? 'welcome' : 'written whole');
    site.space.used = site.bytes;
  });
});

describe('backup in a storage', () => {
  const kept = new Map<string, Buffer>();
  let mode: 'fine' | 403 | 500 | 'hangs' | 'breaks' | 'garbage' = 'fine';
  let server: Server;
  let url: string;

  beforeEach(async () => {
    mode = 'fine';
    kept.clear();
    server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      if (mode === 403) return void res.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      if (mode === 500) return void res.writeHead(500).end('no XML at all');
      if (mode === 'hangs') return;
      req.on('data', (chunk: Buffer) => (mode === 'breaks' ? req.destroy() : chunks.push(chunk)));
      req.on('end', () => {
        if (req.method === 'PUT') {
          kept.set(req.url!, Buffer.concat(chunks));
          return res.end();
        }
        const body = kept.get(req.url!);
        if (!body) return res.writeHead(404).end();
        if (mode === 'garbage') return res.end(Buffer.alloc(body.length, 'g'));
        res.writeHead(200, { 'content-length': body.length });
        if (mode === 'breaks') return res.write(body.subarray(0, 20), () => res.destroy());
        return res.end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/a.tar.gz?X-Amz-Signature=s`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is uploaded and downloaded without leaving files on this machine', async () => {
    const made = await make(site.turn(), url);
    expect([archives(), [...kept.values()][0]!.length]).toEqual([[], made.size]);
    change();
    expect(await restore({ ...made, url })).toBeUndefined();
    expect(site.tree).toEqual(['index.html']);
    expect(site.text('index.html')).toBe('welcome');
  });

  it.each([
    [403, 'STORAGE_REFUSED'],
    [500, 'STORAGE_REFUSED'],
    ['breaks', 'STORAGE_SILENT'],
  ] as const)('fails without any change if the storage answers %s', async (how, code) => {
    site.put('big.bin', Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7919) % 251)));
    const made = await make(site.turn(), url);
    change();
    mode = how;
    expect(await resultOf(backups.make(site.account, { name: NAME, url }, site.turn()))).toBe(code);
    expect(await restore({ ...made, url })).toBe(code);
    expect([archives(), site.text('index.html')]).toEqual([[], 'broken']);
  });

  it('is rejected if altered, and can be aborted if it is missing or the storage hangs', async () => {
    const made = await make(site.turn(), url);
    change();
    mode = 'garbage';
    expect(await restore({ ...made, url })).toBe('BACKUP_DAMAGED');
    expect(await restore({ ...made, url: url.replace('a.tar', 'b.tar') })).toBe('BACKUP_GONE');
    mode = 'hangs';
    const abort = new AbortController();
    const run = restore({ ...made, url }, site.turn(abort.signal));
    setTimeout(() => abort.abort(new Error('stopped')), 200);
    await expect(run).rejects.toThrow('stopped');
    expect(site.text('index.html')).toBe('broken');
  });
});

/** A disk of 12 MB; only who may mount one has it. */
function smallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'svc-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

describe('full disk', () => {
  it('is detected before the start, or leaves the site unchanged and no partial archive', async (context) => {
    const disk = smallDisk();
    if (disk === null) return context.skip();
    try {
      site.dispose();
      site = await TestSite.make(disk);
      backups = new EmbeddedBackups(
        new SiteAreas(new SiteFolders(new AppConfig({ DATA_DIR: disk }), new Clock()), new Clock()),
        new AppConfig({ DATA_DIR: disk }),
      );
      const content = randomBytes(3_000_000);
      site.put('a.bin', content);
      const made = await make();
      const filler = join(disk, 'filler');
      const other = { name: `other-${NAME}` };
      // Somebody else fills the disk while one is made, or put back.
      const fill = { ...site.turn(), progress: () => writeAll(filler) };
      expect(await resultOf(backups.make(site.account, other, fill))).toBe('DISK_FULL');
      expect(await resultOf(backups.make(site.account, other, site.turn()))).toBe('DISK_FULL');
      expect(await restore(made)).toBe('DISK_FULL');
      rmSync(filler);
      expect([archives(), readFileSync(site.at('a.bin')).equals(content)]).toEqual([[NAME], true]);
      expect(await restore(made)).toBeUndefined();
      site.space.used = site.bytes;
    } finally {
      const folder = site.dataDir;
      site = await TestSite.make();
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Takes all that is left of a disk. */
function writeAll(path: string): void {
  for (let size = 1_048_576; size > 512; size /= 2) {
    for (;;) {
      try {
        appendFileSync(path, Buffer.alloc(size, 1));
      } catch {
        break;
      }
    }
  }
}
