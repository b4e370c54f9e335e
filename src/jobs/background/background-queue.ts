import type { TaskTurn } from './task-turn.js';

/** How far a task is. `waiting`: for its time, its turn, or the next attempt. `done`, `failed` and `cancelled` are ends. */
export type TaskState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** Every state, in the order a task goes through them. */
export const TASK_STATES: readonly TaskState[] = ['waiting', 'running', 'done', 'failed', 'cancelled'];

/** The priority of a task that says nothing. */
export const DEFAULT_PRIORITY = 10;
/** The last of priorities. */
export const LAST_PRIORITY = 1_000;

/** When a task runs, and what keeps it from being there twice. */
export interface AddOptions {
  /** At most 120 characters: while a task of the same name and key is not finished, no second one is added. */
  readonly key?: string;
  /** Not before. */
  readonly runAt?: Date;
  /** 1 to 1000; smaller goes first among the tasks of its name, 10 without it. */
  readonly priority?: number;
  /** Who asked for it, for the page; at most 120 characters. */
  readonly by?: string;
}

/** How far a running task says it is. */
export interface TaskProgress {
  readonly done: number;
  /** 0 where it is not known. */
  readonly total: number;
  readonly note: string | null;
}

/** A task as it is now. */
export interface TaskView {
  readonly id: string;
  readonly name: string;
  readonly state: TaskState;
  readonly key: string | null;
  readonly payload: unknown;
  readonly priority: number;
  readonly by: string | null;
  /** How often it was started. */
  readonly attempts: number;
  readonly addedAt: Date;
  /** Of one that waits: when its turn comes. */
  readonly dueAt: Date;
  /** Of the latest attempt. */
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** Of one that runs and is to stop. */
  readonly stopping: boolean;
  readonly progress: TaskProgress | null;
  /** What the latest attempt that failed failed with: a text, or the key of one. */
  readonly error: string | null;
  /** What the handler returned, where that is JSON of at most 16,000 characters. */
  readonly result: unknown;
  /** Whether this process knows what to do with it. One that no process knows waits until one does. */
  readonly handled: boolean;
}

/** Which tasks. */
export interface TaskFilter {
  readonly state?: TaskState;
  readonly name?: string;
}

/** A part of a list: the newest come first. */
export interface TaskPage {
  /** From 1. */
  readonly page: number;
  /** 1 to 200. */
  readonly limit: number;
}

/** Some of the tasks a filter means. */
export interface TaskList {
  readonly total: number;
  readonly tasks: readonly TaskView[];
}

/**
 * Work that is done after the answer, by whichever process has time: at least once, with retries. The handler of a name is a method with
 * `@BackgroundTask`.
 *
 * @example
 * ```ts
 * await queue.add('mail.send', { to, subject, text }, { key: `expiry:${host.id}` });
 * ```
 */
export abstract class BackgroundQueue {
  /**
   * Adds a task. Inside a transaction it is there if that commits and never was if it does not.
   *
   * @param payload JSON of at most 60,000 bytes; no secrets, it is kept as it is
   * @returns its id, or that of the unfinished one with the same key
   * @throws Error for a name, payload or option that is not as described
   */
  abstract add(name: string, payload: unknown, options?: AddOptions): Promise<string>;

  /** A task by id; null where there is none, or none any more. */
  abstract find(id: string): Promise<TaskView | null>;

  /** Whether an attempt ends because somebody stopped its task, or it is gone, and not because its process or its time ends. */
  async isStopped({ id, signal }: Pick<TaskTurn, 'id' | 'signal'>): Promise<boolean> {
    return signal.aborted && ((await this.find(id))?.stopping ?? true);
  }

  /** Tasks, newest first. */
  abstract list(filter: TaskFilter, page: TaskPage): Promise<TaskList>;

  /** Ends a task that waits, at once, so that it may be gone, and tells one that runs to stop. @returns false where it is neither */
  abstract cancel(id: string): Promise<boolean>;

  /**
   * Has a failed or cancelled task run again, with all its attempts.
   *
   * @returns false where it is neither, or an unfinished one has its key
   */
  abstract retry(id: string): Promise<boolean>;

  /** Begins to run tasks, in a process with the worker: what waits already comes first. */
  abstract start(): void;

  /** Whether what it is kept in answers. While it does not, tasks are added all the same, and run when it does. */
  get available(): boolean {
    return true;
  }

  /** Resolves when nothing runs here and nothing this process could run is due. */
  abstract idle(): Promise<void>;
}
