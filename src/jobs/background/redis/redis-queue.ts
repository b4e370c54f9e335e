import { AsyncResource } from 'node:async_hooks';

import type { OnModuleDestroy } from '@nestjs/common';

import { loggerFor, waitAtMost, type Clock } from '../../../common/index.js';
import type { AppConfig } from '../../../config/index.js';
import type { Database } from '../../../database/index.js';

import { checkedTask, type AddedTask } from '../added-task.js';
import { BackgroundQueue, type AddOptions, type TaskFilter, type TaskList, type TaskPage, type TaskView } from '../background-queue.js';
import { TaskQueueError } from '../errors.js';
import type { TaskRecords } from '../task-records.js';
import type { TaskRegistry } from '../task-registry.js';
import { TASK_SETTINGS, type TaskSettings } from '../task-settings.js';

import { connectRedis, type RedisParts } from './redis-parts.js';
import { RedisTasks } from './redis-tasks.js';
import { RedisWorker } from './redis-worker.js';
import { TaskOutbox } from './task-outbox.js';

interface Connected {
  readonly parts: RedisParts;
  readonly tasks: RedisTasks;
  readonly worker: RedisWorker;
}

/** Prefix of all Redis keys. */
const PREFIX = 'svc';
/** How long a shutdown waits for Redis, which may be unreachable, in milliseconds. */
const CLOSE_WAIT = 1_000;

/**
 * Background queue in Redis, based on BullMQ. Tasks added inside a transaction, or while Redis is unreachable, are stored as rows and moved
 * to Redis after the commit once it answers; until then they are read from the table. The same applies to tasks that waited before
 * `REDIS_URL` was set.
 */
export class RedisQueue extends BackgroundQueue implements OnModuleDestroy {
  private readonly log = loggerFor('tasks');
  private readonly outbox: TaskOutbox;
  private readonly scheduleRelay: () => void;
  private connecting: Promise<Connected> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private relaying: Promise<void> | null = null;
  private away = false;
  private started = false;
  private ended = false;

  constructor(
    private readonly config: AppConfig,
    private readonly database: Database,
    clock: Clock,
    records: TaskRecords,
    private readonly handlers: TaskRegistry,
    private readonly settings: TaskSettings = TASK_SETTINGS,
    private readonly prefix = PREFIX,
  ) {
    super();
    this.outbox = new TaskOutbox(database, clock, records, settings);
    // Bound here, so that moving tasks to Redis does not run in the transaction that added them.
    this.scheduleRelay = AsyncResource.bind(() => void this.relay());
  }

  override get available(): boolean {
    return !this.away;
  }

  async onModuleDestroy(): Promise<void> {
    this.ended = true;
    clearInterval(this.timer);
    await this.relaying;
    if (!this.connecting) return;
    const { parts, tasks, worker } = await this.connecting;
    await worker.stop();
    await waitAtMost(tasks.close(), CLOSE_WAIT);
    for (const client of [parts.client, parts.patient]) client.disconnect();
  }

  async add(name: string, payload: unknown, options?: AddOptions): Promise<string> {
    const task = checkedTask(name, payload, options);
    if (this.database.inTransaction) return this.addRow(task);
    // Tasks waiting for Redis are sent first, and one of them may have this key.
    if (this.away || (task.key !== null && (await this.outbox.hasKey(name, task.key)))) return this.addRow(task);
    try {
      return await (await this.connected()).tasks.add(task);
    } catch (error) {
      this.onAway(error as Error);
      return this.addRow(task);
    }
  }

  async find(id: string): Promise<TaskView | null> {
    return (await this.outbox.find(id)) ?? (await this.reachable()).tasks.find(id);
  }

  async list(filter: TaskFilter, page: TaskPage): Promise<TaskList> {
    await this.relay();
    if (this.away) return this.outbox.list(filter, page);
    return (await this.reachable()).tasks.list(filter, page);
  }

  async cancel(id: string): Promise<boolean> {
    if (await this.outbox.cancel(id)) return true;
    const { tasks, worker } = await this.reachable();
    const cancelled = await tasks.cancel(id);
    if (cancelled) worker.cancel(id);
    return cancelled;
  }

  async retry(id: string): Promise<boolean> {
    return (await this.reachable()).tasks.retry(id);
  }

  start(): void {
    this.started = true;
    this.timer = setInterval(this.scheduleRelay, this.settings.poll).unref();
    this.scheduleRelay();
  }

  async idle(): Promise<void> {
    const { tasks, worker } = await this.connected();
    const names = this.handlers.list().map(({ name }) => name);
    do {
      await this.relay();
      await new Promise((resolve) => setTimeout(resolve, 20));
    } while (worker.active || (await tasks.busy(names)));
  }

  private async addRow(task: AddedTask): Promise<string> {
    const id = await this.outbox.keep(task);
    this.database.afterCommit(this.scheduleRelay);
    return id;
  }

  /** Moves stored tasks to Redis; one run at a time. */
  private relay(): Promise<void> {
    this.relaying ??= this.relayAll().finally(() => (this.relaying = null));
    return this.relaying;
  }

  private async relayAll(): Promise<void> {
    if (this.ended) return;
    try {
      const { parts, tasks, worker } = await this.connected();
      if (this.away) {
        await parts.client.ping();
        this.onBack();
      }
      // Only now: a worker that never reached Redis could not be closed.
      if (this.started && this.config.runs('worker') && !this.ended) worker.start();
      await this.outbox.sendAll(
        (task, job, addedAt) => tasks.add(task, job, addedAt),
        (id) => tasks.cancel(id),
      );
    } catch (error) {
      this.onAway(error as Error);
    }
  }

  /** @throws TaskQueueError while Redis is unreachable */
  private async reachable(): Promise<Connected> {
    const connected = await this.connected();
    if (this.away) throw new TaskQueueError('QUEUE_AWAY');
    return connected;
  }

  private connected(): Promise<Connected> {
    this.connecting ??= this.connect();
    return this.connecting;
  }

  private async connect(): Promise<Connected> {
    const parts = await connectRedis(
      this.config.redisUrl!,
      (error) => this.onAway(error),
      () => this.onBack(),
    );
    const tasks = new RedisTasks(parts, this.prefix, this.handlers);
    const worker = new RedisWorker(parts, tasks, this.handlers, this.prefix, this.settings);
    return { parts, tasks, worker };
  }

  private onAway(error: Error): void {
    if (this.away || this.ended) return;
    this.away = true;
    this.log.error({ err: error }, 'Redis is unreachable: background tasks are stored in the database until it is back');
  }

  private onBack(): void {
    if (!this.away) return;
    this.away = false;
    this.log.info('Redis is reachable again: the stored background tasks are moved there');
    this.scheduleRelay();
  }
}
