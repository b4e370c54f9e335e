import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Clock } from '../../../common/index.js';
import { AppConfig } from '../../../config/index.js';
import type { DriverAccount, FileListing } from '../../driver/index.js';
import { SiteFolders } from '../index.js';

import { EmbeddedFiles, SiteAreas } from './index.js';

let dataDir: string;
let files: EmbeddedFiles;
const { signal } = new AbortController();
const account: DriverAccount = {
  node: { code: 'local', address: '', port: 0, secure: false, panelKey: '', settings: {} },
  username: 'alice01',
  siteName: 'svc.0001',
  siteId: '1',
  ownerMark: 'host:1',
};

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-files-'));
  const folders = new SiteFolders(new AppConfig({ DATA_DIR: dataDir }), new Clock());
  const record = {
    ownerMark: 'host:1',
    siteId: '1',
    node: 'local',
    username: 'alice01',
    suspended: false,
    stopped: false,
    expiresOn: null,
  };
  await folders.build('svc.0001', record, 'welcome');
  files = new EmbeddedFiles(new SiteAreas(folders, new Clock()));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const inside = (path: string): string => join(dataDir, 'sites', 'svc.0001', 'public', path);
const wanted = (more: Partial<FileListing> = {}): FileListing => ({
  folder: '/',
  sort: 'name',
  descending: false,
  offset: 0,
  limit: 100,
  ...more,
});
async function names(more: Partial<FileListing> = {}): Promise<string[] | string> {
  const result = await files.list(account, wanted(more), signal);
  return 'value' in result ? result.value.entries.map(({ name }) => name) : ((result as { message?: string }).message ?? result.outcome);
}

describe('file list', () => {
  it('has folders first, in the requested order, page by page', async () => {
    for (const folder of ['b', 'A']) mkdirSync(inside(folder));
    for (const [name, bytes] of [
      ['z.txt', 1],
      ['Y.txt', 30],
    ] as const)
      writeFileSync(inside(name), 'x'.repeat(bytes));
    expect(await names()).toEqual(['A', 'b', 'index.html', 'Y.txt', 'z.txt']);
    expect(await names({ descending: true })).toEqual(['b', 'A', 'z.txt', 'Y.txt', 'index.html']);
    expect(await names({ sort: 'size', descending: true })).toEqual(['b', 'A', 'Y.txt', 'index.html', 'z.txt']);
    expect(await names({ offset: 1, limit: 2 })).toEqual(['b', 'index.html']);
    expect(await files.list(account, wanted({ limit: 1 }), signal)).toMatchObject({ value: { total: 5, cut: false } });
  });

  it('finds names in subfolders', async () => {
    mkdirSync(inside('a/b'), { recursive: true });
    writeFileSync(inside('a/b/Report.txt'), '');
    writeFileSync(inside('report.html'), '');
    symlinkSync('..', inside('a/report-link'));
    expect(await names({ text: 'REPORT' })).toEqual(['a/b/Report.txt', 'a/report-link', 'report.html']);
    expect(await names({ text: 'nothing' })).toEqual([]);
  });

  it('shows links and special files as such, and never the server’s own file', async () => {
    symlinkSync('/etc', inside('link'));
    writeFileSync(inside('.USER.ini'), '');
    const result = await files.list(account, wanted(), signal);
    expect(result).toMatchObject({
      value: {
        entries: [
          { name: 'index.html', type: 'file' },
          { name: 'link', type: 'other' },
        ],
      },
    });
    expect(await names({ folder: '/link' })).toBe('NOT_FOLDER');
    expect(await names({ folder: '/index.html' })).toBe('NOT_FOLDER');
    expect(await names({ folder: '/missing' })).toBe('MISSING');
  });

  it.each(['/..', '/../svc.0002', '..', '/a/../..', '/.', '/\0', `/${'a/'.repeat(70)}`, '/\ud800'])(
    'rejects the folder %j',
    async (folder) => {
      expect(await names({ folder })).toBe('PATH');
    },
  );

  it('uses encoded characters literally', async () => {
    for (const folder of ['/%2e%2e', '/..%2f', '/..\\..', '/%c0%ae%c0%ae', '/．．', '//etc'])
      expect(await names({ folder })).toBe('MISSING');
  });

  it('is rejected for a site of another account', async () => {
    const other = await files.list({ ...account, ownerMark: 'host:2' }, wanted(), signal);
    expect(other.outcome).toBe('refused');
    expect((await files.list({ ...account, siteName: 'svc.0009' }, wanted(), signal)).outcome).toBe('not_found');
  });
});
