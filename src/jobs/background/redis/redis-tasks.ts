import { randomUUID } from 'node:crypto';

import type { JobState, JobType } from 'bullmq';

import type { AddedTask } from '../added-task.js';
import type { TaskFilter, TaskList, TaskPage, TaskProgress, TaskState, TaskView } from '../background-queue.js';
import type { TaskRegistry } from '../task-registry.js';
import { TASKS_KEPT_MS } from '../task-settings.js';

import type { NamedQueue, QueuedJob, RedisParts } from './redis-parts.js';

/** Separates the task name from the job id. */
const SEPARATOR = '~';
/** Maximum number of tasks a list reads from Redis; older ones are finished and can be found by their state. */
const DEEPEST = 1_000;
/** Failure reason of a job that was cancelled while running. */
export const CANCELLED = 'tasks.cancelled_by_hand';
/** BullMQ's message for a job whose workers crashed too often. */
const STALLED = /stalled/;

const TYPES: Record<TaskState, JobType[]> = {
  waiting: ['waiting', 'prioritized', 'delayed'],
  running: ['active'],
  done: ['completed'],
  failed: ['failed'],
  cancelled: ['failed'],
};
const ALL_TYPES: JobType[] = ['waiting', 'prioritized', 'delayed', 'active', 'completed', 'failed'];
const STATES: Partial<Record<JobState | 'unknown', TaskState>> = { active: 'running', completed: 'done', failed: 'failed' };

/** Adds, queries and cancels tasks in Redis: one BullMQ queue per task name. */
export class RedisTasks {
  private readonly queues = new Map<string, NamedQueue>();
  /** Names already registered in Redis. */
  private readonly named = new Set<string>();

  constructor(
    private readonly parts: RedisParts,
    private readonly prefix: string,
    private readonly handlers: TaskRegistry,
  ) {}

  /** Returns the queue of a name. */
  queue(name: string): NamedQueue {
    let queue = this.queues.get(name);
    if (!queue) {
      const { bullmq, client } = this.parts;
      queue = new bullmq.Queue(name, { connection: client, prefix: this.prefix, skipWaitingForReady: true });
      // Errors are reported by the calls on the queue.
      queue.on('error', () => undefined);
      this.queues.set(name, queue);
    }
    return queue;
  }

  /** @param job id of an existing job: a second job with this id is not added */
  async add(
    { name, payload, key, runAt, priority, by }: AddedTask,
    job: string = randomUUID(),
    addedAt: Date = new Date(),
  ): Promise<string> {
    const handler = this.handlers.find(name);
    const seconds = TASKS_KEPT_MS / 1_000;
    const added = await this.queue(name).add(
      name,
      { payload, key, by },
      {
        jobId: job,
        priority,
        timestamp: addedAt.getTime(),
        // BullMQ counts the delay from the timestamp.
        delay: runAt ? Math.max(0, runAt.getTime() - addedAt.getTime()) : 0,
        attempts: handler?.attempts,
        removeOnComplete: handler?.forgetDone ? true : { age: seconds },
        removeOnFail: { age: seconds },
        ...(key === null ? {} : { deduplication: { id: key } }),
      },
    );
    if (!this.named.has(name)) {
      await this.parts.client.sadd(`${this.prefix}:names`, name);
      this.named.add(name);
    }
    return idOf(name, added.id ?? job);
  }

  /** Returns a task by id. */
  async find(id: string): Promise<TaskView | null> {
    const job = await this.job(id);
    if (!job) return null;
    const [task] = await this.withStops([this.view(job, await job.getState())]);
    return task!;
  }

  /** Lists tasks of one name or all, newest first. */
  async list({ state, name }: TaskFilter, { page, limit }: TaskPage): Promise<TaskList> {
    const names = name ? [name] : await this.names();
    const types = state ? TYPES[state] : ALL_TYPES;
    const depth = Math.min(page * limit, DEEPEST);
    const found = await Promise.all(
      names.flatMap((each) => types.map(async (type) => this.tasksOf(await this.queue(each).getJobs(type, 0, depth - 1), type))),
    );
    // A job that was cancelled while running is among the failed ones.
    const tasks = found.flat().filter((task) => !state || task.state === state);
    tasks.sort((a, b) => b.addedAt.getTime() - a.addedAt.getTime() || (a.id < b.id ? 1 : -1));
    const byReason = state === 'failed' || state === 'cancelled';
    const counts = await Promise.all(names.map((each) => this.queue(each).getJobCountByTypes(...types)));
    const total = byReason ? tasks.length : counts.reduce((sum, count) => sum + count, 0);
    return { total, tasks: await this.withStops(tasks.slice((page - 1) * limit, page * limit)) };
  }

  /** Removes a waiting task, or asks a running one to stop. */
  async cancel(id: string): Promise<boolean> {
    const job = await this.job(id);
    if (!job) return false;
    const state = await job.getState();
    if (state === 'completed' || state === 'failed') return false;
    if (state !== 'active') {
      try {
        await job.remove();
        return true;
      } catch (error) {
        // A worker started it meanwhile.
        if (!(await job.isActive())) throw error;
      }
    }
    await this.parts.client.set(this.cancelKey(id), '1', 'EX', 86_400);
    return true;
  }

  /** Returns which of these tasks were cancelled. */
  async cancelled(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const answers = await this.parts.client.mget(...ids.map((id) => this.cancelKey(id)));
    return ids.filter((_id, at) => answers[at] !== null);
  }

  /** Removes the cancel mark of a finished task. */
  async forgetCancelled(id: string): Promise<void> {
    await this.parts.client.del(this.cancelKey(id));
  }

  /** Runs a failed task again. */
  async retry(id: string): Promise<boolean> {
    const job = await this.job(id);
    if (!job || !(await job.isFailed())) return false;
    const queue = this.queue(job.name);
    const { key } = job.data;
    if (key !== null && (await queue.getDeduplicationJobId(key)) !== null) return false;
    await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
    return true;
  }

  /** Whether tasks of these names are due or running. */
  async busy(names: readonly string[]): Promise<boolean> {
    const counts = await Promise.all(names.map((name) => this.queue(name).getJobCountByTypes('waiting', 'prioritized', 'active')));
    return counts.some((count) => count > 0);
  }

  /** Closes the connections of the queues. */
  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close().catch(() => undefined)));
  }

  private async names(): Promise<string[]> {
    const known = await this.parts.client.smembers(`${this.prefix}:names`);
    return [...new Set([...known, ...this.handlers.list().map(({ name }) => name)])];
  }

  private async job(id: string): Promise<QueuedJob | null> {
    const [name, job, more] = id.split(SEPARATOR);
    if (!name || !job || more !== undefined || !(await this.isName(name))) return null;
    return (await this.queue(name).getJob(job)) ?? null;
  }

  /** Checks the name first, so that requests with invented names do not create queues. */
  private async isName(name: string): Promise<boolean> {
    return this.handlers.find(name) !== undefined || (await this.parts.client.sismember(`${this.prefix}:names`, name)) === 1;
  }

  /** Marks running tasks that were asked to stop. */
  private async withStops(tasks: TaskView[]): Promise<TaskView[]> {
    const running = tasks.filter(({ state }) => state === 'running').map(({ id }) => id);
    const cancelled = new Set(await this.cancelled(running));
    return tasks.map((task) => (cancelled.has(task.id) ? { ...task, stopping: true } : task));
  }

  private cancelKey(id: string): string {
    return `${this.prefix}:cancel:${id}`;
  }

  private tasksOf(jobs: QueuedJob[], type: JobType): TaskView[] {
    // A job removed while the list was read is missing.
    return jobs.filter(Boolean).map((job) => this.view(job, type));
  }

  private view(job: QueuedJob, type: JobType | JobState | 'unknown'): TaskView {
    const { payload, key, by } = job.data;
    const reason = job.failedReason ?? null;
    const state = reason === CANCELLED && type === 'failed' ? 'cancelled' : (STATES[type as JobState] ?? 'waiting');
    const progress = typeof job.progress === 'object' ? (job.progress as TaskProgress) : null;
    return {
      id: idOf(job.name, job.id!),
      name: job.name,
      state,
      key,
      payload: JSON.parse(payload) as unknown,
      priority: job.priority,
      by,
      attempts: attemptsOf(job, state),
      addedAt: new Date(job.timestamp),
      // After a failed attempt the delay counts from the start of that attempt.
      dueAt: new Date((job.processedOn ?? job.timestamp) + (job.delay ?? 0)),
      startedAt: job.processedOn ? new Date(job.processedOn) : null,
      endedAt: job.finishedOn ? new Date(job.finishedOn) : null,
      stopping: false,
      progress,
      error: state === 'cancelled' || state === 'done' ? null : shownReason(reason),
      result: job.returnvalue ? (JSON.parse(job.returnvalue) as unknown) : null,
      handled: this.handlers.find(job.name) !== undefined,
    };
  }
}

/** Returns a task id, which includes the queue's name. */
export const idOf = (name: string, job: string): string => `${name}${SEPARATOR}${job}`;

/** Attempts that failed, attempts that ended with their process, and the running one. */
function attemptsOf(job: QueuedJob, state: TaskState): number {
  const ended = job.attemptsMade + job.stalledCounter;
  return state === 'running' ? ended + 1 : ended;
}

function shownReason(reason: string | null): string | null {
  return reason !== null && STALLED.test(reason) ? 'tasks.process_gone' : reason;
}
