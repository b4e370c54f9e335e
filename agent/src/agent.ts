import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import type { HeartbeatRequest } from '../../src/agents/wire/node-api.js';

import type { Config } from './config/config.js';
import { Disks } from './disks.js';
import { codeOf, messageOf } from './errors.js';
import type { Log } from './log.js';
import type { Answer } from './panel/answer.js';
import type { PanelClient } from './panel/panel-client.js';
import { PanelError } from './panel/panel-error.js';
import { refusalText, skewText } from './panel/refusals.js';
import { ReportDelivery } from './panel/report-delivery.js';
import { SIGNATURE_WINDOW_SECONDS } from './panel/signature.js';
import { asRecord } from './record.js';
import { Quarantine } from './quarantine/quarantine.js';
import { Stopped, TaskRefused } from './scan/ends.js';
import { ForbiddenScan } from './scan/forbidden-scan.js';
import { type PanelSettings, readPanelSettings } from './scan/panel-settings.js';
import { readScanRequest } from './scan/scan-request.js';
import { backoffMs } from './schedule/backoff.js';
import { Retries } from './schedule/retries.js';
import { type OwnScan, ScanPlan } from './schedule/scan-plan.js';
import type { Report, StateStore, Task } from './state/state-store.js';
import { clip, localTime, oneLine } from './text.js';
import { AGENT_VERSION } from './version.js';

/** Crashes during one task until it is given up. */
const TASK_ATTEMPTS = 2;

/** How often the lease of what is under way is extended. */
const LEASE_EVERY_MS = 20_000;

/** Most tasks taken in one round. */
const PULLS_A_ROUND = 20;

/** What is worked on: a task of the panel, or a scan of its own. */
type Job = { task: Task } | OwnScan;

/** What an {@link Agent} is made of. */
export interface AgentParts {
  readonly config: Config;
  readonly client: PanelClient;
  readonly store: StateStore;
  readonly log: Log;
  /** Ends it. */
  readonly stop: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly leaseEveryMs?: number;
}

/** The loop: heartbeat, settings, reports, tasks; one scan at a time beside it. */
export class Agent {
  private queue: Job[] = [];
  private current: Job | null = null;
  private working: Promise<void> | null = null;
  private readonly reports: ReportDelivery;
  private saving: Promise<unknown> = Promise.resolve();
  private settings: PanelSettings | null = null;
  private readonly scanPlan: ScanPlan;
  /** Null where the config has it off. */
  private readonly quarantine: Quarantine | null;
  private canExtend = true;
  private skewTold = 0;
  private ownRefusalTold = '';
  private readonly disks: Disks;
  private readonly retries: Retries;
  private readonly config: Config;
  private readonly client: PanelClient;
  private readonly store: StateStore;
  private readonly log: Log;
  private readonly stop: AbortSignal;
  private readonly now: () => number;
  private readonly leaseEveryMs: number;

  constructor({ config, client, store, log, stop, now = Date.now, leaseEveryMs = LEASE_EVERY_MS }: AgentParts) {
    this.config = config;
    this.client = client;
    this.store = store;
    this.log = log;
    this.stop = stop;
    this.now = now;
    this.leaseEveryMs = leaseEveryMs;
    this.disks = new Disks(now);
    this.reports = new ReportDelivery(client, store, log, stop);
    this.retries = new Retries(config.intervalSeconds * 1000, log, stop, now);
    this.quarantine = config.quarantine && config.sitesRoot !== null ? new Quarantine(config.stateDir, config.sitesRoot) : null;
    this.scanPlan = new ScanPlan(store, log, now, config.scanIntervalSeconds * 1000);
  }

  /** Takes up what a crash interrupted; once, before the first round. */
  async recover() {
    await this.store.sweep();
    await this.quarantine?.sweep();
    await this.scanPlan.load();
    const reported = new Set();
    for (const name of await this.store.reportNames()) reported.add((await this.store.report(name))?.task_id);
    for (const task of await this.store.tasks()) {
      if (reported.has(task.task_id)) continue;
      if (task.attempts >= TASK_ATTEMPTS) {
        this.log.error('Given up: the agent was ended during this task each time', { task: task.task_id, attempts: task.attempts });
        await this.store.addReport({
          task_id: task.task_id,
          status: 'failed',
          result: {},
          error: `节点程序在执行任务时中断 ${task.attempts} 次，任务已放弃`,
        });
      } else {
        this.log.warning('Taken up again after an interruption', { task: task.task_id, action: task.action });
        this.queue.push({ task });
      }
    }
    await this.saveTasks();
  }

  /** Runs until stopped. */
  async run() {
    const intervalMs = this.config.intervalSeconds * 1000;
    let failures = 0;
    while (!this.stop.aborted) {
      const began = this.now();
      let wait;
      try {
        await this.round();
        if (failures > 0) this.log.info('Connected again', { failures });
        failures = 0;
        wait = Math.max(0, intervalMs - (this.now() - began));
      } catch (error) {
        if (this.stop.aborted) break;
        failures++;
        wait = Math.max(backoffMs(failures, intervalMs), error instanceof PanelError ? error.retryAfterSeconds * 1000 : 0);
        this.log.error(`No heartbeat: ${messageOf(error)}`, { failures, next_try_seconds: Math.round(wait / 1000) });
      }
      await sleep(wait, undefined, { signal: this.stop }).catch(() => undefined);
    }
    await this.finish();
  }

  /** One round. @throws PanelError when the heartbeat fails; the rest is tried again by itself */
  async round() {
    await this.heartbeat();
    this.startWork();
    await this.retries.attempt('get_config', () => this.loadSettings());
    await this.retries.attempt('report_result', () => this.reports.deliver());
    // The panel's tasks come first: somebody waits for them.
    await this.retries.attempt('pull_task', () => this.pull());
    await this.planScan();
  }

  /** Waits until no task is under way and everything is reported, as far as the panel takes it. */
  async idle() {
    while (this.working !== null) await this.working;
    await this.retries.attempt('report_result', () => this.reports.deliver());
  }

  /** Ends what is under way; it is taken up at the next start and does not count as a crash. */
  async finish() {
    await this.working;
    for (const job of this.queue) if ('task' in job) job.task.attempts = Math.max(0, job.task.attempts - 1);
    await this.saveTasks();
  }

  private async heartbeat() {
    const { config } = this;
    const answer = await this.client.call(
      'heartbeat',
      {
        node_id: config.nodeId,
        node_name: config.nodeName,
        version: AGENT_VERSION,
        capabilities: config.capabilities,
        status: 'online',
        load: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
        disks: await this.disks.measure(),
      } satisfies HeartbeatRequest & { node_id: string },
      this.stop,
    );
    this.tellSkew();
    this.accepted(answer);
  }

  private async loadSettings() {
    const answer = this.accepted(await this.client.call('get_config', {}, this.stop));
    this.settings = readPanelSettings(answer.field('forbidden_scan'));
  }

  private accepted(answer: Answer): Answer {
    if (answer.success) return answer;
    throw new PanelError('status', refusalText(answer.message, this.client.clockSkewSeconds));
  }

  private tellSkew() {
    const skew = this.client.clockSkewSeconds ?? 0;
    if (Math.abs(skew) < 60 || this.now() - this.skewTold < 3_600_000) return;
    this.skewTold = this.now();
    const text = skewText(skew);
    if (Math.abs(skew) > SIGNATURE_WINDOW_SECONDS) this.log.error(text);
    else this.log.warning(text);
  }

  /** Takes tasks while there is one free place in the queue; short ones are done at once. */
  private async pull() {
    if (!this.config.capabilities.includes('task')) return;
    for (let pulls = 0; pulls < PULLS_A_ROUND && this.queue.length === 0 && !this.stop.aborted; pulls++) {
      const answer = this.accepted(await this.client.call('pull_task', {}, this.stop));
      const raw = asRecord(answer.field('task'));
      if (raw === null) return;
      const task = {
        task_id: String(raw.task_id ?? ''),
        action: String(raw.action ?? ''),
        payload: asRecord(raw.payload) ?? {},
        attempts: 0,
      };
      if (task.task_id === '') {
        this.log.warning('The panel sent a task without a number');
        return;
      }
      if (this.tasks().some((known) => known.task_id === task.task_id)) {
        this.log.warning('The panel sent a task again that is under way', { task: task.task_id });
        return;
      }
      this.log.info('Task', { task: task.task_id, action: task.action });
      if (task.action === 'forbidden_scan') {
        this.queue.push({ task });
        await this.saveTasks();
        this.startWork();
      } else {
        await this.report(await this.runTask(task));
      }
    }
  }

  private tasks(): Task[] {
    return [this.current, ...this.queue].flatMap((job) => (job !== null && 'task' in job ? [job.task] : []));
  }

  /** One after another: two writers of one file would take each other's half-written one. */
  private saveTasks() {
    const saved = this.saving.then(() => this.store.saveTasks(this.tasks()));
    this.saving = saved.catch(() => undefined);
    return saved;
  }

  private startWork() {
    if (this.working !== null || this.queue.length === 0 || this.stop.aborted) return;
    this.working = this.work().finally(() => {
      this.working = null;
    });
  }

  private async work() {
    // A panel that answers late is not asked again meanwhile.
    let asking: Promise<void> | null = null;
    const leases = setInterval(() => void (asking ??= this.extendLeases().finally(() => (asking = null))), this.leaseEveryMs);
    try {
      for (let job = this.queue.shift(); job !== undefined; job = this.queue.shift()) {
        this.current = job;
        try {
          if ('task' in job) await this.workTask(job.task);
          else await this.workOwn(job);
        } catch (error) {
          if (!(error instanceof Stopped)) throw error;
          if ('task' in job) this.queue.unshift(job);
          this.current = null;
          return;
        }
        this.current = null;
        await this.saveTasks();
      }
    } catch (error) {
      // The state folder is full or gone: nothing can be kept, so nothing is taken either until it can.
      this.log.error(`Cannot go on: ${messageOf(error)}`, { code: codeOf(error) });
      this.current = null;
    } finally {
      clearInterval(leases);
    }
  }

  private async workTask(task: Task) {
    task.attempts++;
    await this.saveTasks();
    await this.report(await this.runTask(task));
  }

  private async runTask(task: Task): Promise<Report & { kept?: () => Promise<void> }> {
    const base = { task_id: task.task_id, error: '' };
    try {
      switch (task.action) {
        case 'ping':
          return { ...base, status: 'success', result: { message: 'pong', time: localTime(new Date(this.now())) } };
        case 'forbidden_scan': {
          if (!this.config.capabilities.includes('forbidden_scan')) throw new TaskRefused('该节点的配置未启用违禁词扫描（capabilities）');
          const { result, kept } = await this.scan(task.payload);
          return { ...base, status: 'success', result, kept };
        }
        case 'quarantine_file':
          return { ...base, status: 'success', result: await this.files().take(task.payload) };
        case 'restore_file':
          return { ...base, status: 'success', result: await this.files().restore(task.payload) };
        case 'delete_quarantined':
          return { ...base, status: 'success', result: await this.files().delete(task.payload) };
        default:
          throw new TaskRefused(`不支持的任务类型：${clip(oneLine(task.action), 100)}`);
      }
    } catch (error) {
      if (error instanceof Stopped) throw error;
      this.log.warning(`Task failed: ${messageOf(error)}`, { task: task.task_id, action: task.action });
      return {
        ...base,
        status: 'failed',
        result: {},
        error:
          error instanceof TaskRefused
            ? error.message
            : `${task.action === 'forbidden_scan' ? '扫描' : '任务'}失败：${clip(oneLine(messageOf(error)), 300)}`,
      };
    }
  }

  /** @throws TaskRefused where the config has it off */
  private files(): Quarantine {
    if (this.quarantine) return this.quarantine;
    throw new TaskRefused('该节点的配置未启用文件隔离（quarantine）');
  }

  private async scan(payload: Record<string, unknown>) {
    const request = await readScanRequest(payload, this.config, this.settings);
    this.log.info('Scan begins', {
      root: request.root,
      mode: request.mode,
      keywords: request.keywords.length,
      trigger: request.trigger || undefined,
    });
    const scan = new ForbiddenScan(request, { indexFolder: this.store.indexFolder, log: this.log, stop: this.stop });
    const result = await scan.run();
    this.log.info('Scan ends', {
      root: request.root,
      files: scan.total,
      scanned: scan.scanned,
      matches: scan.matches.length,
      errors: scan.errors,
    });
    return { result, kept: () => scan.keepIndex() };
  }

  private async workOwn({ mode, reason }: OwnScan) {
    const settings = this.settings;
    if (settings === null) return;
    const began = this.now();
    const task_id = `scan_${mode}_${Math.floor(began / 1000)}`;
    try {
      const { result, kept } = await this.scan({
        root: settings.root,
        keywords: settings.keywords,
        scan_mode: mode,
        scan_changed_only: settings.changedOnly,
        max_file_size: settings.maxFileSize,
        max_matches: settings.maxMatches,
        auto_trigger: true,
        trigger_reason: reason,
      });
      this.ownRefusalTold = '';
      await this.report({ task_id, status: 'success', result, error: '', kept });
    } catch (error) {
      if (error instanceof Stopped) throw error;
      const text = messageOf(error);
      this.log.warning(`Own scan failed: ${text}`, { mode });
      // The same mistake in the settings is told once, not every few minutes.
      if (this.ownRefusalTold !== text) await this.report({ task_id, status: 'failed', result: {}, error: text });
      this.ownRefusalTold = text;
    }
    await this.scanPlan.ended(mode, began);
  }

  /** Queues a scan of its own when one is due and nothing else is to do. */
  private async planScan() {
    if (this.settings === null) return;
    const enabled = this.settings.enabled && this.config.capabilities.includes('forbidden_scan');
    await this.scanPlan.follow(this.settings, enabled);
    if (!enabled || this.working !== null || this.queue.length > 0) return;
    const scan = this.scanPlan.due();
    if (scan) this.queue.push(scan);
    this.startWork();
  }

  /** @param since minute already looked at */
  /** @param report `kept` runs once the report is on the disk */
  private async report({ kept, ...report }: Report & { kept?: () => Promise<void> }) {
    await this.store.addReport(report);
    await kept?.().catch((error) => this.log.warning(`The file index cannot be written: ${messageOf(error)}`));
    await this.retries.attempt('report_result', () => this.reports.deliver());
  }

  /** Tells the panel that tasks are still worked on, so that it does not give them to somebody else. */
  private async extendLeases() {
    if (!this.canExtend) return;
    for (const { task_id } of this.tasks()) {
      try {
        const answer = await this.client.call('extend_lease', { task_id }, this.stop);
        if (answer.success) continue;
        if (answer.message.includes('unknown action')) {
          this.canExtend = false;
          return;
        }
        this.log.warning(`The panel does not extend the lease: ${answer.message}`, { task: task_id });
      } catch (error) {
        if (!this.stop.aborted) this.log.warning(`extend_lease: ${messageOf(error)}`, { task: task_id });
      }
    }
  }
}
