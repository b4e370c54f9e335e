import { afterAll, beforeAll, expect, it } from 'vitest';

import { JobRegistry, jobKey } from '../src/jobs/index.js';
import { OperationLog } from '../src/operations/index.js';
import { Database } from '../src/database/index.js';

import { gate } from './support/event-process.js';
import { TestPanel } from './support/panel.js';

let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

interface JobLine {
  id: string;
  mc: string;
  zt: string;
  sl: string;
  cw: string;
  xc: string;
}

async function jobLine(id: string): Promise<JobLine> {
  const { rows } = (await panel.admin('jhlist', { limit: '200' })) as unknown as { rows: JobLine[] };
  return rows.find((row) => row.id === id)!;
}

it('every job has a name in both languages, a schedule and a next run', async () => {
  for (const language of ['en', 'zh-CN']) {
    const response = await panel.adminFetch('/admin/ajax.php', {
      method: 'POST',
      body: new URLSearchParams({ gn: 'jhlist', limit: '200' }),
      headers: { 'Accept-Language': language },
    });
    const { rows, total } = (await response.json()) as { rows: JobLine[]; total: number };
    expect(total).toBe(panel.get(JobRegistry).list().length);
    for (const row of rows) {
      expect(row.mc, row.id).toMatch(language === 'en' ? /^[ -~“”]+$/ : /[\u4e00-\u9fff]/);
      expect(row.mc, row.id).not.toContain('monitor.');
      expect(row.xc).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:00$/);
    }
  }
});

it('runs one immediately, never twice at a time, and reports the result', async () => {
  const block = gate();
  const undo = panel.get(JobRegistry).add({ owner: 'desk', name: 'slow', everyMinutes: 1440, run: () => block.opened.then(() => 3) });
  expect(await jobLine('desk:slow')).toMatchObject({ mc: 'desk：slow', zt: 'never', sl: '' });
  expect(await panel.admin('jhrun', { id: 'desk:slow' })).toMatchObject({ success: true });
  expect(await jobLine('desk:slow')).toMatchObject({ zt: 'running' });
  expect(await panel.admin('jhrun', { id: 'desk:slow' })).toMatchObject({ success: false, err: 'E_CONFLICT' });
  block.open();
  await expect.poll(() => jobLine('desk:slow')).toMatchObject({ zt: 'ok', sl: '3', cw: '' });
  undo();
  expect(await panel.admin('jhrun', { id: 'desk:slow' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  const log = await panel.get(Database).repository(OperationLog).findBy({ category: 'jhrun' });
  expect(log.map(({ summary }) => summary)).toContain('手动执行任务 desk:slow');
});

it('reports why one failed', async () => {
  const undo = panel.get(JobRegistry).add({
    owner: 'desk',
    name: 'broken',
    everyMinutes: 1440,
    run: () => Promise.reject(new Error('the disk is full')),
  });
  await panel.admin('jhrun', { id: 'desk:broken' });
  await expect.poll(() => jobLine('desk:broken')).toMatchObject({ zt: 'failed', cw: 'the disk is full' });
  undo();
});

it.each(['', 'x'.repeat(81), '../etc'])('rejects %j as a job', async (id) => {
  expect(await panel.admin('jhrun', { id })).toMatchObject({ success: false });
});

it('is for administrators only', async () => {
  for (const gn of ['jhlist', 'jhrun']) {
    const response = await fetch(`${panel.url}/admin/ajax.php`, {
      method: 'POST',
      body: new URLSearchParams({ gn, id: jobKey(panel.get(JobRegistry).list()[0]!) }),
    });
    expect(await response.text()).toContain('请登陆后台');
  }
});
