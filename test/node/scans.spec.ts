import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { ForbiddenMatch, ForbiddenScan, MAX_REPORT_BYTES, MAX_STORED_MATCHES, NodeTask, TaskQueue } from '../../src/agents/index.js';
import { Database } from '../../src/database/index.js';

import { TestAgent, type AgentAnswer } from '../support/agent.js';
import { TestPanel } from '../support/panel.js';

const SCRIPT = '<script>alert("planted")</script><img src=x onerror=alert(1)>';

let panel: TestPanel;
let database: Database;
let agent: TestAgent;
let nodePk: string;

beforeAll(async () => {
  panel = await TestPanel.start();
  database = panel.get(Database);
});
afterAll(() => panel.close());
beforeEach(async () => {
  const { id, node_id, config } = (await panel.admin('addnode', { bt_id: '1' })).data as {
    id: number;
    node_id: string;
    config: { node_secret: string; platform_secret: string };
  };
  nodePk = String(id);
  agent = new TestAgent(panel.url, node_id, { platformSecret: config.platform_secret, nodeSecret: config.node_secret }, () => Date.now());
});

const startFields = { root: '/www/wwwroot', keywords: 'bad,worse' };
const list = (gn: string, fields: Record<string, string> = {}) =>
  panel.admin(gn, fields) as unknown as Promise<{ total: number; rows: Record<string, unknown>[] }>;

/** A requested scan that an agent has fetched. */
async function pulledScan(): Promise<string> {
  const taskId = (await panel.admin('nodeforbiddenscan', { id: nodePk, ...startFields })).data.task_id as string;
  expect(((await agent.call('pull_task')).data.task as { task_id: string }).task_id).toBe(taskId);
  return taskId;
}
const report = (task_id: string, result: unknown): Promise<AgentAnswer> =>
  agent.call('report_result', { task_id, status: 'success', result, error: '' });
const match = (i: number) => ({ site: 'a.example', type: 'file', path: `/www/${i}.php`, line: i, keyword: 'bad', excerpt: 'so bad' });
const matchesOf = async (taskId: string): Promise<ForbiddenMatch[]> => {
  const scan = await database.repository(ForbiddenScan).findOneByOrFail({ taskId });
  return database.repository(ForbiddenMatch).find({ where: { scanId: scan.id }, order: { id: 'ASC' } });
};

describe('starting a scan', () => {
  it('accepts folder and words as people type them', async () => {
    const task = await panel.admin('nodeforbiddenscan', {
      id: nodePk,
      root: ' /www/wwwroot ',
      keywords: 'one\r\ntwo，three；four;five, one\n\n \u0000 ',
      site: 'a.example',
      max_file_size_mb: '2',
      max_matches: '7',
    });
    expect(task).toMatchObject({ success: true, code: 1, msg: '违禁词扫描任务已下发' });
    expect((await agent.call('pull_task')).data.task).toMatchObject({
      action: 'forbidden_scan',
      payload: {
        site: 'a.example',
        root: '/www/wwwroot',
        keywords: ['one', 'two', 'three', 'four', 'five'],
        max_file_size: 2_097_152,
        max_matches: 7,
        scan_changed_only: false,
        scan_mode: 'full',
      },
    });
    await report(task.data.task_id as string, {});
  });

  it('rejects what no agent could do, and never sends invalid text', async () => {
    const refused: [Record<string, string>, string][] = [
      [{ root: '' }, '请填写扫描目录'],
      [{ keywords: ' ,，\n' }, '请填写违禁词'],
      [{ id: '999' }, '节点不存在'],
      ...[
        'www',
        '../etc',
        '/../etc',
        'C:/x\\..',
        '/www/../etc',
        '/www/..',
        'C:\\..\\x',
        '/a\u0000b',
        '/a\nb',
        '$(id)',
        '; rm -rf /',
        '`id`',
      ].map((root): [Record<string, string>, string] => [{ root }, '扫描目录须为绝对路径，不能含有 .. 或控制字符']),
    ];
    for (const [fields, msg] of refused)
      expect([fields, await panel.admin('nodeforbiddenscan', { id: nodePk, ...startFields, ...fields })]).toMatchObject([
        fields,
        { success: false, code: 0, qk: 4, msg },
      ]);
    for (const fields of [
      { max_matches: '5001' },
      { max_file_size_mb: '0' },
      { root: `/${'x'.repeat(500)}` },
      { keywords: 'x'.repeat(16_001) },
      { id: 'x' },
    ] as Record<string, string>[]) {
      expect([fields, await panel.admin('nodeforbiddenscan', { id: nodePk, ...startFields, ...fields })]).toMatchObject([
        fields,
        { success: false, code: 0, err: 'E_ARGS' },
      ]);
    }
    // Shell characters are part of a folder's name here: it travels as one value of a JSON payload.
    const odd = await panel.admin('nodeforbiddenscan', { id: nodePk, root: '/www/$(id);`id`|&"\'', keywords: SCRIPT });
    const { task } = (await agent.call('pull_task')).data as { task: { payload: object } };
    expect(task.payload).toMatchObject({ root: '/www/$(id);`id`|&"\'', keywords: SCRIPT.split(';').map((word) => word.trim()) });
    await report(odd.data.task_id as string, {});
  });

  it('fits the maximum length of words into the task', async () => {
    const words = Array.from({ length: 5_300 }, (_, i) => String.fromCodePoint(0x4e00 + (i % 5_300)) + (i % 2 ? '"' : '\\'))
      .join(',')
      .slice(0, 16_000);
    const task = await panel.admin('nodeforbiddenscan', { id: nodePk, root: '/www', keywords: words });
    expect(task.success).toBe(true);
    expect(((await agent.call('pull_task')).data.task as { payload: { keywords: string[] } }).payload.keywords.length).toBeGreaterThan(
      5_000,
    );
    await report(task.data.task_id as string, {});
  });
});

describe('a report', () => {
  it('is shown as a scan with its matches', async () => {
    const taskId = await pulledScan();
    const summary = {
      scanned_files: 12,
      scanned_rows: 3,
      matches: 4,
      finished_at: '2026-11-21 02:32:18',
      scan_mode: 'full',
      duration_sec: 1.5,
      thread_count: 4,
      total_files: 20,
      error_count: 0,
      speed_files_per_sec: 8,
    };
    const matches = [
      match(4),
      { type: 'database', table: 'posts', field: 'body', id: 7, keyword: 'worse', excerpt: 'x' },
      { type: 'log', path: '/var/log/a.log', line: 9, keyword: 'bad' },
      { type: 'log', url: '/index.php?q=bad', keyword: 'bad' },
    ];
    expect((await report(taskId, { site: 'a.example', summary, matches })).data).toEqual({ accepted: true, stored_matches: 4 });
    expect((await list('listforbiddenscan', { node_pk: nodePk, limit: '1' })).rows[0]).toMatchObject({
      task_id: taskId,
      node_id: agent.nodeId,
      site: 'a.example',
      status: 'success',
      scanned_files: 12,
      scanned_rows: 3,
      matches_count: 4,
      summary,
    });
    const shown = await list('listforbiddenmatch', { task_id: taskId });
    expect(shown.total).toBe(4);
    expect(
      shown.rows.map(({ match_type, file, target, line_no, keyword }) => [match_type, file, target, line_no, keyword]).reverse(),
    ).toEqual([
      ['file', '/www/4.php', '/www/4.php', 4, 'bad'],
      ['database', 'posts.body#7', 'posts.body#7', 0, 'worse'],
      ['log', '/var/log/a.log', '/var/log/a.log', 9, 'bad'],
      ['log', '/index.php?q=bad', '/index.php?q=bad', 0, 'bad'],
    ]);
    // Again, with other content: received, and nothing changes.
    expect((await report(taskId, { matches: [] })).data).toEqual({ accepted: false });
    expect((await list('listforbiddenmatch', { task_id: taskId })).total).toBe(4);
  });

  it('drops entries that are no matches', async () => {
    const taskId = await pulledScan();
    expect((await report(taskId, { matches: [null, 5, 'text', [], match(6)] })).data).toEqual({ accepted: true, stored_matches: 1 });
    expect((await matchesOf(taskId)).map(({ file }) => file)).toEqual(['/www/6.php']);
  });

  it('replaces the earlier report of the task', async () => {
    const taskId = await pulledScan();
    await database.repository(ForbiddenScan).insert({ nodeId: agent.nodeId, taskId, status: 'failed', createdAt: new Date(), summary: {} });
    const earlier = await database.repository(ForbiddenScan).findOneByOrFail({ taskId });
    await database.repository(ForbiddenMatch).insert({ scanId: earlier.id, file: '/old', keyword: 'old' });
    await report(taskId, { matches: [match(1)] });
    expect(await database.repository(ForbiddenScan).countBy({ taskId })).toBe(1);
    expect((await matchesOf(taskId)).map(({ file }) => file)).toEqual(['/www/1.php']);
    expect(await database.repository(ForbiddenMatch).countBy({ file: '/old' })).toBe(0);
  });

  it('of 40,000 matches is accepted up to the limit of a scan, and says so', async () => {
    const taskId = await pulledScan();
    const matches = Array.from({ length: 40_000 }, (_, i) => match(i));
    expect((await report(taskId, { matches })).data).toEqual({
      accepted: true,
      stored_matches: MAX_STORED_MATCHES,
      dropped_matches: 35_000,
    });
    const kept = await matchesOf(taskId);
    expect(kept).toHaveLength(MAX_STORED_MATCHES);
    expect(kept.at(-1)!.file).toBe('/www/4999.php');
    expect(await database.repository(ForbiddenScan).findOneByOrFail({ taskId })).toMatchObject({
      matchCount: 40_000,
      summary: { stored_matches: 5_000, dropped_matches: 35_000 },
    });
    expect((await database.repository(NodeTask).findOneByOrFail({ taskId })).status).toBe('success');
  });

  it('that is larger is rejected, and the task stays open', async () => {
    const taskId = await pulledScan();
    const path = '/api/node.php?act=report_result';
    const body = JSON.stringify({ task_id: taskId, status: 'success', result: { text: 'x'.repeat(MAX_REPORT_BYTES) } });
    const response = await panel.fetch(path, { method: 'POST', body, headers: agent.headers(path, body) });
    expect([response.status, await response.json()]).toMatchObject([413, { success: false, code: 400 }]);
    expect((await database.repository(NodeTask).findOneByOrFail({ taskId })).status).toBe('running');
    expect((await report(taskId, {})).accepted).toBe(true);
  });

  it('may contain anything', async () => {
    const NO_MATCHES = 4;
    const taskId = await pulledScan();
    const long = 'x'.repeat(1_000_000);
    const hostile = [
      SCRIPT,
      'a\u0000b',
      long,
      '😀'.repeat(2_000),
      '\ud800',
      "'; DROP TABLE SVC_node; --",
      '../../etc/passwd',
      '{{7*7}}{% raw %}',
      '\u202egnp.exe',
    ];
    const matches: unknown[] = hostile.flatMap((text) => [
      {
        type: text.slice(0, 500),
        path: text.slice(0, 100_000),
        keyword: text.slice(0, 5_000),
        excerpt: text.slice(0, 5_000),
        line: text.slice(0, 50),
      },
    ]);
    matches.push(
      null,
      7,
      'text',
      [],
      {},
      { type: ['a'], path: { a: 1 }, line: -5, keyword: null, excerpt: true },
      { line: 1e300, path: 5 },
      { type: 'database', table: {}, field: null, id: [] },
    );
    const summary = {
      scanned_files: 1e300,
      scanned_rows: -4,
      matches: '99',
      finished_at: SCRIPT.repeat(9),
      scan_mode: ['x'],
      duration_sec: 'NaN',
      __proto__: { a: 1 },
      extra: long.slice(0, 100_000),
    };
    expect((await report(taskId, { site: SCRIPT, summary, matches })).data).toMatchObject({
      accepted: true,
      stored_matches: matches.length - NO_MATCHES,
    });
    const kept = await matchesOf(taskId);
    for (const { file, keyword, excerpt, type, line } of kept) {
      expect([
        [...file].length <= 1_000,
        [...keyword].length <= 250,
        [...excerpt].length <= 200,
        [...type].length <= 30,
        line >= 0,
      ]).toEqual([true, true, true, true, true]);
      expect([file, keyword, excerpt, type].join('')).not.toMatch(/\u0000/);
    }
    expect(kept[3]!.keyword).toBe('😀'.repeat(250));
    const shown = await panel.adminFetch('/admin/ajax.php', {
      method: 'POST',
      body: new URLSearchParams({ gn: 'listforbiddenmatch', task_id: taskId, limit: '100' }),
    });
    expect(shown.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    expect(((await shown.json()) as { total: number }).total).toBe(matches.length - NO_MATCHES);
    const scan = await database.repository(ForbiddenScan).findOneByOrFail({ taskId });
    expect(scan).toMatchObject({ scannedFiles: 2_147_483_647, scannedRows: 0, site: SCRIPT });
    expect(Object.keys(scan.summary!).sort()).toEqual(['finished_at', 'scanned_rows']);
    for (const result of [null, [], 'text', 7, { matches: 'none', summary: [] }, { matches: { length: 5 } }]) {
      const next = await pulledScan();
      expect((await report(next, result)).data).toEqual({ accepted: true, stored_matches: 0 });
    }
  });

  it('of a failed scan is stored as one', async () => {
    const taskId = await pulledScan();
    expect(
      (
        await agent.call('report_result', {
          task_id: taskId,
          status: 'failed',
          result: { matches: [match(1)] },
          error: `no folder ${SCRIPT}`,
        })
      ).data,
    ).toEqual({ accepted: true, stored_matches: 0 });
    expect((await list('listforbiddenscan', { status_filter: 'failed', limit: '1' })).rows[0]).toMatchObject({
      task_id: taskId,
      matches_count: 0,
    });
    expect((await database.repository(NodeTask).findOneByOrFail({ taskId })).error).toContain('no folder');
  });

  it('of a failed scan is shown in the reader’s language everywhere', async () => {
    const taskId = await pulledScan();
    const path = `/www/${SCRIPT}`;
    const error = `扫描目录不存在：${path}`;
    await agent.call('report_result', { task_id: taskId, status: 'failed', result: {}, error });
    // As stored by older versions of the panel, too.
    expect((await database.repository(NodeTask).findOneByOrFail({ taskId })).error).toBe(error);
    const told = { en: `The folder to scan does not exist: ${path}`, 'zh-CN': error };
    for (const [language, words] of Object.entries(told)) {
      const ask = async (gn: string, fields: Record<string, string>): Promise<Record<string, unknown>> => {
        const body = new URLSearchParams({ gn, ...fields });
        const answer = await panel.adminFetch('/admin/ajax.php', { method: 'POST', body, headers: { 'Accept-Language': language } });
        return (await answer.json()) as Record<string, unknown>;
      };
      expect(await ask('nodetasksj', { task_id: taskId })).toMatchObject({
        error: words,
        result_text: expect.stringContaining(JSON.stringify(words)) as string,
      });
      expect(await ask('listnodetask', { status: 'failed', limit: '1' })).toMatchObject({ rows: [{ error: words }] });
      expect(await ask('listforbiddenscan', { limit: '1' })).toMatchObject({ rows: [{ summary: { error: words } }] });
      for (const page of [`/admin/agent-task?task_id=${taskId}`, '/admin/agent-tasks']) {
        const html = await (await panel.adminFetch(page, { headers: { 'Accept-Language': language } })).text();
        expect(html).toContain(words.slice(0, words.indexOf(path)));
        expect(html).not.toContain(SCRIPT);
      }
    }
  });
});

describe('old scans', () => {
  it('are deleted with their matches and tasks, and the rest stays', async () => {
    const day = 86_400_000;
    const old = new Date(Date.now() - 10 * day);
    const before = await database.repository(ForbiddenScan).count();
    await database.repository(ForbiddenScan).insert(
      Array.from({ length: 250 }, (_, i) => ({
        nodeId: agent.nodeId,
        taskId: `old-${i}`,
        status: 'success',
        createdAt: old,
        summary: {},
      })),
    );
    const scans = await database.repository(ForbiddenScan).findBy({ createdAt: old });
    for (const scan of scans.slice(0, 3)) {
      for (let i = 0; i < 4; i += 1)
        await database
          .repository(ForbiddenMatch)
          .insert(Array.from({ length: 400 }, (_, n) => ({ scanId: scan.id, file: `/${n}`, keyword: 'k' })));
    }
    const tasks = await panel.get(TaskQueue).add(
      Array.from({ length: 3 }, () => agent.nodeId),
      'ping',
      {},
    );
    await database.repository(NodeTask).update({ taskId: tasks[0]! }, { status: 'success', attempts: 1, finishedAt: old });
    await database.repository(NodeTask).update({ taskId: tasks[1]! }, { status: 'failed', attempts: 1, finishedAt: old });
    expect(await panel.admin('clearoldscans', { days: '11' })).toMatchObject({ deleted_scans: 0, deleted_matches: 0, deleted_tasks: 0 });
    expect(await panel.admin('clearoldscans')).toMatchObject({
      success: true,
      code: 1,
      deleted_scans: 250,
      deleted_matches: 4_800,
      deleted_tasks: 2,
      data: { deleted_scans: 250 },
    });
    expect(await database.repository(ForbiddenScan).count()).toBe(before);
    expect(await database.repository(NodeTask).countBy({ taskId: tasks[2]! })).toBe(1);
    for (const days of ['0', '366', 'x']) expect((await panel.admin('clearoldscans', { days })).success).toBe(false);
  });
});
