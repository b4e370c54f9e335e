import { chmodSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { TestPanel } from '../../test/support/panel.js';
import { tidyHtml } from '../../test/support/tidy-html.js';
import { LOCALES, translate } from '../common/index.js';
import { Database } from '../database/index.js';
import { JobRun } from '../jobs/index.js';
import { MonitorTask } from '../monitor/entities/index.js';

import en from './lang/en.json' with { type: 'json' };

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

type Line = Record<'id' | 'mc' | 'zt' | 'nr' | 'jy' | 'url', string>;
const look = async (): Promise<Record<string, Line>> =>
  Object.fromEntries(((await panel.admin('jkjc')).rows as unknown as Line[]).map((line) => [line.id, line]));

it('reports the state of every check, with advice for problems', async () => {
  const before = await look();
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining([
      'versions',
      'database',
      'data folder',
      'disk',
      'secret.key',
      'clock',
      'backup',
      'plugins',
      'events',
      'background',
      'jobs',
    ]),
  );
  expect(before.backup).toMatchObject({ zt: 'warn', url: '/admin/backups', jy: expect.stringContaining('svc backup') as string });
  for (const id of ['database', 'secret.key', 'events', 'background', 'jobs'])
    expect([id, before[id]]).toEqual([id, expect.objectContaining({ zt: 'ok', jy: '' })]);

  chmodSync(join(panel.dataDir, 'secret.key'), 0o644);
  const [at, later] = [new Date(), new Date(Date.now() + 1_000)];
  const run = {
    job: 'core:sessions',
    dueAt: later,
    running: null,
    holder: 'x',
    leaseUntil: at,
    startedAt: at,
    endedAt: at,
    items: null,
    error: 'it broke',
  };
  await panel.get(Database).repository(JobRun).insert(run);
  const after = await look();
  expect(after['secret.key']).toMatchObject({
    zt: 'warn',
    nr: expect.stringContaining('644') as string,
    jy: expect.stringContaining('chmod 600') as string,
  });
  expect(after.jobs).toMatchObject({ zt: 'warn', nr: expect.stringContaining('core:sessions') as string, url: '/admin/jobs' });
});

it('has a page with the slowest operations', async () => {
  const response = await panel.adminFetch('/admin/health', { headers: { 'Accept-Language': 'en' } });
  expect(response.status).toBe(200);
  const page = await response.text();
  for (const words of ['Last backup', 'no backup yet', 'Slowest operations', 'admin jkjc']) expect(page).toContain(words);
  expect(tidyHtml(page)).toMatch(/>View panel health<div[^>]*><code[^>]*>admin jkjc</);
});

it('shows database queries slower than the configured limit and their page', async () => {
  const settings = await (await panel.adminFetch('/admin/settings?tab=site')).text();
  expect(settings).toMatch(/name="mcx"[^>]*value="200"/);
  for (const mcx of ['-1', '60001', '1.5', 'x']) expect((await panel.admin('setwz', { mcx })).fields).toHaveProperty('mcx');
  expect(await panel.admin('setwz', { mcx: '0' })).toMatchObject({ success: true });
  const english = async (): Promise<string> => (await panel.adminFetch('/admin/health', { headers: { 'Accept-Language': 'en' } })).text();
  expect(await english()).toContain('Not recorded');
  expect(await panel.admin('setwz', { mcx: '1' })).toMatchObject({ success: true });
  const database = panel.get(Database);
  expect(database.slow.threshold).toBe(1);
  // Everything takes longer than nothing.
  database.slow.useThreshold({ current: () => Number.MIN_VALUE });
  await english();
  const page = await english();
  expect(page).toContain('core GET /admin/health');
  expect(page).toMatch(/<code[^>]*>SELECT /);
  const backup = database.slow.list().find(({ text }) => /SVC_backup WHERE state = \?/.test(text));
  expect(backup?.callers).toContain('core GET /admin/health');
});

it('reports certificates checked by monitors of the installation and no others', async () => {
  expect(await look()).not.toHaveProperty('certificates');
  const at = new Date();
  const monitors = panel.get(Database).repository(MonitorTask);
  const monitor = { type: 'cert' as const, user: '', name: 'shop', url: 'shop.test:443', createdAt: at, updatedAt: at };
  await monitors.insert([
    { ...monitor, lastStatus: 'ok', lastCode: 40 },
    { ...monitor, user: 'customer', accountId: 1, lastStatus: 'fail', lastCode: 1 },
    { ...monitor, enabled: false, lastStatus: 'fail', lastCode: 2 },
  ]);
  expect((await look()).certificates).toMatchObject({ zt: 'ok', nr: expect.stringContaining('40') as string, jy: '' });
  await monitors.insert({ ...monitor, name: 'mail', lastStatus: 'fail', lastCode: 3 });
  expect((await look()).certificates).toMatchObject({ zt: 'warn', nr: expect.stringContaining('mail') as string, url: '/admin/monitors' });
});

it('has texts in every language', () => {
  for (const locale of LOCALES) for (const key of Object.keys(en)) expect(translate(locale, `health.${key}`)).not.toBe(`health.${key}`);
});
