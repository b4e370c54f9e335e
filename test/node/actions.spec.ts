import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { ActionTasks, BodyRows } from '../../src/agents/actions/index.js';
import {
  AgentCalls,
  type AgentNode,
  bodyOf,
  NodeBody,
  NodeTask,
  type ServerCall,
  TaskSignals,
  type ActionName,
} from '../../src/agents/index.js';
import { Database } from '../../src/database/index.js';
import { HostingNode } from '../../src/hosting/index.js';

import { createAgentNode } from '../support/agent.js';
import { type ActionHandler, AgentRefusal, FakeAgent, type FakeAgentOptions } from '../support/fake-agent.js';
import { TestPanel } from '../support/panel.js';
import { type Panel, startPanel } from '../support/start-panel.js';

const PLATFORM = 'platform';
const site = { name: 'svc.0001', id: 'svc1', mark: 'host:1', user: 'alice' };

let panel: TestPanel;
let second: Panel;
const agents: FakeAgent[] = [];
let made = 0;
/** The number of agents waiting at the panel. */
let waits: () => number;

beforeAll(async () => {
  panel = await TestPanel.start();
  waits = waitsOf(panel.get(TaskSignals));
  second = await startPanel(panel.place.config);
});
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stopNow();
});
afterAll(async () => {
  await second.close();
  await panel.close();
});

const database = () => panel.get(Database);
const tasks = () => database().repository(NodeTask);

/** Counts from now on. @returns the number of agents waiting for a task in a process */
function waitsOf(signals: TaskSignals): () => number {
  const wait = signals.waitForTask.bind(signals);
  let count = 0;
  signals.waitForTask = (nodeId, ms, begun) => {
    count += 1;
    return wait(nodeId, ms, begun).finally(() => (count -= 1));
  };
  return () => count;
}

/** A separate server with an agent. */
async function node(): Promise<{ server: string; row: AgentNode }> {
  made += 1;
  const row = await createAgentNode(database(), `n${made}`, { platformSecret: PLATFORM });
  const server = await database().repository(HostingNode).findOneByOrFail({ id: row.hostingNodeId! });
  const own = await database()
    .repository(HostingNode)
    .save({ ...server, id: undefined as unknown as number, code: `server${made}`, codeKey: `server${made}` });
  await database()
    .repository(row.constructor as typeof AgentNode)
    .update(row.id, { hostingNodeId: own.id });
  return { server: own.code, row };
}

async function agent(handle: ActionHandler, options: FakeAgentOptions & { url?: () => string } = {}) {
  const { server, row } = await node();
  const secrets = { platformSecret: PLATFORM, nodeSecret: row.secret };
  const { url = () => panel.url, ...rest } = options;
  const fake = await new FakeAgent(url, row.nodeId, secrets, handle, rest).start();
  agents.push(fake);
  return { server, fake, row };
}

function call<Name extends ActionName>(
  server: string,
  action: Name,
  args: ServerCall<Name>['args'],
  more: Partial<ServerCall<Name>> = {},
  of: Pick<Panel, 'app'> | TestPanel = panel,
) {
  const calls = of instanceof TestPanel ? of.get(AgentCalls) : of.app.get(AgentCalls, { strict: false });
  return calls.call<Name>({ server, action, site, args, signal: new AbortController().signal, ...more });
}

const nothing: ActionHandler = () => Promise.resolve({});

describe('a call to a server', () => {
  it('reaches the waiting agent with its secrets, and its response the caller; the row keeps none of them', async () => {
    const seen: unknown[] = [];
    const { server } = await agent(({ site: of, args }) => {
      seen.push(of, args);
      return Promise.resolve({});
    });
    const result = await call(server, 'site.password', { password: 'geheim-77' });
    expect(result).toEqual({ outcome: 'ok', value: {} });
    expect(seen).toEqual([site, { password: 'geheim-77' }]);
    const [row] = await tasks().find({ order: { id: 'DESC' }, take: 1 });
    expect(row).toMatchObject({ action: 'site.password', status: 'success', sealed: null, attempts: 1 });
    expect(JSON.stringify(row)).not.toContain('geheim-77');
    expect(JSON.stringify((await panel.admin('listnodetask')).rows)).not.toContain('geheim-77');
  });

  it('passes on what the agent refused, and treats an invalid response as unknown', async () => {
    const { server } = await agent(({ action }) => {
      if (action === 'site.start') throw new AgentRefusal('FOREIGN', { name: 'x' });
      if (action === 'site.stop') throw new AgentRefusal('', {}, 'not_found');
      return Promise.reject(new Error('power cut'));
    });
    expect(await call(server, 'site.start', {})).toMatchObject({ outcome: 'refused', problem: { code: 'FOREIGN', params: { name: 'x' } } });
    expect(await call(server, 'site.stop', {})).toEqual({ outcome: 'not_found' });
    expect(await call(server, 'site.sync', {})).toMatchObject({ outcome: 'unknown' });
    const { server: other, fake, row } = await agent(nothing, { wait: 0 });
    await fake.stopNow();
    const asked = call(other, 'site.sync', {});
    const liar = new FakeAgent(() => panel.url, row.nodeId, { platformSecret: PLATFORM, nodeSecret: row.secret }, nothing);
    const { task } = (await liar.call('pull_task', { wait: 20 })).data as { task: { task_id: string; attempt: number } };
    await liar.call('report_result', {
      task_id: task.task_id,
      attempt: task.attempt,
      status: 'success',
      result: { outcome: 'ok', value: { running: 'yes' }, body: null },
    });
    expect(await asked).toMatchObject({ outcome: 'unknown' });
  });

  it('is refused when the agent only scans, and fails when it is offline; nothing waits for it then', async () => {
    const { server } = await agent(nothing, { capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan'] });
    expect(await call(server, 'site.start', {})).toMatchObject({ outcome: 'refused', problem: { code: 'SCAN_ONLY' } });
    const { server: silent } = await node();
    expect(await call(silent, 'site.start', {})).toMatchObject({ outcome: 'unreachable' });
    const { server: gone, fake, row } = await agent(nothing);
    await fake.stopNow();
    const stop = new AbortController();
    const asked = call(gone, 'site.start', {}, { signal: stop.signal });
    await expect.poll(() => tasks().countBy({ nodeId: row.nodeId, status: 'pending' })).toBe(1);
    stop.abort();
    expect(await asked).toMatchObject({ outcome: 'unreachable' });
    expect(await tasks().findOneByOrFail({ nodeId: row.nodeId })).toMatchObject({ status: 'expired', sealed: null });
  });

  it('does not wait for an agent that goes offline before fetching it', async () => {
    const { server, fake, row } = await agent(nothing);
    await fake.stopNow();
    const rows = database().repository(row.constructor as typeof AgentNode);
    const heardBefore = (ms: number) => rows.update(row.id, { lastHeartbeatAt: new Date(Date.now() - ms) });
    const waiting = () => tasks().countBy({ nodeId: row.nodeId, status: 'pending' });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      // It may take an hour.
      const called = call(server, 'backups.make', { deed: '0'.repeat(32), name: 'a.tar.gz', url: null });
      while ((await waiting()) === 0) await pause(10);
      vi.advanceTimersByTime(20_000);
      await pause(100);
      expect(await waiting()).toBe(1);
      await heardBefore(61_000);
      vi.advanceTimersByTime(10_000);
      expect(await called).toMatchObject({ outcome: 'unreachable' });
      // Work started on this clock ends on it: nothing else would wake it.
      while (vi.getTimerCount() > 0) {
        vi.advanceTimersByTime(1_000);
        await pause(10);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('has an unknown outcome once it was handed out without a report; a later report is stored as late', async () => {
    let goOn!: () => void;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const { server, fake, row } = await agent(async () => {
      await held;
      return {};
    });
    const stop = new AbortController();
    const asked = call(server, 'site.stop', {}, { signal: stop.signal });
    await expect.poll(() => fake.taken.length).toBe(1);
    stop.abort();
    expect(await asked).toMatchObject({ outcome: 'unknown' });
    goOn();
    await expect.poll(async () => (await tasks().findOneByOrFail({ nodeId: row.nodeId })).status).toBe('late');
    // It is not handed out again, and nobody else may report its result.
    const again = await fake.call('report_result', { task_id: fake.taken[0]!.task_id, status: 'success', result: {} });
    expect(again.data).toMatchObject({ accepted: false });
    expect(fake.taken).toHaveLength(1);
  });

  it('reports the progress of long work, and ends it when nobody wants it any more', async () => {
    let wanted: boolean | null = null;
    const { server } = await agent(async ({ progress }) => {
      await progress(3, 10);
      while ((wanted = await progress(4, 10)));
      return {};
    });
    const stop = new AbortController();
    const told: number[][] = [];
    const asked = call(
      server,
      'files.purge',
      { deed: 'd1', ids: null, before: null },
      { signal: stop.signal, progress: (done, total) => void told.push([done, total]) },
    );
    await expect.poll(() => told.length).toBeGreaterThan(0);
    stop.abort();
    expect(await asked).toMatchObject({ outcome: 'unknown' });
    await expect.poll(() => wanted).toBe(false);
    expect(told.every(([, total]) => total === 10)).toBe(true);
  });
});

describe('two panels over one database', () => {
  it('respond to a wait within 300 ms of the row, whichever of them wrote it, and to the caller of the other', async () => {
    const { server } = await agent(nothing, { url: () => second.url });
    for (const asker of [panel, second]) {
      const began = performance.now();
      expect(await call(server, 'site.start', {}, {}, asker)).toMatchObject({ outcome: 'ok' });
      expect(performance.now() - began).toBeLessThan(900);
    }
  });

  it.each(['the same', 'the other'])('pass bodies on when the agent connects to %s', async (which) => {
    const sent = Buffer.alloc(700_000, 'ab\0c');
    const got: Buffer[] = [];
    const { server } = await agent(
      async ({ action, body, send }) => {
        if (action === 'files.write') {
          got.push(await body());
          return { version: 'v', changedAt: 1, space: 0 };
        }
        await send(Readable.from([sent.subarray(0, 99), sent.subarray(99)]), sent.length);
        return { version: 'v', changedAt: 1 };
      },
      { url: () => (which === 'the same' ? panel.url : second.url) },
    );
    const hash = createHash('sha256').update(sent).digest('hex');
    const written = await call(server, 'files.write', { path: '/a', isNew: true, version: null, space: 0 }, { send: bodyOf(sent, hash) });
    expect(written).toMatchObject({ outcome: 'ok' });
    expect(got[0]!.equals(sent)).toBe(true);
    const parts: Buffer[] = [];
    let length: number | null = null;
    const read = await call(
      server,
      'files.read',
      { path: '/a', most: 1_000_000 },
      {
        receive: (body, bytes) => {
          length = bytes;
          body.on('data', (part: Buffer) => parts.push(part));
        },
      },
    );
    expect(read).toMatchObject({ outcome: 'ok' });
    expect([length, Buffer.concat(parts).equals(sent)]).toEqual([sent.length, true]);
  });
});

describe('a body whose other end was in a killed process', () => {
  const args = { path: '/a', isNew: true, version: null, space: 0 };
  const ended = async (taskId: string) => (await tasks().findOneByOrFail({ taskId })).status;
  const pieces = (taskId: string) => database().repository(NodeBody).countBy({ taskId });

  it.each(['files.write', 'files.open'] as const)(
    'ends the task of %s long before its timeout expires, and leaves nothing',
    async (action) => {
      const told: string[] = [];
      const { row } = await agent(async ({ task }) => {
        const fake = agents.at(-1)!;
        const content = Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(65_536)));
        const { task_id: id, attempt } = task;
        const response = action === 'files.write' ? await fake.getBody(id, attempt) : await fake.putBody(id, attempt, content, 40 * 65_536);
        told.push(((await response.json()) as { msg: string }).msg);
        throw new AgentRefusal('BODY');
      });
      // The row is all that is left of a call whose process is gone.
      const calls = panel.get(ActionTasks);
      const taskId = calls.newId();
      await calls.add(taskId, {
        nodeId: row.nodeId,
        action,
        site,
        args: action === 'files.write' ? args : { path: '/a' },
        body: action === 'files.write' ? { bytes: 3, sha256: null } : null,
      });
      await expect.poll(() => ended(taskId), { timeout: 12_000 }).toBe('failed');
      expect(told).toEqual(['发起该任务的面板进程已结束，数据随之丢失，任务将失败']);
      expect(await pieces(taskId)).toBe(0);
    },
  );

  it('is not waited for either when the process was killed in the middle of it', async () => {
    const { server, row } = await agent(
      async ({ task }) => {
        const endless = Readable.from(
          (function* () {
            for (;;) yield Buffer.alloc(65_536);
          })(),
        );
        await agents.at(-1)!.putBody(task.task_id, task.attempt, endless, null);
        throw new AgentRefusal('BODY');
      },
      { url: () => second.url },
    );
    const rows = panel.get(BodyRows);
    const attend = rows.keepAlive.bind(rows);
    const killed = new AbortController();
    const spy = vi.spyOn(rows, 'keepAlive').mockImplementation((taskId, signal) => {
      // It keeps the call alive until the test kills it, without an error, like a process that dies.
      void attend(taskId, AbortSignal.any([signal, killed.signal])).catch(() => undefined);
      return new Promise<never>(() => undefined);
    });
    let body: Readable | undefined;
    const asked = call(server, 'files.open', { path: '/a' }, { receive: (stream) => (body = stream) });
    try {
      await expect.poll(() => body !== undefined).toBe(true);
      // A slow reader does not end the call.
      await pause(6_500);
      const { taskId } = await tasks().findOneByOrFail({ nodeId: row.nodeId });
      expect(await ended(taskId)).toBe('running');
      killed.abort();
      await expect.poll(() => ended(taskId), { timeout: 12_000 }).toBe('failed');
    } finally {
      spy.mockRestore();
      body?.destroy();
      await asked;
    }
  }, 30_000);
});

describe('a body', () => {
  it('that was removed ends where it is read, and is not waited for', async () => {
    const rows = panel.get(BodyRows);
    const { signal } = new AbortController();
    const endless = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('one');
      await new Promise(() => undefined);
    };
    void rows.write('cleared-body', null, endless(), signal);
    const { content } = await rows.open('cleared-body', signal);
    const read = content[Symbol.asyncIterator]();
    expect(String((await read.next()).value)).toBe('one');
    await rows.clear('cleared-body');
    await expect(read.next()).rejects.toThrow('The body was removed');
  });

  it('belongs to one task, node and attempt, and has a size limit', async () => {
    const answers: string[] = [];
    const { row: stranger } = await node();
    const other = new FakeAgent(() => panel.url, stranger.nodeId, { platformSecret: PLATFORM, nodeSecret: stranger.secret }, nothing);
    const { server } = await agent(async ({ task, send }) => {
      const refused = async (response: Response) => answers.push(((await response.json()) as { msg: string }).msg);
      await refused(await other.putBody(task.task_id, task.attempt, Readable.from([Buffer.from('x')]), 1));
      await refused(await fakeOf().putBody(task.task_id, task.attempt + 1, Readable.from([Buffer.from('x')]), 1));
      await refused(await fakeOf().putBody(task.task_id, task.attempt, Readable.from([Buffer.from('x')]), 2 ** 40));
      await refused(await fakeOf().getBody(task.task_id, task.attempt));
      await send(Buffer.from('once'));
      await refused(await fakeOf().putBody(task.task_id, task.attempt, Readable.from([Buffer.from('twice')]), 5));
      return { next: 'n' };
    });
    const fakeOf = () => agents.at(-1)!;
    const parts: Buffer[] = [];
    const result = await call(
      server,
      'logs.read',
      { cursor: '' },
      { receive: (body) => body.on('data', (part: Buffer) => parts.push(part)) },
    );
    expect(result).toMatchObject({ outcome: 'ok', value: { next: 'n' } });
    expect(Buffer.concat(parts).toString()).toBe('once');
    expect(answers).toHaveLength(5);
    expect(answers[0]).toBe('任务不存在');
  });

  it('shorter, longer or different from the report always ends with an error for its reader', async () => {
    for (const lie of ['short', 'long', 'other', 'nothing'] as const) {
      const { server } = await agent(async ({ task }) => {
        const announced = lie === 'short' ? 10 : lie === 'long' ? 2 : 5;
        await agents
          .at(-1)!
          .putBody(task.task_id, task.attempt, Readable.from([Buffer.from('12345')]), announced)
          .catch(() => null);
        await agents.at(-1)!.call('report_result', {
          task_id: task.task_id,
          attempt: task.attempt,
          status: 'success',
          result: { outcome: 'ok', value: { next: '' }, body: lie === 'nothing' ? null : { bytes: 5, sha256: 'a'.repeat(64) } },
        });
        return {};
      });
      const ended = new Promise<string>((resolve) => {
        void call(
          server,
          'logs.read',
          { cursor: '' },
          {
            receive: (body) =>
              body
                .on('error', () => resolve('broken'))
                .on('end', () => resolve('whole'))
                .resume(),
          },
        );
      });
      expect([lie, await ended]).toEqual([lie, 'broken']);
    }
  });

  it('is sent as fast as it is read, and ends with its reader', async () => {
    let sent = 0;
    let failed: unknown = null;
    const { server } = await agent(async ({ send }) => {
      const endless = Readable.from(
        (function* () {
          for (;;) {
            sent += 65_536;
            yield Buffer.alloc(65_536);
          }
        })(),
      );
      await send(endless).catch((error: unknown) => {
        failed = error;
        throw error;
      });
      return {};
    });
    let body!: Readable;
    const asked = call(server, 'files.open', { path: '/big' }, { receive: (stream) => (body = stream) });
    await expect.poll(() => body !== undefined).toBe(true);
    let before = -1;
    // As nothing is read, the transfer pauses.
    await expect.poll(() => [before, (before = sent)][0] === sent, { interval: 300 }).toBe(true);
    expect(sent).toBeLessThan(24 * 1024 * 1024);
    body.destroy();
    expect(await asked).toMatchObject({ outcome: 'unknown' });
    await expect.poll(() => failed).not.toBeNull();
  });

  it('is signed', async () => {
    const { server } = await agent(async ({ task, send }) => {
      const target = `/api/node.php?act=put_body&task_id=${task.task_id}&attempt=${task.attempt}`;
      const { 'X-SVC-Sign': _, ...unsigned } = agents.at(-1)!.signed(target, 'stream');
      const answer = await fetch(panel.url + target, {
        method: 'POST',
        headers: { ...unsigned, 'X-SVC-Sign': 'a'.repeat(64) },
        body: 'forged',
      });
      expect(await answer.json()).toMatchObject({ success: false, msg: '节点签名校验失败' });
      await send(Buffer.from('real'));
      return { next: '' };
    });
    expect(await call(server, 'logs.read', { cursor: '' }, {})).toMatchObject({ outcome: 'ok' });
  });
});

describe('a wait', () => {
  it('is limited to one per node: the later one replaces it', async () => {
    const { row } = await node();
    const fake = new FakeAgent(() => panel.url, row.nodeId, { platformSecret: PLATFORM, nodeSecret: row.secret }, nothing);
    // Agents of the previous tests may still wait.
    await expect.poll(waits, { timeout: 30_000 }).toBe(0);
    const first = fake.call('pull_task', { wait: 25 });
    await expect.poll(waits).toBe(1);
    const later = fake.call('pull_task', { wait: 25 });
    expect((await first).data).toEqual({ task: null });
    await expect.poll(waits).toBe(1);
    await fake.stopNow();
    await later.catch(() => undefined);
    await expect.poll(waits).toBe(0);
  });

  it('requires authentication', async () => {
    const { row } = await node();
    const thief = new FakeAgent(() => panel.url, row.nodeId, { platformSecret: PLATFORM, nodeSecret: 'x' }, nothing);
    const began = performance.now();
    expect(await thief.call('pull_task', { wait: 25 })).toMatchObject({ success: false });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(waits()).toBe(0);
  });

  it('does not start when the caller is gone, and ends immediately with the process', async () => {
    const { row } = await node();
    const own = await startPanel(panel.place.config);
    const secrets = { platformSecret: PLATFORM, nodeSecret: row.secret };
    const fake = new FakeAgent(() => own.url, row.nodeId, secrets, nothing);
    expect((await fake.call('pull_task', {})).data).toEqual({ task: null });
    const waitsThere = waitsOf(own.app.get(TaskSignals, { strict: false }));
    const waiting = fake.call('pull_task', { wait: 25 });
    await expect.poll(waitsThere).toBe(1);
    const began = performance.now();
    own.announceEnd();
    expect((await waiting).data).toEqual({ task: null });
    expect(performance.now() - began).toBeLessThan(2_000);
    await own.close();
  });

  it('leaves a task to the next agent when its own has gone', async () => {
    const { server, row } = await node();
    const target = '/api/node.php?act=pull_task';
    const body = '{"wait":25}';
    const fake = new FakeAgent(() => panel.url, row.nodeId, { platformSecret: PLATFORM, nodeSecret: row.secret }, nothing);
    await fake.heartbeat();
    const dying = request(panel.url + target, { method: 'POST', headers: fake.signed(target, Buffer.from(body)) });
    const died = new Promise((resolve) => dying.on('error', () => undefined).on('close', resolve));
    dying.end(body);
    await expect.poll(waits).toBe(1);
    dying.destroy();
    await died;
    await expect.poll(waits).toBe(0);
    const asked = call(server, 'site.start', {});
    await fake.start();
    agents.push(fake);
    expect(await asked).toMatchObject({ outcome: 'ok' });
  });
});
