import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { FakeNodePanel } from '../../test/support/fake-node-panel.js';
import { Agent } from './agent.js';
import type { SitesPart } from './agent-parts.js';
import { parseConfig } from './config/parse-config.js';
import { Log } from './log.js';
import { PanelClient } from './panel/panel-client.js';
import { backoffMs } from './backoff.js';
import { LockedError, takeLock } from './state/lock.js';
import { StateStore } from './state/state-store.js';
import { AGENT_VERSION } from './version.js';

describe('the agent', () => {
  let panel: FakeNodePanel;
  let place: string;
  let root: string;
  let lines: string[];
  let now: number;
  let stop: AbortController;
  beforeEach(async () => {
    panel = await FakeNodePanel.start();
    place = realpathSync(mkdtempSync(join(tmpdir(), 'svc-agent-')));
    root = join(place, 'wwwroot');
    mkdirSync(root);
    writeFileSync(join(root, 'a.php'), 'casino');
    lines = [];
    now = Date.parse('2026-11-21T07:00:30Z');
    stop = new AbortController();
  });
  afterEach(async () => {
    await panel.close();
    rmSync(place, { recursive: true, force: true });
  });

  /** An agent on the place's state, as after a start. */
  async function started(change: Record<string, unknown> = {}, sites?: SitesPart): Promise<Agent> {
    const { config } = parseConfig(JSON.stringify(panel.config({ sites_root: root, state_dir: join(place, 'state'), ...change })), place);
    const log = new Log('DEBUG', [config.platformSecret, config.nodeSecret], (line) => void lines.push(line));
    const agent = new Agent({
      config,
      client: new PanelClient(config, { timeoutMs: 2_000 }),
      store: await StateStore.open(config.stateDir),
      log,
      stop: stop.signal,
      now: () => now,
      leaseEveryMs: 10,
      tickEveryMs: 10,
      ...(sites && { sites }),
    });
    await agent.recover();
    return agent;
  }

  async function round(agent: Agent): Promise<void> {
    await agent.round();
    await agent.idle();
  }

  const scanTask = (task_id = 'task_scan', payload: Record<string, unknown> = {}) => ({
    task_id,
    action: 'forbidden_scan',
    payload: { site: '', root, keywords: ['casino'], ...payload },
  });
  /** So many that reading them takes longer than some requests. */
  const manyFiles = (): void => {
    for (let i = 0; i < 4_000; i++) writeFileSync(join(root, `${i}.php`), 'x');
  };
  const outbox = (): string[] => readdirSync(join(place, 'state', 'outbox'));
  const refuse = (act: string, msg: string): void => {
    panel.interfere = (call, response) => {
      if (call.act !== act) return false;
      response.end(JSON.stringify({ success: false, code: 400, msg, data: [] }));
      return true;
    };
  };

  it('reports name, version, capabilities and load to the panel', async () => {
    await round(await started());
    expect(panel.callsOf('heartbeat')[0]!.body).toEqual({
      node_id: 'node_test',
      node_name: 'test node',
      version: AGENT_VERSION,
      capabilities: ['heartbeat', 'task', 'report', 'forbidden_scan'],
      status: 'online',
      load: expect.any(Number) as number,
      ...(process.platform === 'linux' && {
        disks: expect.arrayContaining([{ mount: '/', percent: expect.any(Number) as number }]) as object[],
      }),
    });
    expect(panel.calls.map(({ act }) => act)).toEqual(['heartbeat', 'get_config', 'pull_task']);
  });

  it.each(['data', 'top'] as const)('runs tasks from the panel with extras in: %s', async (extras) => {
    panel.extras = extras;
    panel.tasks.push(
      { task_id: 'task_1', action: 'ping', payload: {} },
      { task_id: 'task_2', action: 'format_disk', payload: {} },
      scanTask('task_3'),
    );
    await round(await started());
    expect(panel.reports).toEqual([
      {
        task_id: 'task_1',
        status: 'success',
        result: { message: 'pong', time: expect.stringMatching(/^2026-11-21 /) as string },
        error: '',
      },
      { task_id: 'task_2', status: 'failed', result: {}, error: '不支持的任务类型：format_disk' },
      expect.objectContaining({ task_id: 'task_3', status: 'success', error: '' }),
    ]);
    expect(panel.reports[2]!.result.matches).toMatchObject([{ path: join(root, 'a.php'), keyword: 'casino' }]);
    expect(outbox()).toEqual([]);
  });

  it('refuses tasks that the config does not allow and names the config key', async () => {
    panel.tasks.push(
      { task_id: 'task_1', action: 'site.create', payload: {} },
      ...['quarantine_file', 'restore_file', 'delete_quarantined'].map((action) => ({ task_id: action, action, payload: {} })),
    );
    await round(await started());
    expect(panel.reports.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(panel.reports[0]).toMatchObject({
      result: { outcome: 'refused', code: 'SCAN_ONLY' },
      error: expect.stringContaining('hosting') as string,
    });
    for (const { error } of panel.reports.slice(1)) expect(error).toContain('quarantine');
  });

  it.each(['constructor', '__proto__', 'toString', '', '../ping'])('rejects the unknown task %j', async (action) => {
    panel.tasks.push({ task_id: 'task_1', action, payload: {} });
    await round(await started());
    expect(panel.reports).toMatchObject([{ status: 'failed', error: `不支持的任务类型：${action}` }]);
  });

  it('refuses to scan outside sites_root and reports it to the panel', async () => {
    panel.tasks.push(scanTask('task_1', { root: '/' }), scanTask('task_2', { root: '/etc' }));
    const agent = await started();
    await round(agent);
    await round(agent);
    expect(panel.reports.map(({ status, error }) => [status, error.slice(0, 8)])).toEqual([
      ['failed', '不能扫描整个磁盘'],
      ['failed', '扫描目录不在允许'],
    ]);
  });

  it('runs only the tasks enabled in its config', async () => {
    panel.tasks.push(scanTask());
    panel.scanSettings = { enabled: true, content: 'casino', scan_dir: root };
    await round(await started({ capabilities: ['heartbeat', 'task', 'report'] }));
    expect(panel.reports).toMatchObject([{ status: 'failed' }]);
    await round(await started({ capabilities: ['heartbeat'] }));
    expect(panel.callsOf('pull_task')).toHaveLength(2);
  });

  it('sends heartbeats, answers pings and renews the lease during a scan', async () => {
    manyFiles();
    panel.tasks.push(scanTask());
    panel.interfere = ({ act }, response) =>
      act === 'extend_lease' && Boolean(response.end('{"success":true,"code":200,"msg":"","data":[]}'));
    const agent = await started();
    await agent.round();
    panel.tasks.push({ task_id: 'task_ping', action: 'ping', payload: {} });
    await agent.round();
    await agent.idle();
    expect(panel.reports.map(({ task_id }) => task_id)).toEqual(['task_ping', 'task_scan']);
    const extended = panel.callsOf('extend_lease');
    expect(extended.length).toBeGreaterThan(1);
    expect(extended.every(({ body }) => body.task_id === 'task_scan')).toBe(true);
  });

  it('stops renewing leases if the panel does not support them', async () => {
    manyFiles();
    panel.tasks.push(scanTask());
    await round(await started());
    expect(panel.callsOf('extend_lease')).toHaveLength(1);
    expect(panel.reports).toMatchObject([{ status: 'success', result: { summary: { matches: 1 } } }]);
  });

  it('interrupts a scan when stopped and resumes it at the next start without counting it as a crash', async () => {
    manyFiles();
    panel.tasks.push(scanTask());
    for (let start = 0; start < 4; start++) {
      stop = new AbortController();
      const agent = await started();
      await agent.round();
      stop.abort();
      await agent.finish();
    }
    expect(panel.reports).toEqual([]);
    stop = new AbortController();
    await round(await started());
    expect(panel.reports).toMatchObject([{ task_id: 'task_scan', status: 'success' }]);
  });

  describe('reports', () => {
    it('are kept in order until the panel accepts them', async () => {
      panel.interfere = ({ act }, response) => act === 'report_result' && Boolean(response.writeHead(502).end('<html>'));
      panel.tasks.push({ task_id: 'task_1', action: 'ping', payload: {} }, { task_id: 'task_2', action: 'ping', payload: {} });
      await round(await started());
      expect(outbox()).toHaveLength(2);
      panel.interfere = () => false;
      await round(await started());
      expect(panel.reports.map(({ task_id }) => task_id)).toEqual(['task_1', 'task_2']);
      expect(outbox()).toEqual([]);
    });

    it('are dropped if the panel does not know the task', async () => {
      refuse('report_result', '任务不存在');
      panel.tasks.push({ task_id: 'task_1', action: 'ping', payload: {} });
      await round(await started());
      expect(outbox()).toEqual([]);
      expect(lines.join('')).toContain('now deleted: 任务不存在');
    });

    it('are kept after a signature error and dropped after five other rejections', async () => {
      refuse('report_result', '节点签名校验失败');
      panel.tasks.push({ task_id: 'task_1', action: 'ping', payload: {} });
      const agent = await started();
      for (let i = 0; i < 8; i++, now += 120_000) await round(agent);
      expect(outbox()).toHaveLength(1);
      refuse('report_result', '结果太怪');
      for (let i = 0; i < 5; i++, now += 120_000) await round(agent);
      expect(outbox()).toEqual([]);
    });

    it('do not block later reports', async () => {
      panel.interfere = ({ act, body }, response) =>
        act === 'report_result' && body.task_id === 'task_1' && Boolean(response.writeHead(500).end());
      panel.tasks.push({ task_id: 'task_1', action: 'ping', payload: {} }, { task_id: 'task_2', action: 'ping', payload: {} });
      const agent = await started();
      await round(agent);
      now += 120_000;
      await round(agent);
      expect(panel.reports.map(({ task_id }) => task_id)).toEqual(['task_2']);
      expect(outbox()).toHaveLength(1);
    });

    it('are shortened until the panel accepts them', async () => {
      writeFileSync(join(root, 'a.php'), 'casino\n'.repeat(100));
      panel.interfere = ({ act, headers }, response) =>
        act === 'report_result' && Number(headers['content-length']) > 5_000 && Boolean(response.writeHead(413).end());
      panel.tasks.push(scanTask());
      await round(await started());
      const { result } = panel.reports[0]!;
      expect(result.matches!.length).toBeGreaterThan(10);
      expect(result.summary).toMatchObject({ matches: 100, reported_matches: result.matches!.length });
      expect(result.summary!.note).toContain('只上报');
    });

    it('are limited to the newest 200', async () => {
      const agent = await started();
      for (let i = 0; i < 201; i++) {
        const report = { task_id: `task_${i}`, status: 'success', result: {}, error: '' };
        writeFileSync(join(place, 'state', 'outbox', `${String(i).padStart(15, '0')}-000000.json`), JSON.stringify(report));
      }
      await round(agent);
      expect(panel.reports.map(({ task_id }) => task_id)).toEqual(Array.from({ length: 200 }, (_, i) => `task_${i + 1}`));
    });

    it('that are damaged on disk are skipped', async () => {
      const agent = await started();
      writeFileSync(join(place, 'state', 'outbox', '000.json'), '{"task_id":');
      panel.tasks.push({ task_id: 'task_1', action: 'ping', payload: {} });
      await round(agent);
      expect(panel.reports).toHaveLength(1);
      expect(outbox()).toEqual([]);
    });
  });

  describe('with sites', () => {
    let ticks: number;
    let begun: unknown[];
    const sites: SitesPart = {
      recover: () => Promise.resolve(),
      begin: ({ task_id }) => Promise.resolve(begun.push(task_id) > 0),
      tick: () => Promise.resolve(void (ticks += 1)),
      idle: () => Promise.resolve(),
    };
    beforeEach(() => ([ticks, begun] = [0, []]));

    it('runs site maintenance even while the panel is unreachable', async () => {
      panel.interfere = (_call, response) => Boolean(response.writeHead(503, { 'Retry-After': '300' }).end());
      const running = (await started({}, sites)).run();
      await vi.waitFor(() => expect(lines.join('')).toMatch(/No heartbeat: .* next_try_seconds=300/));
      const before = ticks;
      await vi.waitFor(() => expect(ticks).toBeGreaterThan(before + 2));
      stop.abort();
      await running;
      expect(panel.callsOf('heartbeat')).toHaveLength(1);
      const after = ticks;
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(ticks).toBe(after);
    });

    it('also runs site actions in a single round', async () => {
      panel.tasks.push({ task_id: 'task_1', action: 'site.stop', payload: {} }, { task_id: 'task_2', action: 'site.start', payload: {} });
      await round(await started({}, sites));
      expect(begun).toEqual(['task_1', 'task_2']);
    });
  });

  describe('scheduled scans', () => {
    beforeEach(() => {
      panel.scanSettings = {
        enabled: true,
        content: '# words\ncasino\n',
        scan_changed_only: true,
        scan_dir: root,
        full_scan_enabled: true,
        full_scan_cron: '0 8 * * *',
        max_file_size: 1_000_000,
        max_matches: 10,
      };
    });

    it('start immediately and then keep their interval', async () => {
      const agent = await started();
      await round(agent);
      expect(panel.reports).toMatchObject([
        {
          task_id: `scan_incremental_${now / 1000}`,
          status: 'success',
          result: { summary: { matches: 1, scan_mode: 'incremental', auto_trigger: true, trigger_reason: 'interval' } },
        },
      ]);
      now += 60_000;
      await round(agent);
      expect(panel.reports).toHaveLength(1);
      now += 300_000;
      writeFileSync(join(root, 'b.php'), 'casino');
      await round(agent);
      expect(panel.reports[1]!.result.matches).toMatchObject([{ path: join(root, 'b.php') }]);
    });

    it('keep their interval across a restart', async () => {
      await round(await started());
      await round(await started());
      expect(panel.reports).toHaveLength(1);
    });

    it('are full scans once per cron match, even if no round ran in that minute', async () => {
      const agent = await started();
      await round(agent);
      now = Date.parse('2026-11-21T07:59:50Z');
      await round(agent);
      now = Date.parse('2026-11-21T08:01:05Z');
      await round(agent);
      await round(await started());
      now += 30_000;
      await round(agent);
      const full = panel.reports.filter(({ task_id }) => task_id.startsWith('scan_full_'));
      expect(full).toMatchObject([
        { result: { matches: [{ keyword: 'casino' }], summary: { scan_mode: 'full', trigger_reason: 'cron' } } },
      ]);
      now = Date.parse('2026-11-22T08:00:00Z');
      await round(agent);
      expect(panel.reports.filter(({ task_id }) => task_id.startsWith('scan_full_'))).toHaveLength(2);
    });

    it('skip a cron match that was missed by more than an hour', async () => {
      await round(await started());
      now = Date.parse('2026-11-21T09:01:05Z');
      await round(await started());
      expect(panel.reports.map(({ task_id }) => task_id.replace(/\d+$/, ''))).toEqual(['scan_incremental_', 'scan_incremental_']);
    });

    it('pause for five times the duration of the last scan', async () => {
      await round(await started());
      const file = join(place, 'state', 'schedule.json');
      const schedule = { ...(JSON.parse(readFileSync(file, 'utf8')) as object), lastScanAt: now, lastScanMs: 400_000 };
      writeFileSync(file, JSON.stringify(schedule));
      for (const [later, count] of [
        [1_999_999, 1],
        [1, 2],
      ] as const) {
        now += later;
        await round(await started());
        expect(panel.reports).toHaveLength(count);
      }
    });

    it('repeat a full scan that was interrupted', async () => {
      const agent = await started();
      await round(agent);
      now = Date.parse('2026-11-21T08:00:05Z');
      writeFileSync(
        join(place, 'state', 'schedule.json'),
        JSON.stringify({ cronMinute: now / 60_000, fullPending: true, lastScanAt: now, lastScanMs: 5 }),
      );
      await round(await started());
      expect(panel.reports.at(-1)!.task_id).toMatch(/^scan_full_/);
    });

    it('wait while tasks from the panel are pending', async () => {
      panel.tasks.push(scanTask());
      const agent = await started();
      await round(agent);
      expect(panel.reports.map(({ task_id }) => task_id)).toEqual(['task_scan']);
      await round(agent);
      expect(panel.reports[1]!.task_id).toMatch(/^scan_incremental_/);
    });

    it('stay off if the panel disables them and report an invalid setting once', async () => {
      panel.scanSettings.enabled = 'false';
      const agent = await started();
      await round(agent);
      expect(panel.reports).toEqual([]);
      panel.scanSettings = { ...panel.scanSettings, enabled: 'true', scan_dir: '/etc', full_scan_cron: 'at dawn' };
      for (let i = 0; i < 4; i++, now += 400_000) await round(agent);
      expect(panel.reports).toMatchObject([{ status: 'failed', result: {} }]);
      expect(panel.reports[0]!.error).toContain('sites_root');
      expect(lines.filter((line) => line.includes('cron expression'))).toHaveLength(1);
    });
  });

  describe('after an interruption', () => {
    const interrupted = (attempts: number): void => {
      mkdirSync(join(place, 'state'), { recursive: true });
      writeFileSync(join(place, 'state', 'tasks.json'), JSON.stringify([{ ...scanTask(), attempts }]));
    };

    it('runs the task again once', async () => {
      interrupted(1);
      await round(await started());
      expect(panel.reports).toMatchObject([{ task_id: 'task_scan', status: 'success' }]);
      await round(await started());
      expect(panel.reports).toHaveLength(1);
    });

    it('gives up a task that crashed it twice', async () => {
      interrupted(2);
      await round(await started());
      expect(panel.reports).toMatchObject([{ task_id: 'task_scan', status: 'failed', error: expect.stringContaining('中断') as string }]);
    });

    it('does not repeat a task whose report is pending', async () => {
      interrupted(1);
      const store = await StateStore.open(join(place, 'state'));
      await store.addReport({ task_id: 'task_scan', status: 'success', result: { site: 'kept' }, error: '' });
      await round(await started());
      expect(panel.reports).toMatchObject([{ task_id: 'task_scan', result: { site: 'kept' } }]);
    });

    it('lists its current tasks in task requests until one is answered', async () => {
      interrupted(1);
      const store = await StateStore.open(join(place, 'state'));
      await store.addReport({ task_id: 'task_done', status: 'success', result: {}, error: '' });
      const agent = await started();
      panel.interfere = ({ act }, response) => {
        if (act !== 'report_result' && act !== 'pull_task') return false;
        response.end(JSON.stringify({ success: false, code: 400, msg: 'busy', data: [] }));
        return true;
      };
      await round(agent);
      panel.interfere = () => false;
      panel.tasks.push({ task_id: 'task_ping', action: 'ping', payload: {}, attempt: 1 });
      now += 600_000;
      await round(agent);
      await round(agent);
      const asked = panel.callsOf('pull_task').map(({ body }) => body);
      expect(asked[0]).toEqual({ held: expect.arrayContaining(['task_done']) as string[] });
      expect(asked.slice(1).filter((body) => 'held' in body)).toHaveLength(1);
      expect(asked.at(-1)).toEqual({});
    });

    it('removes partially written files and starts despite damaged ones', async () => {
      mkdirSync(join(place, 'state', 'outbox'), { recursive: true });
      for (const name of ['outbox/1.json.99.tmp', 'tasks.json.99.tmp']) writeFileSync(join(place, 'state', name), '{');
      for (const name of ['tasks.json', 'schedule.json']) writeFileSync(join(place, 'state', name), '{"half":');
      await round(await started());
      expect([...readdirSync(join(place, 'state')), ...outbox()].filter((name) => name.endsWith('.tmp'))).toEqual([]);
    });

    it('ignores a running task that is sent again', async () => {
      manyFiles();
      interrupted(1);
      panel.tasks.push(scanTask());
      const agent = await started();
      await round(agent);
      expect(panel.callsOf('pull_task')).toHaveLength(1);
      expect(lines.join('')).toContain('a task that is already running');
      expect(panel.reports).toHaveLength(1);
    });
  });

  it('explains what to do if the panel rejects the signature', async () => {
    const agent = await started({ node_secret: 'another' });
    await expect(agent.round()).rejects.toThrow('renew the secrets');
    expect(panel.calls).toEqual([]);
  });

  it('logs clock skew once an hour and names it as the cause of rejected signatures', async () => {
    panel.interfere = (call, response) => {
      response.setHeader('Date', new Date(Date.now() - 1_000_000).toUTCString());
      response.end(JSON.stringify({ success: call.act !== 'heartbeat', code: 400, msg: '节点签名校验失败', data: [] }));
      return true;
    };
    const agent = await started();
    await expect(agent.round()).rejects.toThrow('timedatectl');
    await expect(agent.round()).rejects.toThrow('timedatectl');
    expect(lines.filter((line) => line.includes('ERROR The clock of this server is'))).toHaveLength(1);
    expect(lines.join('')).toContain("ahead of the panel's");
  });

  it('keeps secrets out of its log and state files', async () => {
    panel.tasks.push(scanTask());
    await round(await started());
    const files = readdirSync(join(place, 'state'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const contents = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
    for (const text of [...lines, ...contents])
      for (const secret of [panel.platformSecret, panel.nodeSecret]) expect(text).not.toContain(secret);
  });
});

describe('backing off', () => {
  it('doubles up to one minute with a jitter of 25%', () => {
    expect([1, 2, 3, 4, 50].map((failures) => backoffMs(failures, 10_000, 0.5))).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
    expect([backoffMs(1, 10_000, 0), backoffMs(1, 10_000, 0.999_999)]).toEqual([7_500, 12_500]);
    expect(backoffMs(9, 120_000, 0.5)).toBe(120_000);
  });
});

describe('the lock', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has one holder and is released afterwards', async () => {
    const unlock = await takeLock(folder);
    await expect(takeLock(folder)).rejects.toThrow(LockedError);
    await unlock();
    await (
      await takeLock(folder)
    )();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, started: 'x', token: 'x' })],
    ['whose number another process has now', JSON.stringify({ pid: process.pid, started: 'before/the/last/boot', token: 'x' })],
    ['that is damaged', '{"pid":'],
    ['of nobody', '{"pid":-1,"started":""}'],
  ])('is taken over from a stale lock: %s', async (_name, content) => {
    writeFileSync(join(folder, 'agent.lock'), content);
    const unlock = await takeLock(folder);
    await expect(takeLock(folder)).rejects.toThrow(String(process.pid));
    await unlock();
  });

  it('is taken over from a killed zombie process', async () => {
    // A shell that becomes a program which knows nothing of what the shell started.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [said] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(String(said));
      await vi.waitFor(() => expect(readFileSync(`/proc/${parent.pid}/stat`, 'utf8')).toContain('(sleep)'));
      process.kill(pid, 'SIGKILL');
      await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '));
      writeFileSync(join(folder, 'agent.lock'), JSON.stringify({ pid, started: '', token: 'x' }));
      await (
        await takeLock(folder)
      )();
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('is taken over even if an earlier takeover was killed', async () => {
    const stale = (token: string): string => JSON.stringify({ pid: 2 ** 22 + 1, started: 'x', token });
    const claim = createHash('sha256').update(stale('lock')).digest('hex').slice(0, 8);
    writeFileSync(join(folder, 'agent.lock'), stale('lock'));
    writeFileSync(join(folder, `agent.lock.${claim}`), stale('claim'));
    await (
      await takeLock(folder)
    )();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is taken by exactly one of many processes that find it stale', async () => {
    for (let round = 0; round < 50; round++) {
      writeFileSync(join(folder, 'agent.lock'), JSON.stringify({ pid: 2 ** 22 + 1, started: 'x', token: String(round) }));
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(folder)));
      const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      for (const winner of winners) await winner.value();
    }
  });
});
