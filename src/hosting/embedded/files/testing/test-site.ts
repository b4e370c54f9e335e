import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Clock } from '../../../../common/index.js';
import { AppConfig } from '../../../../config/index.js';
import type { DriverTurn, DriverAccount, DriverResult, SpaceMeter } from '../../../driver/index.js';
import { SiteFolders } from '../../site-folders.js';

import { EmbeddedFiles } from '../embedded-files.js';
import { SiteAreas } from '../site-areas.js';

/** In-memory space meter. */
export class CountedSpace implements SpaceMeter {
  used = 0;
  limit = Number.POSITIVE_INFINITY;
  take(bytes: number): Promise<boolean> {
    const fits = this.used + bytes <= this.limit;
    if (fits) this.used += bytes;
    return Promise.resolve(fits);
  }
  giveBack(bytes: number): Promise<void> {
    this.used -= bytes;
    return Promise.resolve();
  }
  fits(bytes: number): Promise<boolean> {
    return Promise.resolve(this.used + bytes <= this.limit);
  }
}

/** A site of the built-in server in a folder of its own, with one page, `index.html`. */
export class TestSite {
  readonly space = new CountedSpace();
  readonly account: DriverAccount = {
    node: { code: 'local', address: '', port: 0, secure: false, panelKey: '', settings: {} },
    username: 'alice01',
    siteName: 'svc.0001',
    siteId: '1',
    ownerMark: 'host:1',
  };

  private constructor(
    readonly dataDir: string,
    readonly files: EmbeddedFiles,
  ) {}

  static async make(dataDir = mkdtempSync(join(tmpdir(), 'svc-files-'))): Promise<TestSite> {
    const clock = new Clock();
    const folders = new SiteFolders(new AppConfig({ DATA_DIR: dataDir }), clock);
    for (const [siteName, mark] of [
      ['svc.0001', 'host:1'],
      ['svc.0002', 'host:2'],
    ] as const) {
      const record = { ownerMark: mark, siteId: '1', node: 'local', username: 'u', suspended: false, stopped: false, expiresOn: null };
      await folders.build(siteName, record, 'welcome');
    }
    const site = new TestSite(dataDir, new EmbeddedFiles(new SiteAreas(folders, clock)));
    site.space.used = site.bytes;
    return site;
  }

  get folder(): string {
    return join(this.dataDir, 'sites', 'svc.0001');
  }

  /** Path on disk of a path of the site. */
  at(path: string): string {
    return join(this.folder, 'public', path);
  }

  put(path: string, content: string | Buffer = path): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
    this.space.used += Buffer.byteLength(content);
  }

  text(path: string): string {
    return readFileSync(this.at(path), 'utf8');
  }

  /** All paths of the site, sorted; folders end in `/`. */
  get tree(): string[] {
    return readdirSync(this.at(''), { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name).slice(this.at('').length + 1) + (entry.isDirectory() ? '/' : ''))
      .sort();
  }

  /** Names of incomplete files. */
  get unfinished(): string[] {
    try {
      return readdirSync(join(this.folder, 'work'));
    } catch {
      return [];
    }
  }

  /** Bytes of the site, its trash and incomplete files; notes of the trash do not count. */
  get bytes(): number {
    const entries = readdirSync(this.folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !['site.json', 'note.json'].includes(entry.name))
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  }

  turn(signal = new AbortController().signal): DriverTurn {
    return { id: 'work-1', signal, progress: () => undefined };
  }

  dispose(): void {
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** Returns the value of a call, or the reason it was refused. */
export async function resultOf<Value>(call: Promise<DriverResult<Value>>): Promise<Value | string> {
  const result = await call;
  if ('value' in result) return result.value;
  return 'message' in result ? result.message : result.outcome;
}
