import { afterAll, beforeAll, expect, it } from 'vitest';

import { BackgroundQueue, TaskRegistry, taskTitle, type TaskTurn } from '../src/jobs/index.js';
import { Database } from '../src/database/index.js';
import { OperationLog } from '../src/operations/index.js';

import { gate } from './support/event-process.js';
import { TestPanel } from './support/panel.js';

let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

interface TaskLine {
  id: string;
  mc: string;
  zt: string;
  jd: string;
  cs: string;
  cw: string;
  xc: string;
  czuser: string;
}

async function line(id: string, fields: Record<string, string> = {}): Promise<TaskLine> {
  const { rows } = (await panel.admin('rwlist', fields)) as unknown as { rows: TaskLine[] };
  return rows.find((row) => row.id === id)!;
}

it('shows a task from waiting to done, with a progress bar while it runs', async () => {
  const queue = panel.get(BackgroundQueue);
  const id = await queue.add('test.shown', { n: 1 }, { by: 'admin' });
  expect(await line(id)).toMatchObject({ mc: 'test.shown', zt: 'unhandled', cs: '0', czuser: 'admin', jd: '' });
  const block = gate();
  const undo = panel.get(TaskRegistry).add({
    name: 'test.shown',
    run: async (_payload, turn: TaskTurn) => {
      turn.progress(3, 12, 'host 3');
      await block.opened;
    },
  });
  await expect.poll(() => line(id)).toMatchObject({ zt: 'running', jd: '{"done":3,"total":12,"note":"host 3"}' });
  const page = await (await panel.adminFetch('/admin/background?zt=running')).text();
  expect(page).toMatch(/<progress[^>]*\smax="12"\s+value="3"/);
  expect(page).toContain('hx-trigger="every 2s"');
  block.open();
  await expect.poll(() => line(id)).toMatchObject({ zt: 'done', cs: '1', cw: '', xc: '' });
  expect(await (await panel.adminFetch('/admin/background')).text()).toContain('hx-trigger="every 10s"');
  undo();
});

it('cancels and retries tasks, explains refusals, and logs both actions', async () => {
  const registry = panel.get(TaskRegistry);
  let broken = true;
  const undo = registry.add({
    name: 'test.broken',
    attempts: 1,
    run: () => {
      if (broken) throw new Error('the disk is full');
    },
  });
  const id = await panel.get(BackgroundQueue).add('test.broken', null);
  await expect.poll(() => line(id, { zt: 'failed' })).toMatchObject({ zt: 'failed', cw: 'the disk is full' });
  expect(await panel.admin('rwqx', { id })).toMatchObject({ success: false, err: 'E_CONFLICT' });
  broken = false;
  expect(await panel.admin('rwcs', { id })).toMatchObject({ success: true });
  await expect.poll(() => line(id)).toMatchObject({ zt: 'done' });
  expect(await panel.admin('rwcs', { id })).toMatchObject({ success: false, err: 'E_CONFLICT' });
  undo();
  const waiting = await panel.get(BackgroundQueue).add('test.broken', null);
  expect(await panel.admin('rwqx', { id: waiting })).toMatchObject({ success: true });
  expect(await line(waiting)).toMatchObject({ zt: 'cancelled' });
  for (const gn of ['rwqx', 'rwcs']) expect(await panel.admin(gn, { id: '987654' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  const log = await panel.get(Database).repository(OperationLog).find();
  expect(log.map(({ category }) => category)).toEqual(expect.arrayContaining(['rwqx', 'rwcs']));
});

it('names every task of the panel itself in both languages', () => {
  for (const { name } of panel.get(TaskRegistry).list()) {
    expect(taskTitle(name, 'en'), name).toMatch(/^[A-Z][ -~“”]+$/);
    expect(taskTitle(name, 'zh-CN'), name).toMatch(/[\u4e00-\u9fff]/);
  }
});

it('rejects unknown tasks, and everyone except administrators', async () => {
  expect(await panel.admin('rwlist', { zt: 'sleeping' })).toMatchObject({ success: false, fields: { zt: expect.any(String) } });
  for (const gn of ['rwlist', 'rwqx', 'rwcs']) {
    const response = await fetch(`${panel.url}/admin/ajax.php`, { method: 'POST', body: new URLSearchParams({ gn, id: '1' }) });
    expect(await response.text()).toContain('请登陆后台');
  }
});
