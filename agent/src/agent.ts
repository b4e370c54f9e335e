import { setTimeout as sleep } from 'node:timers/promises';

import { problemText } from '../../src/agents/wire/task-problems.js';

import type { AgentParts, SitesPart } from './agent-parts.js';
import type { Config } from './config/config.js';
import { codeOf, messageOf } from './errors.js';
import type { Log } from './log.js';
import { Heartbeat } from './panel/heartbeat.js';
import { Leases } from './panel/leases.js';
import type { PanelClient } from './panel/panel-client.js';
import { PanelError } from './panel/panel-error.js';
import { accepted } from './panel/refusals.js';
import { ReportDelivery } from './panel/report-delivery.js';
import { TaskRequest } from './panel/task-request.js';
import { TaskWait } from './panel/task-wait.js';
import { asRecord } from './record.js';
import { Stopped } from './scan/ends.js';
import { type PanelSettings, readPanelSettings } from './scan/panel-settings.js';
import { Scanner } from './scan/scanner.js';
import { backoffMs } from './backoff.js';
import { Retries } from './schedule/retries.js';
import { type OwnScan, ScanPlan } from './schedule/scan-plan.js';
import type { StateStore, Task } from './state/state-store.js';
import { OwnScans } from './work/own-scans.js';
import { type TaskEnd, TaskRunner } from './work/task-runner.js';

/** How often a task may be interrupted by a crash before it is given up. */
const TASK_ATTEMPTS = 2;

/** How often the lease of held tasks is renewed, in milliseconds. */
const LEASE_EVERY_MS = 20_000;

/** How often site maintenance runs, in milliseconds; independent of the connection to the panel. */
const TICK_EVERY_MS = 5_000;

/** Maximum number of tasks pulled per round. */
const PULLS_A_ROUND = 20;

/** A job of the queue: a task from the panel or a scan the agent planned itself. */
type Job = { task: Task } | OwnScan;

/** The main loop: heartbeat, settings, reports and tasks, with at most one scan running in parallel. */
export class Agent {
  private queue: Job[] = [];
  private current: Job | null = null;
  private working: Promise<void> | null = null;
  private readonly reports: ReportDelivery;
  private saving: Promise<unknown> = Promise.resolve();
  private settings: PanelSettings | null = null;
  private readonly scanPlan: ScanPlan;
  private readonly heartbeat: Heartbeat;
  private readonly leases: Leases;
  private readonly requests: TaskRequest;
  private readonly runner: TaskRunner;
  private readonly ownScans: OwnScans;
  private readonly retries: Retries;
  private readonly sites: SitesPart | undefined;
  private ticking: Promise<void> | null = null;
  /** With hosting, one long-polling request for tasks is always open; the panel ends it when another one arrives. */
  private waiting: Promise<void> | null = null;
  private readonly config: Config;
  private readonly client: PanelClient;
  private readonly store: StateStore;
  private readonly log: Log;
  private readonly stop: AbortSignal;
  private readonly now: () => number;
  private readonly tickEveryMs: number;

  constructor({ config, client, store, log, stop, sites, now = Date.now, ...every }: AgentParts) {
    const { leaseEveryMs = LEASE_EVERY_MS, tickEveryMs = TICK_EVERY_MS } = every;
    this.tickEveryMs = tickEveryMs;
    this.sites = sites;
    this.config = config;
    this.client = client;
    this.store = store;
    this.log = log;
    this.stop = stop;
    this.now = now;
    this.heartbeat = new Heartbeat(config, client, log, stop, now);
    this.leases = new Leases(client, log, stop, leaseEveryMs);
    this.requests = new TaskRequest(client, () => this.held());
    this.reports = new ReportDelivery(client, store, log, stop);
    this.retries = new Retries(config.intervalSeconds * 1000, log, stop, now);
    this.scanPlan = new ScanPlan(store, log, now, config.scanIntervalSeconds * 1000);
    const scanner = new Scanner(config, store, log, stop);
    this.runner = new TaskRunner(config, scanner, log, now);
    this.ownScans = new OwnScans(this.scanPlan, scanner, log, now);
  }

  /** Resumes tasks that a crash interrupted. Called once, before the first round. */
  async recover() {
    await this.store.sweep();
    await this.runner.sweep();
    await this.scanPlan.load();
    const reported = new Set(await this.store.reportedTasks());
    for (const task of await this.store.tasks()) {
      if (reported.has(task.task_id)) continue;
      if (task.attempts >= TASK_ATTEMPTS) {
        this.log.error('Task failed: the agent was interrupted during every attempt', { task: task.task_id, attempts: task.attempts });
        await this.store.addReport({
          task_id: task.task_id,
          attempt: task.attempt,
          status: 'failed',
          result: {},
          error: problemText('given_up', { n: task.attempts }),
        });
      } else {
        this.log.warning('Task resumed after an interruption', { task: task.task_id, action: task.action });
        this.queue.push({ task });
      }
    }
    await this.saveTasks();
    await this.sites?.recover();
  }

  /** Runs until stopped. */
  async run() {
    const intervalMs = this.config.intervalSeconds * 1000;
    const maintenance = this.sites && this.startMaintenance(this.sites, intervalMs);
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
    clearInterval(maintenance);
    await this.waiting;
    await this.finish();
  }

  /** Runs one round. @throws PanelError when the heartbeat fails; the other steps are retried automatically */
  async round() {
    await this.heartbeat.send();
    this.startWork();
    await this.retries.attempt('get_config', () => this.loadSettings());
    await this.retries.attempt('report_result', () => this.reports.deliver());
    // The panel's tasks come before own scans because users wait for them.
    if (!this.waiting) await this.retries.attempt('pull_task', () => this.pull());
    await this.planScan();
  }

  /** Waits until no task is running and every result the panel accepts has been reported. */
  async idle() {
    await this.sites?.idle();
    while (this.working !== null) await this.working;
    await this.retries.attempt('report_result', () => this.reports.deliver());
  }

  /** Stops running work. It is resumed at the next start and does not count as a crash. */
  async finish() {
    await this.ticking;
    await this.sites?.idle();
    await this.working;
    for (const job of this.queue) if ('task' in job) job.task.attempts = Math.max(0, job.task.attempts - 1);
    await this.saveTasks();
  }

  private async loadSettings() {
    const answer = accepted(await this.client.call('get_config', {}, this.stop), this.client);
    this.settings = readPanelSettings(answer.field('forbidden_scan'));
  }

  /** Pulls tasks while the queue is empty; short tasks run immediately. */
  private async pull() {
    if (!this.config.capabilities.includes('task')) return;
    for (let pulls = 0; pulls < PULLS_A_ROUND && this.queue.length === 0 && !this.stop.aborted; pulls++) {
      const raw = await this.requests.next(this.stop);
      if (raw === null || !(await this.take(raw))) return;
    }
  }

  /** Runs or queues a task. @returns false if it cannot be accepted */
  private async take(raw: Record<string, unknown>) {
    const task = {
      task_id: String(raw.task_id ?? ''),
      action: String(raw.action ?? ''),
      attempt: typeof raw.attempt === 'number' ? raw.attempt : undefined,
      payload: asRecord(raw.payload) ?? {},
      attempts: 0,
    };
    if (task.task_id === '') {
      this.log.warning('The panel sent a task without an id');
      return false;
    }
    const known = this.tasks().find(({ task_id }) => task_id === task.task_id);
    if (known) {
      // Its lease expired in the meantime, so the panel counts a new attempt.
      known.attempt = task.attempt;
      this.log.warning('The panel sent a task that is already running', { task: task.task_id });
      return false;
    }
    if (await this.sites?.begin(raw, this.stop)) return true;
    this.log.info('Task', { task: task.task_id, action: task.action });
    if (task.action === 'forbidden_scan') {
      this.queue.push({ task });
      await this.saveTasks();
      this.startWork();
    } else {
      await this.report(await this.runner.run(task, this.settings));
    }
    return true;
  }

  /** Starts accepting site tasks and running the periodic maintenance. @returns the maintenance timer */
  private startMaintenance(sites: SitesPart, intervalMs: number) {
    this.waiting = new TaskWait(this.requests, this.log, intervalMs).run(async (task) => void (await this.take(task)), this.stop);
    this.tick(sites);
    return setInterval(() => this.tick(sites), this.tickEveryMs);
  }

  /** Skipped while the previous tick is still running. */
  private tick(sites: SitesPart) {
    this.ticking ??= sites
      .tick(this.stop)
      .catch((error: unknown) => this.log.error(`Sites: ${messageOf(error)}`))
      .finally(() => {
        this.ticking = null;
      });
  }

  /** Ids of all accepted tasks whose result the panel has not confirmed. */
  private async held(): Promise<string[]> {
    return [...this.tasks().map(({ task_id }) => task_id), ...(await this.store.reportedTasks())];
  }

  private tasks(): Task[] {
    return [this.current, ...this.queue].flatMap((job) => (job !== null && 'task' in job ? [job.task] : []));
  }

  /** Serialized: concurrent writers of one file would pick up each other's temporary file. */
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
    const stopRenewal = this.leases.hold(() => this.tasks());
    try {
      for (let job = this.queue.shift(); job !== undefined; job = this.queue.shift()) {
        this.current = job;
        try {
          if ('task' in job) await this.workTask(job.task);
          else if (this.settings !== null) await this.ownScans.run(job, this.settings, (end) => this.report(end));
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
      // The state folder is full or missing: nothing can be persisted, so no tasks are accepted until it can.
      this.log.error(`Cannot continue: ${messageOf(error)}`, { code: codeOf(error) });
      this.current = null;
    } finally {
      stopRenewal();
    }
  }

  private async workTask(task: Task) {
    task.attempts++;
    await this.saveTasks();
    await this.report(await this.runner.run(task, this.settings));
  }

  /** Queues the agent's own scan when one is due and the queue is empty. */
  private async planScan() {
    if (this.settings === null) return;
    const enabled = this.settings.enabled && this.config.capabilities.includes('forbidden_scan');
    await this.scanPlan.update(this.settings, enabled);
    if (!enabled || this.working !== null || this.queue.length > 0) return;
    const scan = this.scanPlan.due();
    if (scan) this.queue.push(scan);
    this.startWork();
  }

  private async report({ kept, ...report }: TaskEnd) {
    await this.store.addReport(report);
    await kept?.().catch((error) => this.log.warning(`The file index of the scan cannot be written: ${messageOf(error)}`));
    await this.retries.attempt('report_result', () => this.reports.deliver());
  }
}
