import { chmodSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { TestPanel } from '../../test/support/panel.js';
import { LOCALES, translate } from '../common/index.js';
import { Database } from '../database/index.js';
import { JobRun } from '../jobs/index.js';

import en from './lang/en.json' with { type: 'json' };

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

type Line = Record<'id' | 'mc' | 'zt' | 'nr' | 'jy' | 'url', string>;
const look = async (): Promise<Record<string, Line>> =>
  Object.fromEntries(((await panel.admin('jkjc')).rows as unknown as Line[]).map((line) => [line.id, line]));

it('says how everything stands, and what to do where something wants a look', async () => {
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

it('has a page with what took most time', async () => {
  const response = await panel.adminFetch('/admin/health', { headers: { 'Accept-Language': 'en' } });
  expect(response.status).toBe(200);
  const page = await response.text();
  for (const words of ['Last backup', 'none was made yet', 'Operations that took most time', 'admin jkjc']) expect(page).toContain(words);
});

it('has words of its own in every language', () => {
  for (const locale of LOCALES) for (const key of Object.keys(en)) expect(translate(locale, `health.${key}`)).not.toBe(`health.${key}`);
});
