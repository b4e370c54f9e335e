import { SetMetadata } from '@nestjs/common';

import type { TaskTurn } from './task-turn.js';

/** Key of the metadata of {@link BackgroundTask}. */
export const BACKGROUND_TASK_METADATA = Symbol('background-task');

/** What is done with the tasks of one name. */
export interface BackgroundTaskDeclaration {
  /** Unique; letters, digits, `.`, `-` and `_`, at most 60 characters, such as `mail.send`. */
  readonly name: string;
  /** How often one is tried at most, 1 to 100; 5 without it. */
  readonly attempts?: number;
  /**
   * Seconds before the second attempt, 1 to 3600; 5 without it. Each further wait is twice as long, an hour at most, and a
   * quarter more or less by chance.
   */
  readonly backoffSeconds?: number;
  /** Minutes after which an attempt is told to stop, 1 to 1440; 5 without it. */
  readonly timeoutMinutes?: number;
  /** How many run at once in one process, 1 to 200; 1 without it. */
  readonly concurrency?: number;
  /** Keeps nothing of those that are done: for what is done many times a minute. Failed ones are kept. */
  readonly forgetDone?: boolean;
}

/** What is done with the tasks of one name, and the work itself. */
export interface TaskHandler extends BackgroundTaskDeclaration {
  /** What it returns is kept with the task; one that throws is tried again. */
  readonly run: (payload: unknown, turn: TaskTurn) => unknown;
}

/**
 * Makes a method of a provider the handler of background tasks: it stands beside what it does and is listed nowhere else. It is
 * called with what was given to `BackgroundQueue.add` and a {@link TaskTurn}. It runs at least once: a process that dies in the
 * middle leaves its task to another one.
 *
 * To return means that it is done. Whoever is told to stop by the signal and is not done throws: `turn.signal.throwIfAborted()`.
 *
 * @example
 * ```ts
 * @BackgroundTask({ name: 'mail.send', attempts: 5, timeoutMinutes: 2, concurrency: 4 })
 * async send(mail: QueuedMail, turn: TaskTurn): Promise<void> { … }
 * ```
 */
export const BackgroundTask = (declaration: BackgroundTaskDeclaration): MethodDecorator =>
  SetMetadata(BACKGROUND_TASK_METADATA, declaration);
