import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { jobRan } from '../../../test/support/job-witness.js';
import { TestPanel } from '../../../test/support/panel.js';
import { sayWords } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue } from '../../jobs/index.js';
import { OperationLog } from '../../operations/index.js';
import { DriverRegistry, HostingAccount } from '../index.js';

import { FILE_TASK, FileMaintenance } from './index.js';

let panel: TestPanel;
let owner: string;
let stranger: string;
let host: HostingAccount;
beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel,worker' });
  owner = await panel.signInUser();
  stranger = await panel.signInUser('stranger1');
  host = await account();
});
afterAll(() => panel.close());

type Answer = Record<string, unknown> & { data: Record<string, unknown>; rows: { id: string; name: string; path: string; type: string }[] };
const account = (username = 'owner01') => panel.get(Database).repository(HostingAccount).findOneByOrFail({ username });
const send = (gn: string, fields: Record<string, string>, cookie = owner) =>
  panel.fetch('/user/ajax.php', {
    method: 'POST',
    body: new URLSearchParams({ gn, ...fields }),
    headers: { Cookie: cookie, 'Accept-Language': 'en' },
  });
const run = async (gn: string, fields: Record<string, string> = {}, cookie = owner) =>
  (await (await send(gn, fields, cookie)).json()) as Answer;
const at = (path: string): string => join(panel.dataDir, 'sites', host.siteName, 'public', path);

async function piece(fields: Record<string, string>, bytes: string): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ gn: 'fileupload', ...fields })) body.append(name, value);
  body.append('file', new Blob([bytes]), 'blob');
  return (await (await panel.fetch('/user/ajax.php', { method: 'POST', body, headers: { Cookie: owner } })).json()) as Answer;
}

describe('files of a host', () => {
  it('are created, edited, renamed and deleted by their owner', async () => {
    expect(await run('xjwjj', { ml: '/', wjname: 'docs' })).toMatchObject({ success: true });
    expect(await run('xjwj', { ml: '/docs', wjname: 'a.txt' })).toMatchObject({ success: true, data: { path: '/docs/a.txt' } });
    expect(await run('xjwj', { ml: '/docs', wjname: 'a.txt' })).toMatchObject({ success: false, err: 'E_EXISTS' });
    expect(await run('xjwj', { ml: '/docs', wjname: '../b.txt' })).toMatchObject({ success: false, err: 'E_ARGS' });
    const saved = await run('setwj', { wj: '/docs/a.txt', nr: 'first' });
    expect(saved).toMatchObject({ success: true, row_version: expect.any(String) });
    expect(await (await send('hqwj', { wj: '/docs/a.txt' })).text()).toBe('first');
    expect(await run('hqwj', { wj: '/docs/missing.txt' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await run('setname', { lj: '/docs', wjjm: 'a.txt', wjmc: 'b.txt' })).toMatchObject({ success: true });
    expect(await run('hqdx', { dw: '/docs' })).toMatchObject({ code: '5 B', size: 5 });
    expect(await run('ftpsc', { lx: 'file', path: '/docs', name: 'b.txt' })).toMatchObject({ success: true });
    expect(await run('ftpsc', { lx: 'file', path: '/docs', name: 'b.txt' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await run('ftpscxz', { path: '/', 'idsz[]': 'docs' })).toMatchObject({ success: true });
    expect(await run('ftpscxz', { path: '/' })).toMatchObject({ success: false, err: 'E_ARGS' });
  });

  it('are addressed from the web root, with or without the leading slash', async () => {
    expect(await run('xjwjj', { ml: '', wjname: 'loose' })).toMatchObject({ success: true });
    expect(await run('xjwj', { ml: 'loose', wjname: 'a.txt' })).toMatchObject({ success: true, data: { path: '/loose/a.txt' } });
    expect(await run('setwj', { wj: 'loose/a.txt', nr: 'first' })).toMatchObject({ success: true });
    expect((await run('listfile', { path: '' })).rows).toContainEqual(expect.objectContaining({ id: '/loose' }));
    expect((await run('listfile', { path: 'loose' })).rows).toMatchObject([{ id: '/loose/a.txt' }]);
    expect(await run('ftpsc', { lx: 'folder', path: '', name: 'loose' })).toMatchObject({ success: true });
  });

  it('show a second editor the conflict, and let them overwrite deliberately', async () => {
    await run('xjwj', { ml: '/', wjname: 'shared.txt' });
    const first = await run('setwj', { wj: '/shared.txt', nr: 'one' });
    await run('setwj', { wj: '/shared.txt', nr: 'two', row_version: String(first.row_version) });
    const late = await run('setwj', { wj: '/shared.txt', nr: 'three', row_version: String(first.row_version) });
    expect(late).toMatchObject({ success: false, err: 'E_CONFLICT', row_version: expect.any(String) });
    expect(readFileSync(at('shared.txt'), 'utf8')).toBe('two');
    expect(await run('setwj', { wj: '/shared.txt', nr: 'three', row_version: String(late.row_version) })).toMatchObject({ success: true });
    const { rows } = await run('listfile');
    const { mtime } = rows.find(({ name }) => name === 'shared.txt') as unknown as { mtime: number };
    expect(await run('setwj', { wj: '/shared.txt', nr: 'four', mtime: String(mtime) })).toMatchObject({ success: true });
    expect(await run('setwj', { wj: '/shared.txt', nr: 'five', mtime: String(mtime - 5) })).toMatchObject({ err: 'E_CONFLICT' });
  });

  it('are uploaded in pieces, count towards the usage meanwhile, and are logged once', async () => {
    const target = { htl: '/', tempfilename: 'up/load.txt', zsize: '6' };
    const before = (await account()).webUsedBytes;
    expect(await run('file_upload_size', { htl: '/', fename: 'up/load.txt', size: '6' })).toEqual({ code: 1, size: 0 });
    expect(await piece({ ...target, fesw: '0' }, 'abc')).toMatchObject({ error: 0, size: 3 });
    expect(await piece({ ...target, fesw: '0' }, 'abc')).toMatchObject({ error: 0, size: 3 });
    expect(await run('file_upload_size', { htl: '/', fename: 'up/load.txt', size: '6' })).toEqual({ code: 1, size: 3 });
    expect((await account()).webUsedBytes - before).toBe(3);
    expect(await piece({ ...target, fesw: '3' }, 'def')).toMatchObject({ error: 1, size: 1, success: true });
    expect(readFileSync(at('up/load.txt'), 'utf8')).toBe('abcdef');
    expect((await account()).webUsedBytes - before).toBe(6);
    expect(await panel.get(Database).repository(OperationLog).countBy({ category: 'fileupload' })).toBe(1);
    expect(await piece({ ...target, tempfilename: '../x', fesw: '0' }, 'abc')).toMatchObject({ error: 1, size: 4, success: false });
    expect(await piece({ ...target, tempfilename: '.user.ini', fesw: '0' }, 'abc')).toMatchObject({ error: 1, size: 4 });
  });

  it('never exceed the quota of the host, even with concurrent uploads', async () => {
    const { webUsedBytes: used } = await account();
    await panel.admin('zjmode', { id: String(host.id), webkj: '1' });
    const free = 1_048_576 - used;
    const size = Math.floor(free / 3) + 1;
    const outcomes = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => piece({ htl: '/', tempfilename: `big${n}.bin`, zsize: String(size), fesw: '0' }, 'x'.repeat(size))),
    );
    expect(outcomes.filter(({ success }) => success)).toHaveLength(2);
    expect(outcomes.filter(({ err }) => err === 'E_LIMIT')).toHaveLength(3);
    expect((await account()).webUsedBytes).toBeLessThanOrEqual(1_048_576);
    expect(await piece({ htl: '/', tempfilename: 'huge.bin', zsize: '99999999', fesw: '0' }, 'x')).toMatchObject({ err: 'E_LIMIT' });
    await panel.admin('zjmode', { id: String(host.id), webkj: '0' });
    await run('ftpscxz', { path: '/', idsz: JSON.stringify(['big1.bin', 'big2.bin', 'big3.bin', 'big4.bin', 'big5.bin']) });
    await run('filetrash_del', { all: 'true' });
    expect((await account()).webUsedBytes).toBeLessThan(1_000);
  });

  it('are copied, moved, packed and unpacked', async () => {
    writeFileSync(at('one.txt'), 'one');
    await run('xjwjj', { ml: '/', wjname: 'to' });
    expect(await run('filecp', { 'yfile[]': 'one.txt', ypath: '/', xpath: '/to', type: '1' })).toMatchObject({
      success: true,
      data: { n: 1 },
    });
    expect(await run('filecp', { 'yfile[]': 'one.txt', ypath: '/', xpath: '/', type: '2' })).toMatchObject({ success: false });
    expect(await run('filecp', { 'yfile[]': 'one.txt', ypath: '/', xpath: '/to', type: '2' })).toMatchObject({
      success: false,
      err: 'E_EXISTS',
    });
    expect(await run('fileys', { 'file[]': 'to', path: '/', dpath: 'all', type: 'zip' })).toMatchObject({ success: true });
    expect(await run('ftpjy', { jywj: '/all.zip', jyd: '/out' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    await run('xjwjj', { ml: '/', wjname: 'out' });
    expect(await run('ftpjy', { jywj: '/all.zip', jyd: '/out', jymm: '' })).toMatchObject({ success: true });
    expect(readFileSync(at('out/to/one.txt'), 'utf8')).toBe('one');
    expect(await run('ftpjy', { jywj: '/one.txt', jyd: '/out' })).toMatchObject({ success: false, err: 'E_ARGS' });
    writeFileSync(at('broken.zip'), 'no zip at all');
    expect(await run('ftpjy', { jywj: '/broken.zip', jyd: '/out' })).toMatchObject({
      success: false,
      code: expect.stringContaining('broken.zip'),
    });
  });

  it('cannot be packed while the server is unreachable: the owner sees the error, and the task fails', async () => {
    const { files } = panel.get(DriverRegistry).find('embedded')!;
    const pack = vi.spyOn(files!, 'pack').mockResolvedValueOnce({ outcome: 'unreachable', message: 'away' });
    const away = { key: 'hosting.node_unreachable', params: {} };
    const code = sayWords('en', away);
    expect(await run('fileys', { 'file[]': 'one.txt', path: '/', dpath: 'away.zip' })).toMatchObject({ err: 'E_UNREACH', code });
    expect(pack).toHaveBeenCalledOnce();
    pack.mockRestore();
    const [task] = (await panel.get(BackgroundQueue).list({ name: FILE_TASK }, { page: 1, limit: 1 })).tasks;
    expect(task).toMatchObject({ state: 'failed', attempts: 1, error: JSON.stringify(away) });
    expect(await run('rwsj', { task_id: task!.id })).toMatchObject({ data: { zt: 'failed', err: 'E_UNREACH', cw: code } });
  });

  it('stay in the trash until restored or expired', async () => {
    writeFileSync(at('kept.txt'), 'kept');
    await run('ftpsc', { path: '/', name: 'kept.txt' });
    const [row] = (await run('filetrash')).rows;
    expect(row).toMatchObject({ path: '/kept.txt', type: 'file' });
    expect(await run('filetrash_restore', { idsz: row!.id }, stranger)).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await run('filetrash_restore', { idsz: row!.id })).toMatchObject({ success: true, data: { paths: ['/kept.txt'] } });
    await run('ftpsc', { path: '/', name: 'kept.txt' });
    await panel.get(FileMaintenance).run({ signal: new AbortController().signal });
    await jobRan(panel.get(Database), 'site-files', new Date(Date.now() - 21 * 3_600_000));
    await panel.get(FileMaintenance).run({ signal: new AbortController().signal });
    const { clock } = panel.get<{ clock: object }>(FileMaintenance as never);
    Object.assign(panel.get<object>(FileMaintenance), { clock: { now: () => new Date(Date.now() + 366 * 86_400_000) } });
    await panel.get(FileMaintenance).run({ signal: new AbortController().signal });
    Object.assign(panel.get<object>(FileMaintenance), { clock });
    expect((await run('filetrash')).rows).toHaveLength(1);
    const trash = join(panel.dataDir, 'sites', host.siteName, 'trash');
    const [id] = readdirSync(trash);
    const old = `${Date.now() - 31 * 86_400_000}-${id!.slice(14)}`;
    const { renameSync } = await import('node:fs');
    renameSync(join(trash, id!), join(trash, old));
    await panel.get(FileMaintenance).run({ signal: new AbortController().signal });
    expect((await run('filetrash')).rows).toEqual([]);
    expect(existsSync(join(trash, old))).toBe(false);
  });

  it('are downloaded by a single-use, short-lived link of the requester', async () => {
    writeFileSync(at('报告 1.txt'), 'the report');
    const { data } = await run('wjxz', { path: '/报告 1.txt' });
    const url = String(data.url);
    const get = (cookie: string) => panel.fetch(url, { headers: { Cookie: cookie } });
    expect(await (await get(stranger)).text()).not.toContain('the report');
    expect(await (await get(panel.adminCookie)).text()).not.toContain('the report');
    const file = await get(owner);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
    expect(file.headers.get('content-disposition')).toContain(encodeURIComponent('报告 1.txt'));
    expect(await file.text()).toBe('the report');
    expect((await get(owner)).status).not.toBe(200);
    const legacy = await panel.fetch(
      `/user/wjxz.php?${new URLSearchParams({ dowtype: 'dowbtfile', filepath: '/', filename: '报告 1.txt' })}`,
      { headers: { Cookie: owner } },
    );
    expect(await legacy.json()).toMatchObject({ code: 1, url: expect.stringContaining('/user/wjxz.php?t=') });
  });

  it('are accessible to administrators for any host, which is named in the log', async () => {
    const id = String(host.id);
    expect(await panel.admin('setwj', { id, wj: '/index.html', nr: 'by the administrator' })).toMatchObject({ success: true });
    const line = await panel.get(Database).repository(OperationLog).findOneByOrFail({ category: 'setwj', actor: 'admin' });
    expect(line.summary).toContain('owner01');
    const { data } = (await panel.admin('wjxz', { id, path: '/index.html' })) as unknown as Answer;
    expect(await (await panel.adminFetch(String(data.url))).text()).toBe('by the administrator');
    expect(await panel.admin('setwj', { wj: '/index.html', nr: 'x' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await run('setwj', { id: String((await account('stranger1')).id), wj: '/index.html', nr: 'mine' })).toMatchObject({
      success: true,
    });
    expect(readFileSync(at('index.html'), 'utf8')).toBe('mine');
  });

  it('are read-only after expiry, and can be deleted while over the quota', async () => {
    const id = String(host.id);
    await panel.admin('zjxf', { id, datae: '2020-01-01' });
    expect(await run('listfile')).toMatchObject({ path: '/' });
    expect(await run('xjwj', { ml: '/', wjname: 'late.txt' })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await panel.admin('xjwj', { id, ml: '/', wjname: 'late.txt' })).toMatchObject({ success: true });
    await panel.admin('zjxf', { id, datae: '0' });
    await panel
      .get(Database)
      .repository(HostingAccount)
      .update({ id: host.id }, { state: 'paused', pauseReasons: ['quota'] });
    expect(await run('ftpsc', { path: '/', name: 'late.txt' })).toMatchObject({ success: true });
    await panel.get(Database).repository(HostingAccount).update({ id: host.id }, { state: 'active', pauseReasons: [] });
  });
});
