import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { Database } from '../../src/database/index.js';
import { Task } from '../../src/jobs/index.js';
import { PackageExchange } from '../../src/plugin-store/package-exchange.js';
import { PACKAGE_ATTEMPTS } from '../../src/plugin-store/package-work.js';
import { TestPanel, type AjaxAnswer } from '../support/panel.js';
import { zipOf } from '../support/store-packages.js';

const PIECE = 8 * 1024 * 1024;

let panel: TestPanel;
beforeAll(async () => (panel = await TestPanel.start()));
afterAll(() => panel?.close());

/** Returns a plugin with incompressible assets. */
function plugin(slug: string, assets: number, version = '1.0.0'): Promise<Buffer> {
  const files = Array.from({ length: assets }, (_one, at) => [`assets/${at}.png`, randomBytes(9 * 1024 * 1024)] as const);
  return zipOf(slug, {
    'plugin.json': JSON.stringify({ id: slug, name: slug, version }),
    'index.js': `module.exports = (svc) => svc.svc_register_route('GET', '/${slug}', () => '${version}');\n`,
    ...Object.fromEntries(files),
  });
}

async function send(gn: string, file: Buffer, fields: Record<string, string> = {}): Promise<AjaxAnswer> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ gn, ...fields })) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file)]), 'package.zip');
  return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body: form })).json()) as AjaxAnswer;
}

/**
 * Uploads a ZIP in chunks, as the page does.
 *
 * @returns the last answer
 */
async function inPieces(gn: string, zip: Buffer): Promise<AjaxAnswer> {
  let answer!: AjaxAnswer;
  for (let at = 0; at < zip.length; at += PIECE) {
    answer = await send(gn, zip.subarray(at, at + PIECE), { fesw: String(at), zsize: String(zip.length) });
    expect(answer.success, answer.code).toBe(true);
  }
  return answer;
}

async function done(task: string, { data }: AjaxAnswer): Promise<string> {
  let state: AjaxAnswer | undefined;
  const ask = async () => (state = await panel.admin(task, { task_id: String(data.task_id) })).data.zt;
  await expect.poll(ask, { timeout: 60_000, interval: 50 }).toMatch(/^(success|failed)$/);
  return String(state!.data.cw);
}

const left = (): string[] => {
  const folder = join(panel.dataDir, 'plugins/.incoming');
  return existsSync(folder) ? readdirSync(folder) : [];
};

it('accepts a package of 45 MB in pieces, with bounded memory, and logs it once', { timeout: 120_000 }, async () => {
  const zip = await plugin('large', 5);
  expect(zip.length).toBeGreaterThan(44 * 1024 * 1024);
  expect(await done('plugin_store_task', await inPieces('plugin_upload', zip))).toBe('');
  expect(await (await panel.fetch('/large')).text()).toBe('1.0.0');
  expect(left().filter((name) => name.endsWith('.part'))).toEqual([]);
  const { rows } = await panel.admin('listlog', { limit: '20' });
  expect(rows.filter((row) => JSON.stringify(row).includes('large 1.0.0'))).toHaveLength(1);
});

it('resumes where it stopped, restarts on request, and rejects pieces that do not fit', { timeout: 60_000 }, async () => {
  const zip = await plugin('mended', 2);
  const size = String(zip.length);
  const half = zip.subarray(0, PIECE);
  expect(await send('plugin_upload', half, { fesw: '0', zsize: size })).toMatchObject({ success: true, data: { received: PIECE } });
  for (const [piece, fesw] of [
    [half, String(PIECE - 1)],
    [half, String(PIECE + 1)],
    [zip.subarray(0, 15 * 1024 * 1024), String(PIECE)],
  ] as const)
    expect(await send('plugin_upload', piece, { fesw, zsize: size })).toMatchObject({ success: false });
  expect((await send('plugin_upload', half, { fesw: '5', zsize: size })).code).toContain(String(PIECE));
  expect(await send('plugin_upload', half, { fesw: '0', zsize: String(51 * 1024 * 1024) })).toMatchObject({ success: false });
  expect(await send('plugin_upload', half, { fesw: '-1', zsize: size })).toMatchObject({ success: false });
  expect(await done('plugin_store_task', await inPieces('plugin_upload', zip))).toBe('');
});

it('keeps nothing of a complete upload that is refused', { timeout: 60_000 }, async () => {
  const zip = randomBytes(PIECE + 10);
  const size = String(zip.length);
  await send('plugin_upload', zip.subarray(0, PIECE), { fesw: '0', zsize: size });
  expect(await send('plugin_upload', zip.subarray(PIECE), { fesw: String(PIECE), zsize: size })).toMatchObject({ success: false });
  expect(left()).toEqual([]);
});

it('accepts themes in the same way', { timeout: 60_000 }, async () => {
  const theme = { name: 'wide', title: 'Wide', version: '1.0.0', scope: ['user'] };
  const zip = await zipOf('wide', {
    'theme.json': JSON.stringify(theme),
    'user/foot.liquid': '<footer>wide</footer>',
    'assets/a.png': randomBytes(9 * 1024 * 1024),
    'assets/b.png': randomBytes(9 * 1024 * 1024),
  });
  expect(await done('theme_task', await inPieces('theme_upload', zip))).toBe('');
  expect(JSON.stringify(await panel.admin('theme_list'))).toContain('Wide');
});

describe('an upload that could not be installed', () => {
  afterEach(() => vi.restoreAllMocks());
  const tasks = () => panel.get(Database).repository(Task);
  const row = (id: string) => tasks().findOneByOrFail({ id: Number(id) });
  const zips = (): number => left().filter((name) => name.endsWith('.zip')).length;
  const upload = async (slug: string): Promise<string> => String((await send('plugin_upload', await plugin(slug, 0))).data.task_id);

  it('is kept for the next attempt, until the last one', { timeout: 60_000 }, async () => {
    const put = vi.spyOn(panel.get(PackageExchange), 'put').mockRejectedValue(new Error('the database is away'));
    const id = await upload('unlucky');
    for (let attempt = 1; attempt <= PACKAGE_ATTEMPTS; attempt += 1) {
      const isLast = attempt === PACKAGE_ATTEMPTS;
      const end = [isLast ? 'failed' : 'waiting', attempt];
      const reached = async () => [(await row(id)).state, (await row(id)).attempts];
      await expect.poll(reached, { timeout: 10_000, interval: 20 }).toEqual(end);
      expect([attempt, zips()]).toEqual([attempt, isLast ? 0 : 1]);
      if (!isLast) await tasks().update({ id: Number(id) }, { dueAt: new Date() });
    }
    expect(put).toHaveBeenCalledTimes(PACKAGE_ATTEMPTS);
    // A manual retry fails immediately and says what to do.
    put.mockRestore();
    expect(await panel.admin('rwcs', { id })).toMatchObject({ success: true });
    expect(await done('plugin_store_task', { data: { task_id: id } } as unknown as AjaxAnswer)).toContain('重新上传');
    expect(await row(id)).toMatchObject({ state: 'failed', attempts: 1 });
  });

  it('is deleted when the upload is cancelled', { timeout: 60_000 }, async () => {
    let fail!: (error: Error) => void;
    const put = vi.spyOn(panel.get(PackageExchange), 'put').mockReturnValue(new Promise((_resolve, reject) => (fail = reject)));
    const id = await upload('unwanted');
    await expect.poll(() => put.mock.calls.length, { timeout: 10_000 }).toBe(1);
    expect(await panel.admin('rwqx', { id })).toMatchObject({ success: true });
    expect(zips()).toBe(1);
    await expect.poll(async () => (await row(id)).cancelAsked).toBe(true);
    fail(new Error('stopped'));
    await expect.poll(async () => (await row(id)).state, { timeout: 20_000 }).toBe('cancelled');
    expect(zips()).toBe(0);
  });
});
