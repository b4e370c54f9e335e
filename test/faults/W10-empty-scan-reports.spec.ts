import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { JobRegistry } from '../../src/jobs/index.js';
import { ForbiddenScan } from '../../src/agents/entities/index.js';
import { TestAgent } from '../support/agent.js';
import { TestPanel } from '../support/panel.js';
import { runJob } from '../support/run-job.js';

const EMPTY = { status: 'success', result: { site: '', summary: { scanned_files: 120, scan_mode: 'incremental' }, matches: [] } };
const DAY_MS = 86_400_000;

let panel: TestPanel;
let agent: TestAgent;
let id: string;
beforeAll(async () => {
  panel = await TestPanel.start();
  const { data } = await panel.admin('addnode', { bt_id: '1' });
  const config = data.config as Record<string, string>;
  id = String(data.id);
  agent = new TestAgent(panel.url, config.node_id!, { nodeSecret: config.node_secret!, platformSecret: config.platform_secret! }, () =>
    Date.now(),
  );
});
afterAll(() => panel.close());

const rows = () => panel.get(Database).repository(ForbiddenScan);
const lastScan = async () =>
  ((await panel.admin('listnode')).rows as unknown as Record<string, string>[]).find((row) => row.id === id)?.last_scan;

describe('W10 scans an agent starts on its own', () => {
  it('leave no row if they find nothing, except the time of the last scan', async () => {
    expect(await lastScan()).toBe('');
    for (let cycle = 0; cycle < 20; cycle += 1) {
      const kind = ['full', 'incremental', 'auto'][cycle % 3];
      expect(await agent.call('report_result', { task_id: `scan_${kind}_${cycle}`, ...EMPTY })).toMatchObject({
        msg: '结果已接收',
        accepted: true,
        stored_matches: 0,
      });
    }
    expect(await rows().count()).toBe(0);
    expect(await lastScan()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  it('have a row if they find something or fail', async () => {
    await agent.call('report_result', {
      task_id: 'scan_incremental_100',
      status: 'success',
      result: { matches: [{ path: '/a', keyword: 'k' }] },
    });
    await agent.call('report_result', { task_id: 'scan_incremental_101', status: 'failed', error: 'no such folder' });
    expect((await rows().find({ order: { id: 'ASC' } })).map(({ status, matchCount }) => [status, matchCount])).toEqual([
      ['success', 1],
      ['failed', 0],
    ]);
  });

  it('have a row when someone requested them, whatever they find', async () => {
    const { data } = await panel.admin('nodeforbiddenscan', { id, root: '/www', keywords: 'bad' });
    await agent.call('pull_task');
    expect(await agent.call('report_result', { task_id: data.task_id, ...EMPTY })).toMatchObject({ accepted: true });
    expect(await rows().countBy({ taskId: String(data.task_id) })).toBe(1);
  });

  it('existing empty rows are deleted after a week, and no others', async () => {
    const before = await rows().count();
    const { nodeId } = agent;
    const old = new Date(Date.now() - 8 * DAY_MS);
    for (const [taskId, createdAt, matchCount, status] of [
      ...Array.from({ length: 5 }, (_, i) => [`scan_incremental_old${i}`, old, 0, 'success'] as const),
      ['scan_incremental_young', new Date(Date.now() - 6 * DAY_MS), 0, 'success'],
      ['scan_incremental_found', old, 3, 'success'],
      ['scan_incremental_failed', old, 0, 'failed'],
      ['task_asked', old, 0, 'success'],
    ] as const)
      await rows().insert({ nodeId, taskId, createdAt, matchCount, status, summary: {} });
    await runJob(panel.get(JobRegistry), 'node-retention');
    expect(await rows().countBy({ taskId: 'scan_incremental_old0' })).toBe(0);
    expect(await rows().count()).toBe(before + 4);
  });
});
