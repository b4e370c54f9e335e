import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { AgentNode, ForbiddenMatch, ForbiddenScan, NodeNonce, NodeTask } from '../../src/agents/index.js';
import { HostingNode } from '../../src/hosting/index.js';
import { OperationLog } from '../../src/operations/index.js';

import { TestAgent, createAgentNode } from '../support/agent.js';
import { TestPanel } from '../support/panel.js';

interface Listed {
  total: number;
  rows: Record<string, unknown>[];
}
interface Config {
  node_id: string;
  node_secret: string;
  platform_secret: string;
}

const SCRIPT = '<script>alert("planted")</script>';
let panel: TestPanel;
let database: Database;

beforeAll(async () => {
  panel = await TestPanel.start();
  database = panel.get(Database);
});
afterAll(() => panel.close());
beforeEach(async () => {
  for (const { id } of await database.repository(AgentNode).find()) await panel.admin('delnode', { id: String(id) });
});

const list = (gn: string, fields: Record<string, string> = {}) => panel.admin(gn, fields) as unknown as Promise<Listed>;
async function add(fields: Record<string, string> = {}): Promise<{ id: string; config: Config; agent: TestAgent }> {
  const { id, config } = (await panel.admin('addnode', { bt_id: '1', ...fields })).data as { id: number; config: Config };
  const agent = new TestAgent(panel.url, config.node_id, { platformSecret: config.platform_secret, nodeSecret: config.node_secret }, () =>
    Date.now(),
  );
  return { id: String(id), config, agent };
}
const names = ({ rows }: Listed): unknown[] => rows.map((row) => row.node_name);

describe('the list of servers', () => {
  const served = async () => {
    const { rows } = await list('listbt', { sort: 'id', sortOrder: 'asc' });
    const names = await list('listbt', { sort: 'id', sortOrder: 'asc', mc: 'true' });
    expect(names.rows.map((row) => Object.keys(row))).toEqual(rows.map(() => ['id', 'btdh', 'als', 'qk']));
    expect(names.rows.map(({ btdh }) => btdh)).toEqual(rows.map(({ btdh }) => btdh));
    return rows.map(({ btdh, fz, cp, zx }) => ({ btdh, fz, cp, zx }));
  };

  it('shows the load of each: this machine by itself, others by their agent’s last report', async () => {
    const nodes = database.repository(HostingNode);
    const { id } = await nodes.save({
      code: 'far',
      codeKey: 'far',
      driver: 'fake',
      openKey: 'k',
      signatureKey: 'q',
      createdAt: new Date(),
    });
    const { agent, id: agentId } = await add({ bt_id: String(id) });
    const own = { btdh: 'local', fz: expect.stringMatching(/^\d+(\.\d+)?$/), cp: expect.stringMatching(/^\d{1,3}$/), zx: 'true' };
    expect(await served()).toEqual([own, { btdh: 'far', fz: '', cp: '', zx: '' }]);
    const disks = [
      { mount: '/', percent: 12 },
      { mount: '/srv', percent: 91 },
    ];
    await agent.plain('heartbeat', { status: 'online', load: 1.25, disks });
    expect(await served()).toEqual([own, { btdh: 'far', fz: '1.25', cp: '91', zx: 'true' }]);
    await database.repository(AgentNode).update({ id: Number(agentId) }, { lastHeartbeatAt: new Date(Date.now() - 61_000) });
    expect(await served()).toEqual([own, { btdh: 'far', fz: '1.25', cp: '91', zx: 'false' }]);
    const page = await (await panel.adminFetch('/admin/servers')).text();
    expect(page).toMatch(/1\.25[\s\S]*磁盘 91%[\s\S]*节点程序未响应/);
    await panel.admin('delnode', { id: agentId });
    expect(await served()).toEqual([own, { btdh: 'far', fz: '', cp: '', zx: '' }]);
    await nodes.delete({ id });
  });
});

describe('adding a node', () => {
  it('returns its configuration, once', async () => {
    const answer = await panel.admin('addnode', {
      bt_id: '1',
      node_name: 'Node A',
      svc_url: 'https://panel.example/',
      interval_seconds: '5',
    });
    expect(answer).toMatchObject({ success: true, qk: 1, code: 1, msg: '新增节点成功' });
    const { id, node_id, config, config_json } = answer.data as { id: number; node_id: string; config: Config; config_json: string };
    expect(answer).toMatchObject({ id, node_id, config, config_json });
    expect(config).toEqual({
      svc_url: 'https://panel.example',
      mnbt_url: 'https://panel.example',
      platform_secret: expect.stringMatching(/^[0-9a-f]{48}$/),
      node_id: expect.stringMatching(/^node_[0-9a-f]{24}$/),
      node_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      node_name: 'Node A',
      version: '0.1.0',
      interval_seconds: 5,
      capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan'],
    });
    expect(JSON.parse(config_json)).toEqual(config);
    expect(config_json).toContain('\n  "node_id"');
    const shown = await panel.admin('nodeconfig', { id: String(id) });
    expect(shown).toMatchObject({
      success: true,
      code: 1,
      msg: '获取成功',
      config: { svc_url: panel.url, node_id, node_secret: '', platform_secret: '', interval_seconds: 10 },
    });
    expect((await add()).config).toMatchObject({ svc_url: panel.url, node_name: 'local', interval_seconds: 10 });
  });

  it('is refused with the messages scripts know', async () => {
    await add({ node_id: 'taken.1:x-y_z' });
    const refused: [Record<string, string>, string][] = [
      [{}, '请选择要绑定的宝塔服务器'],
      [{ bt_id: '' }, '请选择要绑定的宝塔服务器'],
      [{ bt_id: '99' }, '宝塔服务器不存在'],
      [{ bt_id: '1', node_id: 'a b' }, '节点ID只能包含字母、数字、点、横线、下划线和冒号，最长64位'],
      [{ bt_id: '1', node_id: 'x'.repeat(65) }, '节点ID只能包含字母、数字、点、横线、下划线和冒号，最长64位'],
      [{ bt_id: '1', node_id: 'taken.1:x-y_z' }, '节点ID已存在，请更换或直接复制原节点配置'],
    ];
    for (const [fields, msg] of refused)
      expect([fields, await panel.admin('addnode', fields)]).toMatchObject([fields, { success: false, qk: 4, code: 0, msg, data: null }]);
    for (const wrong of [
      { interval_seconds: '4' },
      { svc_url: 'javascript:alert(1)' },
      { svc_url: 'ftp://x.example' },
      { svc_url: 'https://u:p@x.example' },
      { node_name: 'x'.repeat(101) },
    ] as Record<string, string>[]) {
      expect([wrong, await panel.admin('addnode', { bt_id: '1', ...wrong })]).toMatchObject([
        wrong,
        { success: false, code: 0, err: 'E_ARGS' },
      ]);
    }
    const raced = await Promise.all(Array.from({ length: 5 }, () => panel.admin('addnode', { bt_id: '1', node_id: 'raced' })));
    expect(raced.filter(({ success }) => success)).toHaveLength(1);
  });
});

describe('listnode', () => {
  it('finds, sorts and pages', async () => {
    for (const name of ['b', 'a', 'c%_']) await add({ node_name: name, node_id: `id-${name.length}${name[0]!}` });
    await panel.admin('setnodestatus', { id: (await add({ node_name: 'off' })).id, enabled: 'false' });
    expect(names(await list('listnode'))).toEqual(['off', 'c%_', 'a', 'b']);
    expect(names(await list('listnode', { sort: 'node_name', sortOrder: 'asc', limit: '2', page: '2' }))).toEqual(['c%_', 'off']);
    for (const sort of [
      'id',
      'node_id',
      'node_name',
      'bt_id',
      'status',
      'enabled',
      'ip',
      'version',
      'last_heartbeat',
      'created_at',
      'updated_at',
      'node_secret',
      "id'",
    ]) {
      expect((await list('listnode', { sort })).total).toBe(4);
    }
    expect(names(await list('listnode', { keyword: 'ID-1A' }))).toEqual(['a']);
    expect(names(await list('listnode', { keyword: '%' }))).toEqual(['c%_']);
    expect((await list('listnode', { keyword: 'local' })).total).toBe(4);
    expect(names(await list('listnode', { status: 'disabled' }))).toEqual(['off']);
    expect((await list('listnode', { status: 'enabled' })).total).toBe(3);
    const [row] = (await list('listnode', { keyword: 'off' })).rows;
    expect(row).toMatchObject({
      bt_id: '1',
      btdh: 'local',
      btip: '127.0.0.1',
      enabled: 'false',
      status: 'disabled',
      display_status: 'disabled',
      capabilities_text: '',
      last_heartbeat: '',
      load: null,
    });
  });

  it('shows 10 rows by default and 100 at most', async () => {
    for (let i = 0; i < 101; i += 1) await createAgentNode(database, `many-${i}`);
    expect((await list('listnode')).rows).toHaveLength(10);
    for (const limit of ['100', '150']) expect((await list('listnode', { limit })).rows).toHaveLength(100);
    expect((await list('listnode', { limit: '100', page: '2' })).rows).toHaveLength(1);
  });
});

describe('a node', () => {
  it('is enabled and disabled, and gets no tasks while it is disabled', async () => {
    const { id } = await add();
    expect(await panel.admin('setnodestatus', { id, enabled: 'false' })).toMatchObject({ success: true, code: 1, msg: '停用成功' });
    expect(await panel.admin('nodeping', { id })).toMatchObject({ success: false, code: 0, msg: '节点已停用，不能下发任务' });
    expect(await panel.admin('nodeforbiddenscan', { id, root: '/www', keywords: 'x' })).toMatchObject({
      success: false,
      code: 0,
      msg: '节点已停用，不能下发任务',
    });
    expect(await panel.admin('setnodestatus', { id, enabled: 'true' })).toMatchObject({ success: true, code: 1, msg: '启用成功' });
    expect(await panel.admin('nodeping', { id })).toMatchObject({
      success: true,
      code: 1,
      msg: 'Ping任务已下发',
      task_id: expect.stringMatching(/^task_[0-9a-f]{24}$/),
    });
    for (const gn of ['setnodestatus', 'delnode', 'nodeconfig', 'nodemycz', 'nodeping', 'listnodetask', 'listforbiddenscan']) {
      expect([gn, await panel.admin(gn, { id: '99999', node_pk: '99999', enabled: 'true' })]).toMatchObject([
        gn,
        { success: false, code: 0, msg: '节点不存在' },
      ]);
    }
  });

  it('is deleted with all its data', async () => {
    const [gone, stays] = [await add(), await add()];
    for (const { id, agent } of [gone, stays]) {
      await panel.admin('nodeping', { id });
      await agent.call('report_result', { task_id: 'scan_full_1', status: 'success', result: { matches: [{ path: '/a', keyword: 'k' }] } });
      await agent.call('heartbeat');
    }
    expect(await panel.admin('delnode', { id: gone.id })).toMatchObject({ success: true, code: 1, msg: '删除成功' });
    for (const entity of [NodeTask, NodeNonce, ForbiddenScan]) {
      expect([entity.name, await database.repository<{ nodeId: string }>(entity).countBy({ nodeId: gone.config.node_id })]).toEqual([
        entity.name,
        0,
      ]);
      expect([entity.name, (await database.repository<{ nodeId: string }>(entity).countBy({ nodeId: stays.config.node_id })) > 0]).toEqual([
        entity.name,
        true,
      ]);
    }
    expect(await database.repository(ForbiddenMatch).count()).toBe(1);
    expect(await panel.admin('delnode', { id: gone.id })).toMatchObject({ success: false, msg: '节点不存在' });
  });

  it('gets new secrets from one of several concurrent requests, or from one after the other', async () => {
    const { id } = await add();
    const answers = await Promise.all(Array.from({ length: 5 }, () => panel.admin('nodemycz', { id })));
    const done = answers.filter(({ success }) => success);
    expect(done.length).toBeGreaterThan(0);
    for (const { success, err } of answers) expect(success || err === 'E_CONFLICT').toBe(true);
    const { secret } = await database.repository(AgentNode).findOneByOrFail({ id: Number(id) });
    expect(done.map(({ data }) => (data.config as Config).node_secret)).toContain(secret);
  });
});

describe('settings of scans', () => {
  it('reach the agents; values that are not sent stay', async () => {
    const { agent } = await add();
    const settings = {
      snr: '# comment\nbad\n\nworse\n',
      sgbfx: 'false',
      sml: '/data/www',
      stqml: '.git,cache',
      stqhz: '.jpg',
      sdzmax: '2',
      sdhmax: '50',
      sqzcskg: 'false',
      sqzcs: '30 4 * * 1-5',
    };
    expect(await panel.admin('savescancfg', settings)).toMatchObject({ success: true, code: 1, msg: '修改成功' });
    expect(await panel.admin('savescancfg', { sdhmax: '60' })).toMatchObject({ success: true });
    const { forbidden_scan } = (await agent.call('get_config')).data;
    expect(forbidden_scan).toEqual({
      enabled: false,
      content: settings.snr,
      scan_changed_only: false,
      scan_dir: '/data/www',
      skip_dirs: '.git,cache',
      skip_exts: '.jpg',
      max_file_size: 2_097_152,
      max_matches: 60,
      full_scan_enabled: false,
      full_scan_cron: '30 4 * * 1-5',
    });
    expect(await panel.admin('get_global_keywords')).toEqual({ success: true, qk: 1, code: 1, msg: 'ok', data: 'bad\nworse' });
    for (const wrong of [
      { sqzcs: 'daily' },
      { sqzcs: '* * * *' },
      { sqzcs: '$(id) * * * *' },
      { sqzcs: '60 3 * * *' },
      { sqzcs: '0 24 * * *' },
      { sqzcs: '0 3 0 * *' },
      { sqzcs: '0 3 * 13 *' },
      { sqzcs: '0 3 * * 8' },
      { sqzcs: '30-10 3 * * *' },
      { sqzcs: '*/0 3 * * *' },
      { sqzcs: '0, 3 * * *' },
      { sdzmax: '0' },
      { sdhmax: '5001' },
      { sml: '../x' },
      { skg: 'maybe' },
      { snr: 'x'.repeat(16_001) },
    ] as Record<string, string>[]) {
      expect([wrong, await panel.admin('savescancfg', wrong)]).toMatchObject([wrong, { success: false, code: 0 }]);
    }
    for (const sqzcs of ['*/5 * * * *', '0,30 1-5/2 1,15 1-12 0,7', ' 0  3 * * * '])
      expect([sqzcs, await panel.admin('savescancfg', { sqzcs })]).toMatchObject([sqzcs, { success: true }]);
  });

  it('start one full scan on every enabled node when scanning is enabled, however many enable it', async () => {
    await panel.admin('savescancfg', { skg: 'false', snr: 'bad', sml: '/data/www' });
    const nodes = [await add(), await add(), await add()];
    await panel.admin('setnodestatus', { id: nodes[2]!.id, enabled: 'false' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => panel.admin('savescancfg', { skg: 'true' })));
    const texts = answers.map((answer) => (answer as unknown as { msg: string }).msg).sort();
    expect(texts).toEqual([...Array.from({ length: 4 }, () => '修改成功'), '修改成功，已向 2 个节点下发全量扫描任务'].sort());
    const { rows } = await list('listnodetask', { action: 'forbidden_scan' });
    expect(rows.map((row) => row.node_id).sort()).toEqual([nodes[0]!.config.node_id, nodes[1]!.config.node_id].sort());
    expect(JSON.parse(rows[0]!.payload_text as string)).toEqual({
      site: '',
      root: '/data/www',
      keywords: ['bad'],
      max_file_size: 2_097_152,
      max_matches: 60,
      scan_changed_only: false,
      scan_mode: 'full',
      auto_trigger: true,
      trigger_reason: 'enabled',
    });
    expect(await panel.admin('savescancfg', { skg: 'true' })).toMatchObject({ msg: '修改成功' });
    await panel.admin('savescancfg', { skg: 'false', snr: '# nothing' });
    expect(await panel.admin('savescancfg', { skg: 'true' })).toMatchObject({ msg: '修改成功' });
  });
});

describe('data for administrators', () => {
  it('includes numbers, tasks and scans, by node, outcome and day', async () => {
    const [one, other] = [await add(), await add()];
    await add();
    await panel.admin('setnodestatus', { id: (await add()).id, enabled: 'false' });
    await one.agent.call('heartbeat');
    await panel.admin('nodeping', { id: one.id });
    await panel.admin('nodeping', { id: other.id });
    await other.agent.call('pull_task');
    await one.agent.call('report_result', {
      task_id: 'scan_auto_1',
      status: 'success',
      result: {
        matches: [
          { path: '/a', keyword: 'k' },
          { path: '/b', keyword: 'k' },
        ],
      },
    });
    await other.agent.call('report_result', {
      task_id: 'scan_auto_1',
      status: 'success',
      result: { matches: [{ path: '/c', keyword: 'k' }] },
    });
    await other.agent.call('report_result', { task_id: 'scan_auto_2', status: 'failed', error: 'x' });
    await database.repository(ForbiddenScan).insert({
      nodeId: one.config.node_id,
      taskId: 'scan_auto_0',
      status: 'success',
      matchCount: 9,
      createdAt: new Date(Date.now() - 86_400_000),
      summary: {},
    });
    const stats = await panel.admin('nodestats');
    expect(stats).toMatchObject({
      success: true,
      code: 1,
      msg: 'ok',
      data: { total_nodes: 4, online: 1, offline: 2, disabled: 1, today_matches: 3, pending_tasks: 1 },
      online: 1,
    });
    expect((await list('listnodetask', { node_pk: other.id })).rows).toMatchObject([
      { action: 'ping', status: 'running', attempts: 1, payload_text: '{}' },
    ]);
    expect([
      (await list('listnodetask', { status: 'pending' })).total,
      (await list('listnodetask', { action: 'forbidden_scan' })).total,
      (await list('listnodetask', { sort: 'created_at', sortOrder: 'asc' })).total,
    ]).toEqual([1, 0, 2]);
    const totals = async (fields: Record<string, string>) => (await list('listforbiddenscan', fields)).total;
    expect([
      await totals({}),
      await totals({ node_pk: one.id }),
      await totals({ status_filter: 'has_matches' }),
      await totals({ status_filter: 'failed' }),
      await totals({ status_filter: 'success' }),
    ]).toEqual([4, 2, 3, 1, 3]);
    expect([
      await totals({ time_filter: 'today' }),
      await totals({ time_filter: 'yesterday' }),
      await totals({ time_filter: 'week' }),
      await totals({ time_filter: 'month' }),
    ]).toEqual([3, 1, 4, 4]);
    expect((await list('listforbiddenmatch', { task_id: 'scan_auto_1' })).rows.map((row) => row.file)).toEqual(['/c', '/b', '/a']);
    const [scan] = (await list('listforbiddenscan', { node_pk: other.id, status_filter: 'has_matches' })).rows;
    expect((await list('listforbiddenmatch', { scan_id: scan!.id as string })).rows).toMatchObject([
      { file: '/c', node_id: other.config.node_id, task_id: 'scan_auto_1' },
    ]);
    expect(await list('listforbiddenmatch', { task_id: 'nothing' })).toEqual({ total: 0, rows: [] });
    expect(await list('listforbiddenmatch', { limit: '2' })).toMatchObject({ total: 3, rows: [{}, {}] });
    for (const wrong of [
      { time_filter: 'ever' },
      { status_filter: 'x' },
      { status: "' OR 1=1" },
      { action: 'exec' },
      { node_pk: 'x' },
    ] as Record<string, string>[]) {
      const gn = 'status' in wrong || 'action' in wrong ? 'listnodetask' : 'listforbiddenscan';
      expect([wrong, await panel.admin(gn, wrong)]).toMatchObject([wrong, { success: false, code: 0, err: 'E_ARGS' }]);
    }
  });

  it('contains no secret: neither in lists nor in the operation log', async () => {
    const { id, config, agent } = await add({ node_name: SCRIPT });
    const { config: rotated } = (await panel.admin('nodemycz', { id })).data as { config: Config };
    await agent.call('heartbeat', { node_secret: config.node_secret });
    await panel.admin('nodeping', { id });
    const heard: string[] = [JSON.stringify(await database.repository(OperationLog).find())];
    for (const gn of [
      'listnode',
      'listnodetask',
      'nodestats',
      'nodeconfig',
      'listforbiddenscan',
      'listforbiddenmatch',
      'get_global_keywords',
      'listlog',
    ])
      heard.push(JSON.stringify(await panel.admin(gn, { id })));
    for (const secret of [config.node_secret, config.platform_secret, rotated.node_secret, rotated.platform_secret]) {
      expect(heard.map((text) => text.includes(secret))).toEqual(heard.map(() => false));
    }
    const log = await panel.admin('listlog');
    expect(log.rows.map((row) => (row as unknown as { lx: string }).lx)).toEqual(
      expect.arrayContaining(['addnode', 'nodemycz', 'nodeping']),
    );
    expect(heard[0]).toContain('planted');
  });

  it('is for administrators only', async () => {
    for (const gn of [
      'listnode',
      'addnode',
      'delnode',
      'setnodestatus',
      'nodeconfig',
      'nodemycz',
      'nodeping',
      'nodestats',
      'listnodetask',
      'nodeforbiddenscan',
      'listforbiddenscan',
      'listforbiddenmatch',
      'get_global_keywords',
      'savescancfg',
      'clearoldscans',
    ]) {
      const response = await panel.fetch('/admin/ajax.php', { method: 'POST', body: new URLSearchParams({ gn }) });
      expect([gn, await response.text()]).toEqual([gn, '{"code":"请登陆后台"}']);
    }
  });
});
