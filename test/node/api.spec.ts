import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { Clock } from '../../src/common/index.js';
import { CronScheduler } from '../../src/jobs/index.js';
import {
  AgentNode,
  ForbiddenScan,
  MAX_REQUEST_BYTES,
  MAX_UNSIGNED_REPORT_BYTES,
  NodeNonce,
  NodeTask,
  TaskQueue,
  sign,
} from '../../src/agents/index.js';
import { SiteSettings } from '../../src/site/index.js';
import { Database } from '../../src/database/index.js';

import { TestAgent, createAgentNode, post, type AgentAnswer } from '../support/agent.js';
import { CAPTURED_NODE, CAPTURED_REQUESTS, SIGNATURES, VECTOR_NONCE, VECTOR_SECRETS, VECTOR_TIME } from '../support/node-vectors.js';
import { sendRaw } from '../support/panel-client.js';
import { TestPanel } from '../support/panel.js';

/** The panel's clock is set to when the captured requests were made. */
const CAPTURED_AT = VECTOR_TIME * 1_000;
const { platformSecret: PLATFORM_SECRET, nodeSecret: NODE_SECRET } = VECTOR_SECRETS;
const UNKNOWN = { success: false, code: 400, msg: '节点不存在或已禁用', data: [] };
const WRONG = { success: false, code: 400, msg: '节点签名校验失败', data: [] };
const REPLAYED = { success: false, code: 400, msg: '重复请求', data: [] };

let panel: TestPanel;
let database: Database;
let at = CAPTURED_AT;
let nodes = 0;

beforeAll(async () => {
  vi.spyOn(Clock.prototype, 'now').mockImplementation(() => new Date(at));
  panel = await TestPanel.start({ API_KEY: PLATFORM_SECRET });
  database = panel.get(Database);
});
afterAll(async () => {
  await panel.close();
  vi.restoreAllMocks();
});
beforeEach(() => {
  at = CAPTURED_AT;
});
afterEach(async () => {
  await panel.get(SiteSettings).change({ nodeApiKey: '' });
});

/** A separate node, added as an administrator does. */
async function newAgent(): Promise<TestAgent & { id: number }> {
  nodes += 1;
  const answer = await panel.admin('addnode', { bt_id: '1', node_id: `agent-${nodes}` });
  const config = answer.data.config as { node_secret: string; platform_secret: string };
  const agent = new TestAgent(
    panel.url,
    `agent-${nodes}`,
    { platformSecret: config.platform_secret, nodeSecret: config.node_secret },
    () => at,
  );
  return Object.assign(agent, { id: Number(answer.data.id) });
}

const rowOf = (nodeId: string): Promise<AgentNode> => database.repository(AgentNode).findOneByOrFail({ nodeId });

describe('deployed agents', () => {
  it('are served as before', async () => {
    const nodeId = CAPTURED_NODE;
    await createAgentNode(database, nodeId, { secret: NODE_SECRET });
    await database
      .repository(NodeTask)
      .insert({ taskId: 'task_1', nodeId, action: 'ping', payload: {}, status: 'pending', createdAt: new Date(at) });
    const answers: AgentAnswer[] = [];
    for (const [act, nonce, signature, body, msg] of CAPTURED_REQUESTS) {
      const headers = {
        'X-Mnbt-Node': nodeId,
        'X-Mnbt-Time': String(CAPTURED_AT / 1_000),
        'X-Mnbt-Nonce': nonce,
        'X-Mnbt-Sign': signature,
      };
      const answer = await post(panel.url, `/api/node.php?act=${act}`, body, headers);
      expect(answer).toMatchObject({ success: true, code: 200, msg });
      for (const [name, value] of Object.entries(answer.data)) expect(answer[name]).toEqual(value);
      expect(await post(panel.url, `/api/node.php?act=${act}`, body, headers)).toEqual(REPLAYED);
      answers.push(answer);
    }
    expect(answers[0]!.data).toEqual({ server_time: '2026-11-21 10:32:18', timestamp: CAPTURED_AT / 1_000 });
    expect(Object.keys(answers[1]!.data.forbidden_scan as object).sort()).toEqual([
      'content',
      'enabled',
      'full_scan_cron',
      'full_scan_enabled',
      'max_file_size',
      'max_matches',
      'scan_changed_only',
      'scan_dir',
      'skip_dirs',
      'skip_exts',
    ]);
    expect(answers[2]!.data.task).toEqual({ task_id: 'task_1', action: 'ping', payload: {}, attempt: 1, lease_seconds: 300 });
    expect(await rowOf(nodeId)).toMatchObject({
      name: '节点A',
      version: '0.1.0',
      status: 'online',
      ip: '127.0.0.1',
      capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan', 'site_stats'],
    });
    expect(await database.repository(NodeTask).findOneByOrFail({ taskId: 'task_1' })).toMatchObject({
      status: 'success',
      result: { message: 'pong', time: '2026-11-21 02:32:18' },
    });
  });

  it.each(SIGNATURES)('sign %s with the panel-wide secret', async (act, body, signature) => {
    const { nodeId } = await createAgentNode(database, `vector-${act}`, { secret: NODE_SECRET });
    await database.repository(NodeTask).delete({ taskId: 'task_1' });
    await database.repository(NodeTask).insert({
      taskId: 'task_1',
      nodeId,
      action: 'ping',
      payload: {},
      status: 'running',
      attempts: 1,
      leaseUntil: new Date(at + 1_000),
      createdAt: new Date(at),
    });
    const headers = { 'X-SVC-Node': nodeId, 'X-SVC-Time': String(VECTOR_TIME), 'X-SVC-Nonce': VECTOR_NONCE, 'X-SVC-Sign': signature };
    expect(await post(panel.url, `/api/node.php?act=${act}`, body, headers)).toMatchObject({ success: true, code: 200 });
  });

  it('may have a panel-wide secret that is not the API key', async () => {
    await createAgentNode(database, 'other-key', { secret: NODE_SECRET });
    const agent = (platformSecret: string) => new TestAgent(panel.url, 'other-key', { platformSecret, nodeSecret: NODE_SECRET }, () => at);
    expect(await panel.admin('setapi', { nodekey: 'panel-wide-secret-1' })).toMatchObject({ success: true });
    expect((await agent('panel-wide-secret-1').call('pull_task')).success).toBe(true);
    expect(await agent(PLATFORM_SECRET).call('pull_task')).toEqual(WRONG);
  });
});

describe('a signed request', () => {
  const PATH = '/api/node.php?act=pull_task';

  it('is served once, however often and whenever it is sent', async () => {
    const agent = await newAgent();
    const headers = agent.headers(PATH, '{}');
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(panel.url, PATH, '{}', headers)));
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(answers.filter(({ success }) => !success)).toEqual(Array.from({ length: 19 }, () => REPLAYED));
    // The nonce is remembered as long as its time could be valid.
    at += 300_000;
    await panel.get(CronScheduler).tick(new Date(at));
    expect(await post(panel.url, PATH, '{}', headers)).toEqual(REPLAYED);
    at += 300_001;
    await panel.get(CronScheduler).tick(new Date(at));
    expect(await database.repository(NodeNonce).countBy({ nodeId: agent.nodeId })).toBe(0);
    expect(await post(panel.url, PATH, '{}', headers)).toMatchObject({ success: false, msg: WRONG.msg });
  });

  it('may reuse a nonce of another node', async () => {
    const [one, other] = [await newAgent(), await newAgent()];
    const at2 = (agent: TestAgent) => ({
      url: PATH,
      method: 'POST',
      body: Buffer.from('{}'),
      time: String(at / 1_000),
      nonce: 'the-same',
      agent,
    });
    for (const { agent, ...request } of [at2(one), at2(other)]) {
      const headers = {
        'X-SVC-Node': agent.nodeId,
        'X-SVC-Time': request.time,
        'X-SVC-Nonce': request.nonce,
        'X-SVC-Sign': sign(request, agent.secrets),
      };
      expect((await post(panel.url, PATH, '{}', headers)).success).toBe(true);
    }
  });

  it('requires a clock at most 300 seconds off', async () => {
    const agent = await newAgent();
    for (const [off, works] of [
      [300, true],
      [-300, true],
      [301, false],
      [-301, false],
      [86_400, false],
    ] as const) {
      const headers = new TestAgent(panel.url, agent.nodeId, agent.secrets, () => at + off * 1_000).headers(PATH, '{}');
      const answer = await post(panel.url, PATH, '{}', headers);
      expect([off, answer.success]).toEqual([off, works]);
      if (!works) expect(answer).toEqual({ ...WRONG, data: { timestamp: at / 1_000 }, timestamp: at / 1_000 });
    }
  });

  it('is rejected when any part differs from what was signed', async () => {
    const [agent, other] = [await newAgent(), await newAgent()];
    const send = async (change: (headers: Record<string, string>) => Record<string, string>, path = PATH, body = '{}') =>
      post(panel.url, path, body, change(agent.headers(PATH, '{}')));
    expect((await send((headers) => headers)).success).toBe(true);
    expect((await send((headers) => ({ ...headers, 'X-SVC-Sign': headers['X-SVC-Sign']!.toUpperCase() }))).success).toBe(true);
    expect(await send((headers) => headers, PATH, '{ }')).toEqual(WRONG);
    expect(await send((headers) => headers, '/api/node.php?act=get_config')).toEqual(WRONG);
    expect(await send((headers) => headers, `${PATH}&x=1`)).toEqual(WRONG);
    expect(await send((headers) => headers, '/api/node.php?act=pull%5Ftask')).toEqual(WRONG);
    expect(await send((headers) => ({ ...headers, 'X-SVC-Node': other.nodeId }))).toEqual(WRONG);
    expect(await send(() => new TestAgent(panel.url, agent.nodeId, other.secrets, () => at).headers(PATH, '{}'))).toEqual(WRONG);
    for (const [name, value] of [
      ['Time', '1795228339'],
      ['Time', '1e9'],
      ['Time', ''],
      ['Nonce', 'other'],
      ['Nonce', ''],
      ['Nonce', "' OR 1=1"],
      ['Nonce', 'n'.repeat(81)],
      ['Sign', ''],
      ['Sign', '0'.repeat(64)],
      ['Sign', 'x'],
    ] as const) {
      expect([name, value, await send((headers) => ({ ...headers, [`X-SVC-${name}`]: value }))]).toEqual([name, value, WRONG]);
    }
    for (const nodeId of ['nobody', "' OR 1=1 --", 'a'.repeat(65), agent.nodeId.toUpperCase(), `${agent.nodeId}%`]) {
      expect([nodeId, await send((headers) => ({ ...headers, 'X-SVC-Node': nodeId }))]).toEqual([nodeId, UNKNOWN]);
    }
    expect(await send(({ 'X-SVC-Node': _node, ...headers }) => headers)).toEqual({ ...WRONG, msg: '缺少节点ID' });
    // A rejected request has used no nonce.
    expect(await database.repository(NodeNonce).countBy({ nodeId: agent.nodeId })).toBe(2);
  });

  it('may use the older or the current header names; the current ones count when both are sent', async () => {
    const agent = await newAgent();
    const old = agent.headers(PATH, '{}', 'X-MNBT-');
    expect((await post(panel.url, PATH, '{}', old)).success).toBe(true);
    expect((await post(panel.url, PATH, '{}', { ...agent.headers(PATH, '{}'), ...agent.headers(PATH, '{ }', 'X-MNBT-') })).success).toBe(
      true,
    );
    expect(await post(panel.url, PATH, '{}', { ...agent.headers(PATH, '{ }'), ...agent.headers(PATH, '{}', 'X-MNBT-') })).toEqual(WRONG);
  });
});

describe('a plain request', () => {
  it('needs the secret, and an unused nonce and the time, except for a heartbeat', async () => {
    const agent = await newAgent();
    expect((await agent.plain('heartbeat', { nonce: undefined, timestamp: undefined, status: 'online', load: 1.2 })).success).toBe(true);
    expect((await agent.plain('heartbeat', { nonce: undefined, timestamp: undefined })).success).toBe(true);
    for (const act of ['pull_task', 'get_config', 'report_result', 'extend_lease']) {
      for (const missing of [
        { nonce: undefined },
        { timestamp: undefined },
        { nonce: '' },
        { nonce: { a: 1 } },
        { timestamp: 'now' },
        { nonce: 'a b' },
      ]) {
        expect((await agent.plain(act, missing)).msg).toMatch(/^缺少 nonce 或 timestamp/);
      }
    }
    expect((await agent.plain('pull_task', { nonce: 'n1' })).success).toBe(true);
    expect(await agent.plain('pull_task', { nonce: 'n1' })).toEqual(REPLAYED);
    expect(await agent.plain('get_config', { nonce: 'n1' })).toEqual(REPLAYED);
    expect(await agent.plain('heartbeat', { nonce: 'n1' })).toEqual(REPLAYED);
    for (const act of ['pull_task', 'heartbeat'])
      expect(await agent.plain(act, { timestamp: at / 1_000 - 301 })).toMatchObject({ success: false, msg: WRONG.msg });
    for (const node_secret of ['', 'wrong', (await newAgent()).secrets.nodeSecret, null, ['a'], { toString: 'x' }, 7])
      expect(await agent.plain('heartbeat', { node_secret })).toEqual(WRONG);
    for (const node_id of ['nobody', 'a b', 'x'.repeat(100)]) expect(await agent.plain('heartbeat', { node_id })).toEqual(UNKNOWN);
    for (const node_id of ['', null, undefined, ['a'], {}, 7])
      expect(await agent.plain('heartbeat', { node_id })).toEqual({ ...WRONG, msg: '缺少节点ID' });
  });
});

describe('a heartbeat', () => {
  it('gives the panel the agent’s data, cut to size, and leaves the rest as it is', async () => {
    const agent = await newAgent();
    await agent.call('heartbeat', {
      status: 'busy',
      load: 1.25,
      version: '0.2.0',
      capabilities: ['task', 7, null, { a: 1 }, 'x'.repeat(99)],
      node_name: '<script>alert(1)</script>\u0000',
    });
    const first = await rowOf(agent.nodeId);
    expect(first).toMatchObject({
      status: 'busy',
      load: 1.25,
      version: '0.2.0',
      name: '<script>alert(1)</script> ',
      lastHeartbeatAt: new Date(at),
    });
    expect(first.capabilities).toEqual(['task', '7', 'x'.repeat(50)]);
    at += 10_000;
    await agent.call('heartbeat', {});
    expect(await rowOf(agent.nodeId)).toEqual({ ...first, status: 'online', lastHeartbeatAt: new Date(at) });
    for (const load of ['2.5', 'much', -1, 1e9, null, [], {}, true])
      await agent.call('heartbeat', { load, version: 'v'.repeat(60_000), capabilities: 'all', status: { a: 1 } });
    expect(await rowOf(agent.nodeId)).toMatchObject({
      load: 2.5,
      version: 'v'.repeat(30),
      capabilities: first.capabilities,
      status: 'online',
    });
    await agent.call('heartbeat', { status: '😀'.repeat(30), node_name: '\ud800'.repeat(3) });
    expect(await rowOf(agent.nodeId)).toMatchObject({ status: '😀'.repeat(20), name: '\ufffd'.repeat(3) });
  });

  it('updates the disk usage as long as it is valid, whatever else is sent', async () => {
    const agent = await newAgent();
    const disksAfter = async (disks: unknown) => {
      await agent.call('heartbeat', disks === undefined ? {} : { disks });
      return (await rowOf(agent.nodeId)).disks;
    };
    const root = { mount: '/', percent: 41.5 };
    expect(await disksAfter([root])).toEqual([root]);
    expect(
      await disksAfter([null, 7, [], { mount: 7 }, { mount: '/a', percent: '9' }, { mount: '/b', percent: 101 }, { ...root, x: 1 }]),
    ).toEqual([root]);
    expect(await disksAfter(Array(100).fill({ mount: 'x'.repeat(400), percent: 1 }))).toEqual(
      Array(32).fill({ mount: 'x'.repeat(100), percent: 1 }),
    );
    for (const nothing of [undefined, [], 'full', { mount: '/', percent: 1 }, null]) expect(await disksAfter(nothing)).toBeNull();
  });

  it('makes a node online for 60 seconds', async () => {
    const agent = await newAgent();
    const shown = async () => (await panel.admin('listnode', { keyword: agent.nodeId })).rows[0] as unknown as Record<string, unknown>;
    expect((await shown()).display_status).toBe('offline');
    await agent.call('heartbeat');
    at += 60_000;
    expect((await shown()).display_status).toBe('online');
    at += 1;
    expect((await shown()).display_status).toBe('offline');
  });

  it("of a disabled or deleted node is rejected like an unknown one's", async () => {
    const agent = await newAgent();
    await panel.admin('setnodestatus', { id: String(agent.id), enabled: 'false' });
    for (const act of ['heartbeat', 'pull_task']) expect([await agent.call(act), await agent.plain(act)]).toEqual([UNKNOWN, UNKNOWN]);
    await panel.admin('setnodestatus', { id: String(agent.id), enabled: 'true' });
    expect((await agent.call('heartbeat')).success).toBe(true);
    await panel.admin('delnode', { id: String(agent.id) });
    expect(await agent.call('heartbeat')).toEqual(UNKNOWN);
  });
});

describe('changed secrets', () => {
  it('work in parallel with the new ones until the overlap ends', async () => {
    const old = await newAgent();
    const rotate = async (fields: Record<string, string>) => {
      const { config } = (await panel.admin('nodemycz', { id: String(old.id), ...fields })).data as {
        config: { node_secret: string; platform_secret: string };
      };
      return new TestAgent(panel.url, old.nodeId, { platformSecret: config.platform_secret, nodeSecret: config.node_secret }, () => at);
    };
    const fresh = await rotate({ minutes: '30' });
    expect(fresh.secrets).not.toEqual(old.secrets);
    for (const agent of [old, fresh])
      expect([(await agent.call('pull_task')).success, (await agent.plain('pull_task')).success]).toEqual([true, true]);
    at += 30 * 60_000;
    expect([await old.call('pull_task'), await old.plain('pull_task')]).toEqual([WRONG, WRONG]);
    expect((await fresh.call('pull_task')).success).toBe(true);
    const third = await rotate({ minutes: '0' });
    expect([await fresh.call('pull_task'), await fresh.plain('pull_task')]).toEqual([WRONG, WRONG]);
    expect((await third.call('pull_task')).success).toBe(true);
  });
});

describe('any request', () => {
  it('gets a response an agent can read', async () => {
    const agent = await newAgent();
    const bad = { success: false, code: 400, msg: '请求体不是 JSON 对象，请检查后重新发送', data: [] };
    for (const body of ['{', 'null', '7', '"x"', '[1]', '\u0000', 'a=1', '{"a":1}{', `${'['.repeat(30_000)}`, Buffer.from([0xff, 0xfe])]) {
      expect([String(body).slice(0, 20), await post(panel.url, '/api/node.php?act=heartbeat', body)]).toEqual([
        String(body).slice(0, 20),
        bad,
      ]);
    }
    for (const act of ['', 'HEARTBEAT', 'constructor', '__proto__', 'toString', 'heartbeat%00', 'heartbeat%20', 'x'.repeat(1_000)]) {
      expect(await post(panel.url, `/api/node.php?act=${act}`, '{}')).toEqual({
        success: false,
        code: 400,
        msg: 'unknown action',
        data: [],
      });
    }
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)},"__proto__":{"node_id":"x"}}`;
    const headers = agent.headers('/api/node.php?act=heartbeat', deep);
    expect((await post(panel.url, '/api/node.php?act=heartbeat', deep, headers)).success).toBe(true);
    expect((await post(panel.url, '/api/node.php', '')).msg).toBe('unknown action');
    expect((await panel.fetch('/api/node.php?act=heartbeat')).status).toBe(404);
  });

  it('is rejected when it is larger than an agent needs to send', async () => {
    const response = await panel.fetch('/api/node.php?act=heartbeat', { method: 'POST', body: `{"a":"${'x'.repeat(MAX_REQUEST_BYTES)}"}` });
    expect([response.status, await response.json()]).toMatchObject([413, { success: false, code: 400, data: [] }]);
    const declared = await sendRaw(
      panel.url,
      'POST /api/node.php?act=report_result HTTP/1.1\r\nHost: panel\r\nContent-Length: 99999999\r\n\r\n{',
    );
    expect(declared).toMatch(/^HTTP\/1\.1 413 /);
    expect(declared).toMatch(/connection: close/i);
  });

  it('is read only after its signature was checked, and uses no nonce when it cannot be read', async () => {
    const agent = await newAgent();
    const path = '/api/node.php?act=report_result';
    const broken = '{"task_id":';
    const headers = agent.headers(path, broken);
    expect(await post(panel.url, path, broken, { ...headers, 'X-SVC-Sign': '0'.repeat(64) })).toEqual(WRONG);
    for (let tries = 0; tries < 2; tries++) expect((await post(panel.url, path, broken, headers)).msg).toMatch(/^请求体不是 JSON 对象/);
    const unsigned = JSON.stringify({
      node_id: agent.nodeId,
      node_secret: agent.secrets.nodeSecret,
      error: 'x'.repeat(MAX_UNSIGNED_REPORT_BYTES),
    });
    expect((await panel.fetch(path, { method: 'POST', body: unsigned })).status).toBe(413);
    expect((await post(panel.url, path, unsigned, agent.headers(path, unsigned))).msg).toBe('缺少任务ID');
  });

  it('may come from anywhere, and with the whole address as through a proxy', async () => {
    const agent = await newAgent();
    const path = '/api/node.php?act=heartbeat';
    const foreign = await post(panel.url, path, '{}', {
      ...agent.headers(path, '{}'),
      Origin: 'https://elsewhere.example',
      'Sec-Fetch-Site': 'cross-site',
    });
    expect(foreign.success).toBe(true);
    const lines = Object.entries(agent.headers(path, '{}'))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const answer = await sendRaw(
      panel.url,
      `POST ${panel.url}${path} HTTP/1.1\r\nHost: panel\r\nConnection: close\r\nContent-Length: 2\r\n${lines}\r\n{}`,
    );
    expect(answer).toContain('heartbeat ok');
  });
});

describe('tasks over the wire', () => {
  it('are fetched, stored, reported and deleted', async () => {
    const agent = await newAgent();
    const taskId = (await panel.admin('nodeping', { id: String(agent.id) })).data.task_id;
    const { task } = (await agent.plain('pull_task')).data as { task: { attempt: number } };
    expect(task).toEqual({ task_id: taskId, action: 'ping', payload: {}, attempt: 1, lease_seconds: 300 });
    expect((await agent.call('pull_task')).data).toEqual({ task: null });
    expect(await agent.call('extend_lease', { task_id: taskId, attempt: 1 })).toMatchObject({
      success: true,
      data: { task_id: taskId, lease_seconds: 300 },
    });
    expect((await agent.call('extend_lease', { task_id: taskId, attempt: 2 })).msg).toBe('任务租约已失效，请重新 pull_task');
    expect(await agent.call('report_result', { status: 'success' })).toEqual({ ...WRONG, msg: '缺少任务ID' });
    expect(await agent.call('report_result', { task_id: 'task_none', status: 'success' })).toEqual({ ...WRONG, msg: '任务不存在' });
    const report = { task_id: taskId, status: 'success', attempt: 1, result: { message: 'pong' }, error: '' };
    expect(await agent.call('report_result', report)).toMatchObject({ success: true, msg: '结果已接收', accepted: true });
    expect(await agent.call('report_result', report)).toMatchObject({ success: true, msg: '结果已接收', accepted: false });
    expect((await panel.admin('listnodetask', { node_pk: String(agent.id) })).rows).toMatchObject([
      { task_id: taskId, status: 'success', result_text: '{"message":"pong"}' },
    ]);
  });

  it('with an expired lease are returned by the tick', async () => {
    const agent = await newAgent();
    await panel.get(TaskQueue).add([agent.nodeId], 'ping', {});
    await agent.call('pull_task');
    // A minute used by no other test: each has one tick.
    at += 3_600_000;
    await panel.get(CronScheduler).tick(new Date(at));
    expect((await panel.admin('listnodetask', { node_pk: String(agent.id), status: 'pending' })).rows).toMatchObject([{ attempts: 1 }]);
    expect(((await agent.call('pull_task')).data.task as { attempt: number }).attempt).toBe(2);
  });
});

describe('scans an agent starts on its own', () => {
  it('are kept for 90 days', async () => {
    const agent = await newAgent();
    const names = async (): Promise<unknown[]> =>
      ((await panel.admin('listforbiddenscan', { node_pk: String(agent.id) })).rows as unknown as { task_id: string }[]).map(
        ({ task_id }) => task_id,
      );
    for (const [task_id, days] of [
      ['scan_auto_1', 91],
      ['scan_auto_2', 89],
    ] as const) {
      await agent.call('report_result', { task_id, status: 'success', result: { matches: [{ path: `/${task_id}`, keyword: 'k' }] } });
      await panel
        .get(Database)
        .repository(ForbiddenScan)
        .update({ taskId: task_id }, { createdAt: new Date(at - days * 86_400_000) });
    }
    // Old ones are deleted on the hour.
    at = (Math.floor(at / 3_600_000) + 2) * 3_600_000;
    await panel.get(CronScheduler).tick(new Date(at));
    expect(await names()).toEqual(['scan_auto_2']);
  });

  it('are accepted once each, and under the same name from each node', async () => {
    const [one, other] = [await newAgent(), await newAgent()];
    const found = (path: string) => ({
      status: 'success',
      result: {
        site: 'a.example',
        summary: { scanned_files: 3 },
        matches: [{ type: 'file', path, line: 4, keyword: 'bad', excerpt: 'so bad' }],
      },
    });
    const report = found('/www/a.php');
    for (const kind of ['full', 'incremental', 'auto']) {
      const task_id = `scan_${kind}_1795228338`;
      const report = found(`/www/${kind}.php`);
      const answers = await Promise.all(Array.from({ length: 5 }, () => one.call('report_result', { task_id, ...report })));
      expect(answers.map(({ msg }) => msg)).toEqual(Array.from({ length: 5 }, () => '结果已接收'));
      expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1);
      expect((await other.call('report_result', { task_id, ...report })).accepted).toBe(true);
      expect(await database.repository(ForbiddenScan).countBy({ taskId: task_id })).toBe(2);
    }
    for (const task_id of ['scan_other_1', 'scan_full_', `scan_full_${'1'.repeat(60)}`])
      expect((await one.call('report_result', { task_id, ...report })).msg).toBe('任务不存在');
    const failed = await one.call('report_result', { task_id: 'scan_full_2', status: 'failed', error: 'no such folder' });
    expect(failed.accepted).toBe(true);
    expect(await database.repository(ForbiddenScan).findOneByOrFail({ taskId: 'scan_full_2' })).toMatchObject({
      status: 'failed',
      matchCount: 0,
      summary: { error: 'no such folder' },
    });
  });
});
