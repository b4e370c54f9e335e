import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FakeNodePanel } from '../../../test/support/fake-node-panel.js';
import { sealSecrets } from '../../../src/agents/wire/seal.js';
import { parseConfig } from '../config/parse-config.js';
import { Log } from '../log.js';
import { PanelBodies } from '../panel/panel-bodies.js';
import { PanelClient } from '../panel/panel-client.js';
import { TaskRequest } from '../panel/task-request.js';
import { TaskWait } from '../panel/task-wait.js';
import { StateStore } from '../state/state-store.js';
import type { ActionContext } from './actions/action-handlers.js';
import { asHostTask, HostTasks } from './host-tasks.js';
import type { Hosting } from './hosting.js';

type Run = Hosting['run'];

describe('action tasks', () => {
  let panel: FakeNodePanel;
  let place: string;
  let lines: string[];
  let stop: AbortController;
  let run: Run;
  let spools = 0;
  beforeEach(async () => {
    panel = await FakeNodePanel.start();
    place = mkdtempSync(join(tmpdir(), 'svc-host-tasks-'));
    lines = [];
    stop = new AbortController();
    run = () => Promise.resolve({ outcome: 'ok', value: {} });
  });
  afterEach(async () => {
    stop.abort();
    await panel.close();
    rmSync(place, { recursive: true, force: true });
  });

  async function tasksOf(): Promise<HostTasks> {
    const { config } = parseConfig(JSON.stringify(panel.config({ state_dir: join(place, 'state'), hosting: true })), place);
    const hosting = {
      run: (...given: Parameters<Run>) => run(...given),
      spool: () => {
        const file = join(place, `body-${(spools += 1)}`);
        return Promise.resolve({ file, drop: () => Promise.resolve(rmSync(file, { force: true })) });
      },
    } as unknown as Hosting;
    const log = new Log('DEBUG', [], (line) => void lines.push(line));
    return new HostTasks({
      config,
      client: new PanelClient(config),
      bodies: new PanelBodies(config),
      hosting,
      store: await StateStore.open(config.stateDir),
      log,
    });
  }

  const site = { name: 'svc.1', id: 'svc00000001', mark: 'host:1', user: 'ann' };
  const payload = (change: object = {}): object => ({ site, args: {}, sealed: null, left: 20_000, body: null, ...change });
  const task = (action: string, change: object = {}, task_id = 'task_1'): Record<string, unknown> => ({
    task_id,
    action,
    attempt: 1,
    payload: payload(change),
  });

  /** What a task is reported as. */
  async function reported(raw: Record<string, unknown>, tasks?: HostTasks): Promise<Record<string, unknown>> {
    const own = tasks ?? (await tasksOf());
    await own.begin(asHostTask(raw)!, stop.signal);
    await panel.until(() => panel.reports.length > 0);
    // That it has ended is written down after the report: two at once would meet at that file.
    await own.idle();
    return panel.reports.shift() as unknown as Record<string, unknown>;
  }

  it('are run and reported with their attempt number', async () => {
    expect(await reported(task('site.start'))).toEqual({
      task_id: 'task_1',
      attempt: 1,
      status: 'success',
      result: { outcome: 'ok', value: {}, body: null },
      error: '',
    });
  });

  it('receive decrypted secrets, which are bound to the task and node and never stored', async () => {
    const secrets = { password: 'planted secret' };
    const seal = (change: object = {}): string =>
      sealSecrets(secrets, { nodeId: panel.nodeId, nodeSecret: panel.nodeSecret, taskId: 'task_1', action: 'site.password', ...change });
    let given: unknown;
    let begun = '';
    run = ({ secrets: opened }) => {
      given = opened;
      begun = readFileSync(join(place, 'state', 'actions.json'), 'utf8');
      return Promise.resolve({ outcome: 'ok', value: {} });
    };
    await reported(task('site.password', { sealed: seal() }));
    expect(given).toEqual(secrets);
    expect([begun, lines.join('')]).toEqual([
      '[{"task_id":"task_1","attempt":1,"action":"site.password"}]',
      expect.not.stringContaining('planted'),
    ]);
    given = null;
    for (const change of [{ taskId: 'task_2' }, { nodeId: 'node_other' }, { action: 'sftp.password' }, { nodeSecret: 'another' }])
      expect(await reported(task('site.password', { sealed: seal(change) })), JSON.stringify(change)).toMatchObject({
        status: 'failed',
        result: { outcome: 'refused', code: 'ARGUMENTS' },
      });
    expect(given).toBeNull();
  });

  it('are not started after their deadline and end at it', async () => {
    let isBegun = false;
    run = () => {
      isBegun = true;
      return Promise.resolve({ outcome: 'ok', value: {} });
    };
    for (const left of [0, -5, 'soon', null])
      expect(await reported(task('site.stop', { left }))).toMatchObject({ result: { outcome: 'refused', code: 'LATE' } });
    expect(isBegun).toBe(false);
    run = (_task, context: ActionContext) =>
      new Promise((_resolve, reject) => context.stop.addEventListener('abort', () => reject(context.stop.reason as Error)));
    expect(await reported(task('site.stop', { left: 30 }))).toMatchObject({
      status: 'failed',
      result: { outcome: 'unknown', code: 'LATE' },
    });
  });

  it('start only after the complete body was received', async () => {
    const bytes = Buffer.from('<?php phpinfo();');
    panel.bodies.set('task_1', bytes);
    let read = '';
    run = (_task, { body }) => {
      read = readFileSync(body!.file, 'utf8');
      return Promise.resolve({ outcome: 'ok', value: {} });
    };
    expect(await reported(task('files.write', { body: { bytes: bytes.length, sha256: null } }))).toMatchObject({ status: 'success' });
    expect(read).toBe('<?php phpinfo();');
    read = '';
    for (const body of [
      { bytes: bytes.length - 1, sha256: null },
      { bytes: bytes.length + 1, sha256: null },
      { bytes: null, sha256: '0'.repeat(64) },
    ])
      expect(await reported(task('files.write', { body }))).toMatchObject({
        status: 'failed',
        result: { outcome: 'refused', code: 'BODY' },
      });
    panel.bodies.clear();
    expect(await reported(task('files.write', { body: { bytes: 1, sha256: null } }))).toMatchObject({ result: { code: 'BODY' } });
    expect(read).toBe('');
  });

  it('send a body with its length up front, even if it was unknown', async () => {
    for (const known of [true, false]) {
      run = async (_task, { send }) => {
        await send({ bytes: known ? 11 : null, content: Readable.from([Buffer.from('hello '), Buffer.from('world')]) });
        return { outcome: 'ok', value: {} };
      };
      const { result } = await reported(task('files.open'));
      expect(panel.received.get('task_1')!.toString()).toBe('hello world');
      expect(result).toEqual({
        outcome: 'ok',
        value: {},
        body: { bytes: 11, sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' },
      });
    }
  });

  it('are reported with an unknown outcome after a crash', async () => {
    run = () => new Promise(() => undefined);
    const tasks = await tasksOf();
    await tasks.begin(asHostTask(task('site.stop'))!, stop.signal);
    await expect.poll(() => readFileSync(join(place, 'state', 'actions.json'), 'utf8')).toContain('task_1');
    const again = await tasksOf();
    await again.recover();
    const store = await StateStore.open(join(place, 'state'));
    const [name] = await store.reportNames();
    expect(await store.report(name!)).toMatchObject({ task_id: 'task_1', attempt: 1, status: 'failed', result: { outcome: 'unknown' } });
    expect(await store.begunActions()).toEqual([]);
  });

  it('do not include other kinds of tasks', () => {
    for (const action of ['ping', 'forbidden_scan', 'shell', '__proto__', 'toString', '']) expect(asHostTask(task(action))).toBeNull();
  });

  it('are awaited until the agent stops', async () => {
    const taken: unknown[] = [];
    const { config } = parseConfig(JSON.stringify(panel.config({ state_dir: join(place, 'state') })), place);
    const log = new Log('DEBUG', [], (line) => void lines.push(line));
    let held: (() => void) | null = null;
    panel.interfere = ({ act, body }, response) => {
      if (act !== 'pull_task') return false;
      // The first request says what the agent still has, and waits for nothing.
      if ('held' in (body as object)) {
        response.end(JSON.stringify({ success: true, code: 200, msg: '', data: { task: null } }));
        return true;
      }
      expect(body).toMatchObject({ wait: 25 });
      held = () => response.end(JSON.stringify({ success: true, code: 200, msg: '', data: { task: task('site.start') } }));
      return true;
    };
    const request = new TaskRequest(new PanelClient(config), () => Promise.resolve([]));
    const waiting = new TaskWait(request, log, 5_000).run((one) => Promise.resolve(void taken.push(one)), stop.signal);
    await panel.until(() => held !== null);
    held!();
    held = null;
    await panel.until(() => held !== null);
    expect(taken).toHaveLength(1);
    stop.abort();
    await waiting;
  });
});
