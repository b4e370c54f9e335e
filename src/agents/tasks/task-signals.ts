import { Injectable, type OnModuleDestroy } from '@nestjs/common';

import { Clock, loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';

const log = loggerFor('node-tasks');

/** Polling interval in milliseconds while anything in this process waits for changes by other processes. */
const POLL_MS = 100;
/** Tasks per query. */
const BATCH = 100;
/** Number of newest pending tasks that are checked for waiting agents. */
const NEWEST = 200;

/** State of a watched task. */
export interface WatchedTask {
  readonly taskId: string;
  readonly status: string;
  readonly progress: string;
  readonly bodyState: string;
}

/**
 * Wakes agents waiting for a task and callers waiting for a result. Changes by this process are signalled immediately; for changes by
 * others, one shared poll runs every {@link POLL_MS} while anything waits.
 */
@Injectable()
export class TaskSignals implements OnModuleDestroy {
  private readonly polls = new Map<string, (isThere: boolean) => void>();
  private readonly watched = new Map<string, (task: WatchedTask) => void>();
  private timer: NodeJS.Timeout | null = null;
  private isPolling = false;
  private pollAgain = false;
  private ending = false;
  private readonly newest;
  private readonly database;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.database = database;
    this.newest = database.statement<{ nodeId: string }>(
      `SELECT {NodeTask.nodeId} AS nodeId FROM {NodeTask} WHERE {NodeTask.status} = 'pending'
        AND ({NodeTask.deadline} IS NULL OR {NodeTask.deadline} > ?)
       ORDER BY {NodeTask.id} DESC LIMIT ${NEWEST}`,
    );
  }

  /**
   * Waits until there may be a task for a node.
   *
   * @param begun receives a function that ends the wait, for a disconnected agent
   * @returns false on timeout, at shutdown, or when another request of the node replaces this one
   */
  waitForTask(nodeId: string, ms: number, begun: (end: () => void) => void): Promise<boolean> {
    this.polls.get(nodeId)?.(false);
    if (this.ending) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isThere: boolean): void => {
        clearTimeout(timer);
        if (this.polls.get(nodeId) === end) this.polls.delete(nodeId);
        resolve(isThere);
      };
      const timer = setTimeout(() => end(false), ms);
      this.polls.set(nodeId, end);
      begun(() => end(false));
      this.begin();
    });
  }

  /** Signals new tasks for these nodes. Call it after the commit. */
  added(nodeIds: readonly string[]): void {
    for (const nodeId of nodeIds) this.polls.get(nodeId)?.(true);
  }

  /** Calls `look` with the current state of a task periodically, until the returned function is called. */
  watch(taskId: string, onChange: (task: WatchedTask) => void): () => void {
    this.watched.set(taskId, onChange);
    this.begin();
    return () => this.watched.delete(taskId);
  }

  /** Signals that a task has changed. */
  changed(taskId: string): void {
    if (this.watched.has(taskId)) void this.poll();
  }

  /** Ends all waits for tasks at shutdown and rejects new ones. */
  endPolls(): void {
    this.ending = true;
    for (const end of [...this.polls.values()]) end(false);
  }

  onModuleDestroy(): void {
    this.endPolls();
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private begin(): void {
    this.timer ??= setInterval(() => void this.poll(), POLL_MS).unref();
  }

  private async poll(): Promise<void> {
    if (this.isPolling) {
      this.pollAgain = true;
      return;
    }
    this.isPolling = true;
    try {
      do {
        this.pollAgain = false;
        await this.pollOnce();
      } while (this.pollAgain);
    } catch (error) {
      log.warn({ err: error }, 'polling tasks failed');
    } finally {
      this.isPolling = false;
    }
  }

  private async pollOnce(): Promise<void> {
    if (this.polls.size === 0 && this.watched.size === 0) {
      if (this.timer) clearInterval(this.timer);
      this.timer = null;
      return;
    }
    if (this.polls.size > 0) this.added((await this.newest.all(this.clock.now())).map(({ nodeId }) => nodeId));
    const ids = [...this.watched.keys()];
    for (let start = 0; start < ids.length; start += BATCH) {
      for (const task of await this.read(ids.slice(start, start + BATCH))) this.watched.get(task.taskId)?.(task);
    }
  }

  private read(ids: readonly string[]): Promise<WatchedTask[]> {
    return this.database
      .statement<WatchedTask>(
        `SELECT {NodeTask.taskId} AS taskId, {NodeTask.status} AS status, {NodeTask.progress} AS progress, {NodeTask.bodyState} AS bodyState
         FROM {NodeTask} WHERE {NodeTask.taskId} IN (${ids.map(() => '?').join(', ')})`,
      )
      .all(...ids);
  }
}
