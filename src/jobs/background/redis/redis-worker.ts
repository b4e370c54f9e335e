import { loggerFor, waitAtMost } from '../../../common/index.js';

import { backoffAfter } from '../backoff.js';
import { failureOf } from '../task-failure.js';
import type { KnownHandler, TaskRegistry } from '../task-registry.js';
import { TaskRun, type TaskEnd } from '../task-run.js';
import type { TaskSettings } from '../task-settings.js';
import { FinalFailure } from '../task-turn.js';

import type { NamedWorker, QueuedJob, RedisParts } from './redis-parts.js';
import { CANCELLED, idOf, type RedisTasks } from './redis-tasks.js';

/** How long a shutdown waits for Redis, which may be unreachable, in milliseconds. */
const REDIS_WAIT = 2_000;

/**
 * Runs the tasks in Redis: one BullMQ worker for each name this process handles. BullMQ renews locks, detects crashed workers, and delays
 * retries.
 */
export class RedisWorker {
  private readonly log = loggerFor('tasks');
  private readonly workers = new Map<string, { handler: KnownHandler; worker: NamedWorker }>();
  private readonly runs = new Map<string, TaskRun>();
  private timer: NodeJS.Timeout | undefined;
  private started = false;
  private stopped = false;

  constructor(
    private readonly parts: RedisParts,
    private readonly tasks: RedisTasks,
    private readonly handlers: TaskRegistry,
    private readonly prefix: string,
    private readonly settings: TaskSettings,
  ) {}

  /** Starts to run tasks. */
  start(): void {
    if (this.started) return;
    this.started = true;
    this.timer = setInterval(() => void this.checkCancelled(), this.settings.poll).unref();
    this.handlers.onChange(() => this.follow());
    this.follow();
  }

  /** Starts no more tasks, asks running ones to stop, and waits for them and for Redis. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    const workers = [...this.workers.values()].map(({ worker }) => worker);
    const closing = Promise.all(workers.map((worker) => worker.close()));
    const runs = [...this.runs.values()];
    for (const run of runs) run.stop('shutdown', new Error('The panel is being stopped.'));
    const ended = await waitAtMost(Promise.all(runs.map((run) => run.ended)), this.settings.shutdown);
    if (ended && (await waitAtMost(closing, REDIS_WAIT))) return;
    if (!ended)
      this.log.warn(
        { tasks: [...this.runs.keys()] },
        'background tasks were still running at shutdown; they run again once their lease expires',
      );
    await waitAtMost(Promise.all(workers.map((worker) => worker.close(true))), REDIS_WAIT);
  }

  /** Asks a task to stop, if it runs in this process. */
  cancel(id: string): void {
    this.runs.get(id)?.stop('cancelled', new Error('The task was cancelled.'));
  }

  /** Whether a task runs in this process. */
  get active(): boolean {
    return this.runs.size > 0;
  }

  /** Keeps one worker per registered handler. */
  private follow(): void {
    if (this.stopped) return;
    for (const [name, { handler, worker }] of this.workers) {
      if (this.handlers.find(name) === handler) continue;
      this.workers.delete(name);
      void worker.close().catch(() => undefined);
    }
    for (const handler of this.handlers.list()) {
      if (!this.workers.has(handler.name)) this.workers.set(handler.name, { handler, worker: this.workerOf(handler) });
    }
  }

  private workerOf(handler: KnownHandler): NamedWorker {
    const { bullmq, patient } = this.parts;
    const worker: NamedWorker = new bullmq.Worker(handler.name, (job, token) => this.process(job, handler, worker, token!), {
      connection: patient,
      prefix: this.prefix,
      concurrency: handler.concurrency,
      lockDuration: this.settings.lease,
      stalledInterval: this.settings.lease,
      maxStalledCount: handler.attempts - 1,
      settings: { backoffStrategy: (attempts) => backoffAfter(attempts, handler.backoff) },
    });
    // Logged once, by the connection.
    worker.on('error', () => undefined);
    return worker;
  }

  private async process(job: QueuedJob, handler: KnownHandler, worker: NamedWorker, token: string): Promise<string | null> {
    const id = idOf(job.name, job.id!);
    // The process that added it may not know the handler's attempts and backoff.
    job.opts.attempts = handler.attempts;
    job.opts.backoff = { type: 'custom' };
    const task = { id, name: job.name, payload: job.data.payload, attempt: job.attemptsMade + job.stalledCounter + 1 };
    // A handler that exceeds its timeout keeps its lock, but its slot is given to other tasks.
    const run = new TaskRun(
      task,
      handler,
      (progress) => job.updateProgress(progress),
      () => (worker.concurrency += 1),
    );
    this.runs.set(id, run);
    try {
      return await this.outcome(job, run, handler, await run.ended, token);
    } finally {
      this.runs.delete(id);
      if (run.stopped === 'timeout') worker.concurrency -= 1;
    }
  }

  /** Converts the end of the handler to BullMQ's result or error. */
  private async outcome(job: QueuedJob, run: TaskRun, handler: KnownHandler, end: TaskEnd, token: string): Promise<string | null> {
    const { UnrecoverableError, WaitingError } = this.parts.bullmq;
    if (run.stopped === 'cancelled') await this.tasks.forgetCancelled(run.task.id);
    if ('result' in end) return end.result;
    if (run.stopped === 'cancelled') throw new UnrecoverableError(CANCELLED);
    if (run.stopped === 'shutdown') {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const error = failureOf(run, end.error);
    this.log.warn({ task: job.name, id: run.task.id, attempt: run.task.attempt, err: end.error }, 'a background task failed');
    throw end.error instanceof FinalFailure || run.task.attempt >= handler.attempts ? new UnrecoverableError(error) : new Error(error);
  }

  private async checkCancelled(): Promise<void> {
    if (this.runs.size === 0) return;
    try {
      for (const id of await this.tasks.cancelled([...this.runs.keys()])) this.cancel(id);
    } catch {
      // Redis is unreachable, which its connection logs; the next poll tries again.
    }
  }
}
