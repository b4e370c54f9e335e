import type { TaskTurn } from './task-turn.js';

/** State of a task. `waiting`: for its time, its turn, or the next attempt. `done`, `failed` and `cancelled` are final. */
export type TaskState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** All states, in the order a task passes through them. */
export const TASK_STATES: readonly TaskState[] = ['waiting', 'running', 'done', 'failed', 'cancelled'];

/** Default priority of a task. */
export const DEFAULT_PRIORITY = 10;
/** Lowest priority (largest number). */
export const LAST_PRIORITY = 1_000;

/** When a task runs, and how duplicates are prevented. */
export interface AddOptions {
  /** At most 120 characters: while a task with the same name and key is unfinished, no second one is added. */
  readonly key?: string;
  /** Earliest start. */
  readonly runAt?: Date;
  /** 1 to 1000, 10 by default; tasks of the same name with a smaller number run first. */
  readonly priority?: number;
  /** Who requested it, shown on the page; at most 120 characters. */
  readonly by?: string;
}

/** Progress reported by a running task. */
export interface TaskProgress {
  readonly done: number;
  /** 0 if unknown. */
  readonly total: number;
  readonly note: string | null;
}

/** Current state of a task. */
export interface TaskView {
  readonly id: string;
  readonly name: string;
  readonly state: TaskState;
  readonly key: string | null;
  readonly payload: unknown;
  readonly priority: number;
  readonly by: string | null;
  /** Number of attempts started. */
  readonly attempts: number;
  readonly addedAt: Date;
  /** For a waiting task: when it becomes due. */
  readonly dueAt: Date;
  /** Start of the latest attempt. */
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** The task runs and was asked to stop. */
  readonly stopping: boolean;
  readonly progress: TaskProgress | null;
  /** Error of the latest failed attempt: a text, or the key of one. */
  readonly error: string | null;
  /** Result of the handler, if it is JSON of at most 16,000 characters. */
  readonly result: unknown;
  /** Whether this process has a handler for it. A task without a handler in any process waits until one is registered. */
  readonly handled: boolean;
}

/** Selects tasks. */
export interface TaskFilter {
  readonly state?: TaskState;
  readonly name?: string;
}

/** A page of a list, newest first. */
export interface TaskPage {
  /** From 1. */
  readonly page: number;
  /** 1 to 200. */
  readonly limit: number;
}

/** One page of the matching tasks. */
export interface TaskList {
  readonly total: number;
  readonly tasks: readonly TaskView[];
}

/**
 * Background work that is run by any process with free capacity: at least once, with retries. The handler of a name is a method with
 * `@BackgroundTask`.
 *
 * @example
 * ```ts
 * await queue.add('mail.send', { to, subject, text }, { key: `expiry:${host.id}` });
 * ```
 */
export abstract class BackgroundQueue {
  /**
   * Adds a task. Inside a transaction it is added on commit and discarded on rollback.
   *
   * @param payload JSON of at most 60,000 bytes; no secrets, since it is stored in plain text
   * @returns its id, or that of the unfinished task with the same key
   * @throws Error for an invalid name, payload or option
   */
  abstract add(name: string, payload: unknown, options?: AddOptions): Promise<string>;

  /** Returns a task by id; null if it does not exist or was already removed. */
  abstract find(id: string): Promise<TaskView | null>;

  /** Whether an attempt was aborted because its task was cancelled or removed, not because of a shutdown or timeout. */
  async isStopped({ id, signal }: Pick<TaskTurn, 'id' | 'signal'>): Promise<boolean> {
    return signal.aborted && ((await this.find(id))?.stopping ?? true);
  }

  /** Lists tasks, newest first. */
  abstract list(filter: TaskFilter, page: TaskPage): Promise<TaskList>;

  /** Cancels a waiting task immediately, which may remove it, and asks a running one to stop. @returns false if it is in neither state */
  abstract cancel(id: string): Promise<boolean>;

  /**
   * Runs a failed or cancelled task again, with all its attempts.
   *
   * @returns false if it is in neither state, or an unfinished task has its key
   */
  abstract retry(id: string): Promise<boolean>;

  /** Starts to run tasks, in a process with the worker: tasks already waiting come first. */
  abstract start(): void;

  /** Whether the queue's storage is reachable. While it is not, tasks can still be added and run once it is. */
  get available(): boolean {
    return true;
  }

  /** Resolves when no task runs in this process and none that it could run is due. */
  abstract idle(): Promise<void>;
}
