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

/** Crashes during one task until it is given up. */
const TASK_ATTEMPTS = 2;

/** How often the lease of what is under way is extended. */
const LEASE_EVERY_MS = 20_000;

/** How often sites are looked after, whether the panel is there or not. */
const TICK_EVERY_MS = 5_000;

/** Most tasks taken in one round. */
const PULLS_A_ROUND = 20;

/** What is worked on: a task of the panel, or a scan of its own. */
type Job = { task: Task } | OwnScan;

/** The loop: heartbeat, settings, reports, tasks; one scan at a time beside it. */
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
  /** Where sites are made one request waits for tasks all the time; another one would end it. */
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

  /** Takes up what a crash interrupted; once, before the first round. */
  async recover() {
    await this.store.sweep();
    await this.runner.sweep();
    await this.scanPlan.load();
    const reported = new Set(await this.store.reportedTasks());
    for (const task of await this.store.tasks()) {
      if (reported.has(task.task_id)) continue;
      if (task.attempts >= TASK_ATTEMPTS) {
        this.log.error('Given up: the agent was ended during this task each time', { task: task.task_id, attempts: task.attempts });
        await this.store.addReport({
          task_id: task.task_id,
          attempt: task.attempt,
          status: 'failed',
          result: {},
          error: problemText('given_up', { n: task.attempts }),
        });
      } else {
        this.log.warning('Taken up again after an interruption', { task: task.task_id, action: task.action });
        this.queue.push({ task });
      }
    }
    await this.saveTasks();
    await this.sites?.recover();
  }

  /** Runs until stopped. */
  async run() {
    const intervalMs = this.config.intervalSeconds * 1000;
    const looking = this.sites && this.lookAfter(this.sites, intervalMs);
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
    clearInterval(looking);
    await this.waiting;
    await this.finish();
  }

  /** One round. @throws PanelError when the heartbeat fails; the rest is tried again by itself */
  async round() {
    await this.heartbeat.send();
    this.startWork();
    await this.retries.attempt('get_config', () => this.loadSettings());
    await this.retries.attempt('report_result', () => this.reports.deliver());
    // The panel's tasks come first: somebody waits for them.
    if (!this.waiting) await this.retries.attempt('pull_task', () => this.pull());
    await this.planScan();
  }

  /** Waits until no task is under way and everything is reported, as far as the panel takes it. */
  async idle() {
    await this.sites?.idle();
    while (this.working !== null) await this.working;
    await this.retries.attempt('report_result', () => this.reports.deliver());
  }

  /** Ends what is under way; it is taken up at the next start and does not count as a crash. */
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

  /** Takes tasks while there is one free place in the queue; short ones are done at once. */
  private async pull() {
    if (!this.config.capabilities.includes('task')) return;
    for (let pulls = 0; pulls < PULLS_A_ROUND && this.queue.length === 0 && !this.stop.aborted; pulls++) {
      const raw = await this.requests.next(this.stop);
      if (raw === null || !(await this.take(raw))) return;
    }
  }

  /** Does a task, or queues it. @returns false for one that cannot be taken */
  private async take(raw: Record<string, unknown>) {
    const task = {
      task_id: String(raw.task_id ?? ''),
      action: String(raw.action ?? ''),
      attempt: typeof raw.attempt === 'number' ? raw.attempt : undefined,
      payload: asRecord(raw.payload) ?? {},
      attempts: 0,
    };
    if (task.task_id === '') {
      this.log.warning('The panel sent a task without a number');
      return false;
    }
    const known = this.tasks().find(({ task_id }) => task_id === task.task_id);
    if (known) {
      // Its lease has ended meanwhile: this is its attempt now.
      known.attempt = task.attempt;
      this.log.warning('The panel sent a task again that is under way', { task: task.task_id });
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

  /** Takes tasks of sites from now on, and has done what goes on by itself. @returns the timer of that */
  private lookAfter(sites: SitesPart, intervalMs: number) {
    this.waiting = new TaskWait(this.requests, this.log, intervalMs).run(async (task) => void (await this.take(task)), this.stop);
    this.tick(sites);
    return setInterval(() => this.tick(sites), this.tickEveryMs);
  }

  /** Never twice at a time. */
  private tick(sites: SitesPart) {
    this.ticking ??= sites
      .tick(this.stop)
      .catch((error: unknown) => this.log.error(`Sites: ${messageOf(error)}`))
      .finally(() => {
        this.ticking = null;
      });
  }

  /** Ids of everything that was taken and whose end the panel does not know. */
  private async held(): Promise<string[]> {
    return [...this.tasks().map(({ task_id }) => task_id), ...(await this.store.reportedTasks())];
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
    const letGo = this.leases.hold(() => this.tasks());
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
      // The state folder is full or gone: nothing can be kept, so nothing is taken either until it can.
      this.log.error(`Cannot go on: ${messageOf(error)}`, { code: codeOf(error) });
      this.current = null;
    } finally {
      letGo();
    }
  }

  private async workTask(task: Task) {
    task.attempts++;
    await this.saveTasks();
    await this.report(await this.runner.run(task, this.settings));
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

  private async report({ kept, ...report }: TaskEnd) {
    await this.store.addReport(report);
    await kept?.().catch((error) => this.log.warning(`The file index cannot be written: ${messageOf(error)}`));
    await this.retries.attempt('report_result', () => this.reports.deliver());
  }
}
