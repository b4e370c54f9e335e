import { SetMetadata } from '@nestjs/common';

import type { TaskTurn } from './task-turn.js';

/** Metadata key of {@link BackgroundTask}. */
export const BACKGROUND_TASK_METADATA = Symbol('background-task');

/** Declares the handler for tasks of one name. */
export interface BackgroundTaskDeclaration {
  /** Unique; letters, digits, `.`, `-` and `_`, at most 60 characters, such as `mail.send`. */
  readonly name: string;
  /** Maximum attempts per task, 1 to 100; 5 by default. */
  readonly attempts?: number;
  /**
   * Seconds before the second attempt, 1 to 3600; 5 by default. Each further wait is twice as long, up to an hour, with random jitter of up
   * to a quarter.
   */
  readonly backoffSeconds?: number;
  /** Minutes after which an attempt is asked to stop, 1 to 1440; 5 by default. */
  readonly timeoutMinutes?: number;
  /** How many run at a time in one process, 1 to 200; 1 by default. */
  readonly concurrency?: number;
  /** Removes finished tasks immediately, for tasks that run many times a minute. Failed ones are kept. */
  readonly forgetDone?: boolean;
}

/** A declaration with its handler function. */
export interface TaskHandler extends BackgroundTaskDeclaration {
  /** The result is stored with the task; a task whose handler throws is retried. */
  readonly run: (payload: unknown, turn: TaskTurn) => unknown;
}

/**
 * Makes a method of a provider the handler of background tasks. It is called with the payload given to `BackgroundQueue.add` and a {@link
 * TaskTurn}. It runs at least once: the task of a crashed process is run again by another one.
 * Returning means that the task is done. A handler that stops early because of the signal must throw: `turn.signal.throwIfAborted()`.
 *
 * @example
 * ```ts
 * @BackgroundTask({ name: 'mail.send', attempts: 5, timeoutMinutes: 2, concurrency: 4 })
 * async send(mail: QueuedMail, turn: TaskTurn): Promise<void> { … }
 * ```
 */
export const BackgroundTask = (declaration: BackgroundTaskDeclaration): MethodDecorator =>
  SetMetadata(BACKGROUND_TASK_METADATA, declaration);
