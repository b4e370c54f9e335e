import { AsyncResource } from 'node:async_hooks';

import { Inject, Injectable, Optional, type OnModuleDestroy } from '@nestjs/common';

import { Clock, IdleWaiters, loggerFor, waitAtMost } from '../../common/index.js';
import { Database } from '../../database/index.js';

import { backoffAfter } from './backoff.js';
import { TaskClaims, type ClaimedTask } from './task-claims.js';
import { FinalFailure } from './task-turn.js';
import { failureOf } from './task-failure.js';
import { TaskRegistry, type KnownHandler } from './task-registry.js';
import { TaskRun, type TaskEnd } from './task-run.js';
import { TASK_SETTINGS, TASK_SETTINGS_TOKEN, type TaskSettings } from './task-settings.js';

/** A run with its claim. */
interface ActiveRun {
  readonly claim: ClaimedTask;
  readonly run: TaskRun;
  /** By this process's monotonic clock: when other processes may consider it crashed. */
  leaseUntil: number;
  /** Its outcome is being stored: a failed renewal is then expected. */
  ending: boolean;
}

/**
 * Runs the tasks of the table: tasks added by this process immediately, tasks of others within two seconds. A lease, renewed until the
 * handler has really finished, shows that the process is alive. A handler that was asked to stop because of its timeout gives its slot to
 * other tasks meanwhile.
 */
@Injectable()
export class TaskWorker implements OnModuleDestroy {
  private readonly log = loggerFor('tasks');
  private readonly claims: TaskClaims;
  private readonly active = new Map<string, ActiveRun>();
  private readonly ends = new Set<Promise<void>>();
  private readonly schedulePass: () => void;
  private started = false;
  private scheduled = false;
  private passing = false;
  private again = false;
  private timer: NodeJS.Timeout | undefined;
  private intervals: NodeJS.Timeout[] = [];
  private readonly idleWaiters = new IdleWaiters(() => this.quiet);

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly handlers: TaskRegistry,
    @Optional() @Inject(TASK_SETTINGS_TOKEN) private readonly settings: TaskSettings = TASK_SETTINGS,
  ) {
    this.claims = new TaskClaims(database, clock, settings);
    // Bound here: a handler must not inherit the request, plugin or transaction of the code that added its task.
    this.schedulePass = AsyncResource.bind(() => void setImmediate(() => void this.pass()));
    handlers.onChange(() => this.wake());
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  /** Starts to run tasks. */
  start(): void {
    if (this.started) return;
    this.started = true;
    this.intervals = [
      setInterval(() => void this.renewAll(), this.settings.renewal).unref(),
      setInterval(() => void this.poll(), this.settings.poll).unref(),
    ];
    this.wake();
  }

  /** Starts no more tasks, asks running ones to stop and waits for them, at most {@link TaskSettings.shutdown}. */
  async stop(): Promise<void> {
    this.started = false;
    clearTimeout(this.timer);
    for (const { run } of this.active.values()) run.stop('shutdown', new Error('The panel is being stopped.'));
    if (!(await waitAtMost(this.idle(), this.settings.shutdown))) {
      const tasks = [...this.active.values()].map(({ claim }) => `${claim.name} ${claim.id}`);
      this.log.warn({ tasks }, 'background tasks were still running at shutdown; they run again once their lease expires');
    }
    for (const interval of this.intervals) clearInterval(interval);
  }

  /** Schedules a check for due tasks; returns immediately. */
  wake(): void {
    if (!this.started) return;
    if (this.passing) this.again = true;
    else if (!this.scheduled) {
      this.scheduled = true;
      this.schedulePass();
    }
  }

  /** Asks a task to stop, if it runs in this process. */
  cancel(id: string): void {
    this.active.get(id)?.run.stop('cancelled', new Error('The task was cancelled.'));
  }

  /** Resolves when no task runs in this process and none that it could run is due. */
  idle(): Promise<void> {
    return this.idleWaiters.wait();
  }

  /** Renews the leases of all running tasks; runs by timer. */
  async renewAll(): Promise<void> {
    for (const active of [...this.active.values()]) {
      const { claim, run } = active;
      const fields = { task: claim.name, id: claim.id };
      const until = performance.now() + this.settings.lease;
      try {
        if (await this.claims.renew(claim)) active.leaseUntil = until;
        else if (!active.ending) this.lose(active, fields);
      } catch (error) {
        this.log.warn({ ...fields, err: error }, 'the lease of a background task could not be renewed');
        // The next renewal may reach the database again; after the lease another process may run the task.
        if (performance.now() > active.leaseUntil) run.stop('lost', new Error('The database could not be reached for too long.'));
      }
    }
  }

  private lose({ run }: ActiveRun, fields: object): void {
    if (run.stopped === 'lost') return;
    this.log.warn(
      fields,
      'the lease of a background task expired because its process was suspended for too long; the task was asked to stop',
    );
    run.stop('lost', new Error('The lease of the task expired: another process runs it again.'));
  }

  private get quiet(): boolean {
    return !this.scheduled && !this.passing && this.active.size === 0;
  }

  private async pass(): Promise<void> {
    this.scheduled = false;
    this.passing = true;
    let next: Date | null = null;
    try {
      do {
        this.again = false;
        next = await this.startDue();
      } while (this.again && this.started);
    } catch (error) {
      this.log.error({ err: error }, 'polling for background tasks failed; retrying soon');
    } finally {
      this.passing = false;
      this.wakeAt(next);
      this.idleWaiters.check();
    }
  }

  /** Schedules a check for a task that becomes due before the next poll. */
  private wakeAt(moment: Date | null): void {
    clearTimeout(this.timer);
    if (!this.started || !moment) return;
    const wait = Math.max(0, moment.getTime() - this.clock.now().getTime());
    if (wait < this.settings.poll) this.timer = setTimeout(() => this.wake(), wait).unref();
  }

  /** Checks for tasks that other processes added, cancelled or left behind; runs by timer. */
  async poll(): Promise<void> {
    try {
      const dead = await this.claims.reclaimCrashed();
      if (dead > 0) this.log.warn({ tasks: dead }, 'background tasks of a crashed process are queued again');
      if (this.active.size > 0) await this.checkCancelled();
    } catch (error) {
      this.log.error({ err: error }, 'checking the background tasks of other processes failed');
    }
    this.wake();
  }

  private async checkCancelled(): Promise<void> {
    for (const { id, holder } of await this.claims.cancelled()) {
      if (this.active.get(String(id))?.claim.holder === holder) this.cancel(String(id));
    }
  }

  /** Starts due tasks in all free slots. @returns when the next delayed task becomes due */
  private async startDue(): Promise<Date | null> {
    const next = await this.claims.readyDue();
    for (const handler of this.handlers.list()) {
      for (;;) {
        const free = handler.concurrency - this.running(handler.name);
        if (!this.started || free <= 0) break;
        const { claimed, more } = await this.claims.claim(handler.name, free, handler.attempts);
        for (const claim of claimed) this.begin(claim, handler);
        if (!more) break;
      }
    }
    return next;
  }

  private running(name: string): number {
    let running = 0;
    for (const { claim, run } of this.active.values()) if (claim.name === name && run.stopped !== 'timeout') running += 1;
    return running;
  }

  private begin(claim: ClaimedTask, handler: KnownHandler): void {
    const run = new TaskRun(
      claim,
      handler,
      (progress) => this.claims.progress(claim, progress),
      () => void this.onTimeout(claim),
    );
    const active = { claim, run, leaseUntil: performance.now() + this.settings.lease, ending: false };
    this.active.set(claim.id, active);
    const end = this.attend(active, handler).finally(() => {
      this.ends.delete(end);
      if (this.active.get(claim.id) === active) this.active.delete(claim.id);
      this.wake();
      this.idleWaiters.check();
    });
    this.ends.add(end);
  }

  private async onTimeout(claim: ClaimedTask): Promise<void> {
    this.wake();
    await this.claims.recordTimeout(claim, 'tasks.timeout').catch((error: unknown) => {
      this.log.warn({ task: claim.name, id: claim.id, err: error }, 'the timeout of a background task could not be stored');
    });
  }

  /** Waits for the end of one attempt and stores its outcome; never rejects. */
  private async attend(active: ActiveRun, handler: KnownHandler): Promise<void> {
    const { claim, run } = active;
    const fields = { task: claim.name, id: claim.id, attempt: claim.attempt };
    const end = await run.ended;
    active.ending = true;
    try {
      if (!(await this.writeEnd(claim, run, handler, end)))
        this.log.warn(fields, 'a background task ended after its lease was lost; it may run twice');
    } catch (error) {
      this.log.error(
        { ...fields, err: error },
        'the outcome of a background task could not be stored; it runs again once its lease expires',
      );
    }
  }

  private writeEnd(claim: ClaimedTask, run: TaskRun, handler: KnownHandler, end: TaskEnd): Promise<boolean> {
    if ('result' in end) return handler.forgetDone ? this.claims.drop(claim) : this.claims.end(claim, 'done', null, end.result);
    if (run.stopped === 'cancelled') return this.claims.end(claim, 'cancelled', null, null);
    if (run.stopped === 'shutdown') return this.claims.again(claim, 0, claim.attempt - 1, null);
    const error = failureOf(run, end.error);
    this.log.warn({ task: claim.name, id: claim.id, attempt: claim.attempt, err: end.error }, 'a background task failed');
    if (end.error instanceof FinalFailure || claim.attempt >= handler.attempts) return this.claims.end(claim, 'failed', error, null);
    return this.claims.again(claim, backoffAfter(claim.attempt, handler.backoff), claim.attempt, error);
  }
}
