/** Tasks and logs of agents, as administrators see and change them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { agentLogActions } from '../../agent/src/host/actions/agent-log-actions.js';
import { SiteMissing } from '../../agent/src/host/refusal.js';
import { Log } from '../../agent/src/log.js';
import { LogFiles } from '../../agent/src/log-files.js';
import { AgentCalls, type AgentNode, NodeTask, TaskQueue } from '../../src/agents/index.js';
import { Database } from '../../src/database/index.js';
import { HostingNode } from '../../src/hosting/index.js';
import { OperationLog } from '../../src/operations/index.js';

import { createAgentNode, TestAgent } from '../support/agent.js';
import { AgentRefusal, FakeAgent, type FakeAgentOptions, type TakenAction } from '../support/fake-agent.js';
import { TestPanel } from '../support/panel.js';

const PLATFORM = 'platform';
const site = { name: 'svc.0001', id: 'svc1', mark: 'host:1', user: 'alice' };
let panel: TestPanel;
let made = 0;
const agents: FakeAgent[] = [];

beforeAll(async () => {
  panel = await TestPanel.start();
});
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stopNow();
});
afterAll(() => panel.close());

const database = (): Database => panel.get(Database);
const tasks = () => database().repository(NodeTask);

/** A separate server with an agent that has just connected. */
async function node(): Promise<{ server: string; row: AgentNode; agent: TestAgent }> {
  made += 1;
  const row = await createAgentNode(database(), `n${made}`, { platformSecret: PLATFORM });
  const like = await database().repository(HostingNode).findOneByOrFail({ id: row.hostingNodeId! });
  const code = `server${made}`;
  const own = await database()
    .repository(HostingNode)
    .save({ ...like, id: undefined as unknown as number, code, codeKey: code });
  await database()
    .repository(row.constructor as typeof AgentNode)
    .update(row.id, { hostingNodeId: own.id });
  const agent = new TestAgent(panel.url, row.nodeId, { platformSecret: PLATFORM, nodeSecret: row.secret }, () => Date.now());
  return { server: code, row, agent };
}

describe('a task of an agent', () => {
  const failedPing = async () => {
    const { row, agent } = await node();
    await panel.admin('nodeping', { id: String(row.id) });
    const { task } = (await agent.call('pull_task')).data as { task: { task_id: string } };
    await agent.call('report_result', { task_id: task.task_id, status: 'failed', error: 'no' });
    return { taskId: task.task_id, row, agent };
  };

  it('is shown with all requests and responses, and no secret', async () => {
    const { row, server } = await node();
    const calls = panel.get(AgentCalls);
    await panel.get(TaskQueue).add([row.nodeId], 'ping', { settings: { passwords: [{ user: 'x', hash: '$2y$10$abc"quoted' }] } });
    const stop = new AbortController();
    await database()
      .repository(row.constructor as typeof AgentNode)
      .update(row.id, { capabilities: ['sites'], lastHeartbeatAt: new Date() });
    const asked = calls.call({ server, action: 'site.password', site, args: { password: 'geheim-88' }, signal: stop.signal });
    await expect.poll(() => tasks().countBy({ nodeId: row.nodeId })).toBe(2);
    const { rows } = (await panel.admin('listnodetask', { node_pk: String(row.id) })) as unknown as { rows: Record<string, string>[] };
    expect(rows).toMatchObject([
      { action: 'site.password', node_name: row.name, status: 'pending', deadline: expect.stringMatching(/^\d{4}-/) as string },
      { action: 'ping' },
    ]);
    expect(await panel.admin('listnodetask', { node_pk: String(row.id), action: 'site' })).toMatchObject({ total: 1 });
    for (const { task_id } of rows) {
      const shown = JSON.stringify(await panel.admin('nodetasksj', { task_id: task_id! }));
      expect(shown).toContain(task_id);
      expect(shown).not.toMatch(/geheim-88|2y\$10|quoted/);
      const page = await (await panel.adminFetch(`/admin/agent-task?task_id=${task_id}`)).text();
      expect(page).toContain(task_id);
      expect(page).not.toMatch(/geheim-88|2y\$10/);
    }
    const [{ task_id: password } = {}] = rows;
    for (const [language, words] of [
      ['en', 'Site'],
      ['zh-CN', '站点'],
    ] as const) {
      const show = async (path: string) => (await panel.adminFetch(path, { headers: { 'Accept-Language': language } })).text();
      const listed = await show(`/admin/agent-tasks?node_pk=${row.id}`);
      expect(listed).toContain(`hx-boost="false">${words}</a>`);
      expect(listed).toContain('<code>site.password</code>');
      expect(listed).not.toContain('>site.password</a>');
      expect(await show(`/admin/agent-task?task_id=${password}`)).toMatch(
        new RegExp(`${words}\\s+<div[^>]*>\\s*<code[^>]*>site\\.password</code>`),
      );
    }
    stop.abort();
    await asked;
  });

  it('that failed is sent again, once, however many request it at once', async () => {
    const { taskId, row, agent } = await failedPing();
    const both = await Promise.all([panel.admin('nodetaskcx', { task_id: taskId }), panel.admin('nodetaskcx', { task_id: taskId })]);
    expect(both.map(({ success }) => success).sort()).toEqual([false, true]);
    expect(both.find(({ success }) => !success)).toMatchObject({ err: 'E_STATE', msg: expect.stringContaining('失败') as string });
    // The report of its first attempt, sent twice, says nothing about the second: neither before that has started nor afterwards.
    const late = { task_id: taskId, attempt: 1, status: 'failed', error: 'said twice' };
    for (const report of [late, { ...late, attempt: undefined }])
      expect(await agent.call('report_result', report)).toMatchObject({ success: true, accepted: false });
    const { task } = (await agent.call('pull_task')).data as { task: { task_id: string; attempt: number } };
    expect(task).toMatchObject({ task_id: taskId, attempt: 2 });
    expect(await agent.call('report_result', late)).toMatchObject({ success: true, accepted: false });
    // A running one is neither sent again nor cancelled.
    for (const gn of ['nodetaskcx', 'nodetaskqx'])
      expect(await panel.admin(gn, { task_id: taskId })).toMatchObject({ success: false, err: 'E_STATE' });
    await agent.call('report_result', { task_id: taskId, attempt: 2, status: 'success', result: { message: 'pong' } });
    expect(await tasks().findOneByOrFail({ taskId })).toMatchObject({ status: 'success', error: '', nodeId: row.nodeId });
    expect(await panel.admin('nodetaskcx', { task_id: taskId })).toMatchObject({ success: false });
    const lines = await database()
      .repository(OperationLog)
      .find({ order: { id: 'DESC' }, take: 10 });
    expect(lines.filter((line) => JSON.stringify(line).includes('nodetaskcx')).length).toBe(1);
  });

  it('of a failed action gives the reason in the reader’s language', async () => {
    const { row, server, agent } = await node();
    await database()
      .repository(row.constructor as typeof AgentNode)
      .update(row.id, { capabilities: ['sites'], lastHeartbeatAt: new Date() });
    const asked = panel.get(AgentCalls).call({ server, action: 'site.start', site, args: {}, signal: new AbortController().signal });
    await expect.poll(() => tasks().countBy({ nodeId: row.nodeId, status: 'pending' })).toBe(1);
    const { task } = (await agent.call('pull_task')).data as { task: { task_id: string } };
    const message = 'nginx <b>ended</b> with 1';
    const result = { outcome: 'refused', code: 'PROGRAM', params: {}, message };
    await agent.call('report_result', { task_id: task.task_id, status: 'failed', result, error: message });
    expect(await asked).toMatchObject({ outcome: 'refused', message });
    for (const [language, words] of [
      ['en', 'A program on the server failed: '],
      ['zh-CN', '服务器上的程序执行失败：'],
    ] as const) {
      const page = await panel.adminFetch(`/admin/agent-task?task_id=${task.task_id}`, { headers: { 'Accept-Language': language } });
      expect(await page.text()).toContain(`${words}nginx &lt;b&gt;ended&lt;/b&gt; with 1`);
    }
  });

  it('that is waiting can be cancelled, once; the agent does not get it', async () => {
    const { row, agent } = await node();
    const taskId = String((await panel.admin('nodeping', { id: String(row.id) })).data.task_id);
    const both = await Promise.all([panel.admin('nodetaskqx', { task_id: taskId }), panel.admin('nodetaskqx', { task_id: taskId })]);
    expect(both.map(({ success }) => success).sort()).toEqual([false, true]);
    expect((await agent.call('pull_task')).data.task ?? null).toBeNull();
    expect(await panel.admin('nodetasksj', { task_id: taskId })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('取消') as string,
    });
  });

  it('of an action is cancelled, its caller learns that it was not done, and it cannot be sent again', async () => {
    const { row, server } = await node();
    await database()
      .repository(row.constructor as typeof AgentNode)
      .update(row.id, { capabilities: ['sites'], lastHeartbeatAt: new Date() });
    const asked = panel.get(AgentCalls).call({ server, action: 'site.start', site, args: {}, signal: new AbortController().signal });
    await expect.poll(() => tasks().countBy({ nodeId: row.nodeId, status: 'pending' })).toBe(1);
    const { taskId } = await tasks().findOneByOrFail({ nodeId: row.nodeId });
    expect(await panel.admin('nodetaskqx', { task_id: taskId })).toMatchObject({ success: true });
    expect(await asked).toMatchObject({ outcome: 'unreachable' });
    expect(await panel.admin('nodetaskcx', { task_id: taskId })).toMatchObject({ success: false, err: 'E_STATE' });
  });

  it('that does not exist is not found, and others may not ask', async () => {
    for (const gn of ['nodetasksj', 'nodetaskcx', 'nodetaskqx']) {
      expect(await panel.admin(gn, { task_id: 'task_0' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
      expect(await panel.admin(gn, { task_id: "1' OR '1'='1" })).toMatchObject({ success: false, err: 'E_ARGS' });
      expect(await panel.admin(gn, {})).toMatchObject({ success: false, err: 'E_ARGS' });
    }
    expect((await panel.adminFetch('/admin/agent-task?task_id=task_0')).status).toBe(404);
    expect((await panel.adminFetch('/admin/agent-task')).status).toBe(404);
  });
});

describe('the log of an agent', () => {
  let folder: string;
  let files: LogFiles;
  let log: Log;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-agent-log-'));
    files = new LogFiles(folder);
    log = new Log('INFO', ['hush-hush'], (line) => files.append(line));
  });
  afterEach(() => {
    files.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** An agent with the log of this test. */
  const logging = (action: TakenAction): Promise<Record<string, unknown>> => {
    const handlers = agentLogActions(log, files) as unknown as Record<
      string,
      (site: null, args: unknown, turn: unknown) => Promise<{ value: Record<string, unknown> }>
    >;
    const send = ({ content, bytes }: { content: Readable; bytes: number }): Promise<void> => action.send(content, bytes);
    return handlers[action.action]!(null, action.args, { send }).then(
      ({ value }) => value,
      (error: unknown) => Promise.reject(error instanceof SiteMissing ? new AgentRefusal('', {}, 'not_found') : error),
    );
  };
  async function logged(handle = logging, options: FakeAgentOptions = {}) {
    const { row } = await node();
    const secrets = { platformSecret: PLATFORM, nodeSecret: row.secret };
    agents.push(await new FakeAgent(() => panel.url, row.nodeId, secrets, handle as never, options).start());
    return { row, id: String(row.id) };
  }
  const page = async (query: string) => (await panel.adminFetch(`/admin/agent-log?${query}`)).text();

  it('is listed, read, searched and cleared, and its level can be raised', async () => {
    const { id } = await logged();
    for (let i = 0; i < 40; i++) log.info(`line ${i} <b>`, { token: 'hush-hush' });
    log.error('No heartbeat');
    const { rows } = (await panel.admin('nodeloglist', { node_id: id })) as unknown as { rows: Record<string, unknown>[] };
    expect(rows).toMatchObject([{ log_file: 'agent.log', info: 40, error: 1 }]);
    expect(await panel.admin('nodelogstats', { node_id: id })).toMatchObject({ level: 'INFO', error: 1, node_name: `n${made}` });
    const read = (more: Record<string, string> = {}) => panel.admin('nodelogcontent', { node_id: id, log_file: 'agent.log', ...more });
    expect(String((await read()).data.content)).toMatch(/line 39 <b> token="\*\*\*"\n.*ERROR No heartbeat\n$/);
    expect(String((await read({ level: 'ERROR' })).data.content)).toMatch(/^\S+ ERROR No heartbeat\n$/);
    const part = (await read({ limit: '1000' })).data as { offset: number; next: number; size: number; content: string };
    expect(part.next).toBe(part.size);
    expect(part.offset).toBeGreaterThan(0);
    expect((await read({ offset: '2147483647' })).data).toMatchObject({ content: '', next: part.size });
    expect(await read({ offset: String(Number.MAX_SAFE_INTEGER) })).toMatchObject({ err: 'E_ARGS' });
    const shown = await page(`node_id=${id}`);
    expect(shown).toContain('line 39 &lt;b&gt; token=');
    expect(shown).not.toMatch(/hush-hush|line 39 <b>/);
    expect(await page(`node_id=${id}&keyword=heartbeat&log_file=/etc/passwd&offset=99999999999999999999`)).toMatch(/ERROR No heartbeat/);
    expect(await panel.admin('nodeloglevel', { node_id: id, level: 'DEBUG' })).toMatchObject({ success: true });
    expect(log.level).toBe('DEBUG');
    expect(await panel.admin('nodelogclear', { node_id: id, log_file: 'agent.log' })).toMatchObject({ success: true });
    expect((await read()).data).toMatchObject({ content: '', size: 0 });
  });

  it('includes only its own files, and no parameters out of bounds', async () => {
    const { id } = await logged();
    log.info('one');
    for (const log_file of ['/etc/passwd', '../agent.json', 'agent.log/../../agent.json', 'agent.9.log', 'other.log', '..', 'a%00b'])
      for (const gn of ['nodelogcontent', 'nodelogclear'])
        expect(await panel.admin(gn, { node_id: id, log_file }), `${gn} ${log_file}`).toMatchObject({ success: false });
    const own = { node_id: id, log_file: 'agent.log' };
    const outOfBounds: Record<string, string>[] = [
      { limit: '999' },
      { limit: '500001' },
      { offset: '-1' },
      { offset: '1e99' },
      { level: 'TRACE' },
      { keyword: 'x'.repeat(201) },
    ];
    for (const wrong of outOfBounds) expect(await panel.admin('nodelogcontent', { ...own, ...wrong })).toMatchObject({ err: 'E_ARGS' });
    expect(await panel.admin('nodeloglevel', { node_id: id, level: '' })).toMatchObject({ err: 'E_ARGS' });
    expect(await panel.admin('nodeloglist', { node_id: '99999' })).toMatchObject({ err: 'E_NOTEXIST' });
    expect((await panel.adminFetch('/admin/agent-log?node_id=99999')).status).toBe(404);
    expect((await panel.adminFetch('/admin/agent-log')).status).toBe(404);
    expect(await panel.admin('nodelogcontent', own)).toMatchObject({ success: true });
  });

  it('says in words why it is unavailable: the agent does not respond, only scans, or is too old', async () => {
    const { row } = await node();
    const silent = await panel.admin('nodeloglist', { node_id: String(row.id) });
    expect(silent).toMatchObject({ err: 'E_STATE', msg: expect.stringContaining('journalctl') as string });
    expect(await page(`node_id=${row.id}`)).toContain('journalctl -u svc-agent');
    const scans = await logged(logging, { capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan'] });
    expect(await panel.admin('nodeloglist', { node_id: scans.id })).toMatchObject({
      err: 'E_DISABLED',
      msg: expect.stringContaining('扫描') as string,
    });
    // The response of deployed agents to unknown requests.
    const { row: old, agent } = await node();
    await database()
      .repository(old.constructor as typeof AgentNode)
      .update(old.id, { capabilities: ['sites'], lastHeartbeatAt: new Date() });
    const asked = panel.admin('nodeloglist', { node_id: String(old.id) });
    await expect.poll(() => tasks().countBy({ nodeId: old.nodeId, status: 'pending' })).toBe(1);
    const { task } = (await agent.call('pull_task')).data as { task: { task_id: string } };
    await agent.call('report_result', { task_id: task.task_id, status: 'failed', result: {}, error: '不支持的任务类型：agentlog.files' });
    expect(await asked).toMatchObject({ err: 'E_DISABLED', msg: expect.stringContaining('版本过旧') as string });
  });

  it('of one of two agents of a server is separate', async () => {
    const { row, server } = await node();
    const other = await createAgentNode(database(), `n${made}b`, { platformSecret: PLATFORM });
    await database()
      .repository(row.constructor as typeof AgentNode)
      .update(other.id, { hostingNodeId: (await database().repository(HostingNode).findOneByOrFail({ code: server })).id });
    const named = (name: string) => (): Promise<Record<string, unknown>> =>
      Promise.resolve({
        level: 'INFO',
        files: [{ name: 'agent.log', bytes: name.length, changedAt: 1, lines: { DEBUG: 0, INFO: 0, WARNING: 0, ERROR: 0 } }],
      });
    for (const [one, name] of [
      [row, 'a'],
      [other, 'bb'],
    ] as const)
      agents.push(
        await new FakeAgent(() => panel.url, one.nodeId, { platformSecret: PLATFORM, nodeSecret: one.secret }, named(name)).start(),
      );
    const sizeOf = async (id: number) => (await panel.admin('nodelogstats', { node_id: String(id) })).data.size;
    expect([await sizeOf(row.id), await sizeOf(other.id)]).toEqual([1, 2]);
  });
});
