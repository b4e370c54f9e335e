import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';

import { isTaskName } from './added-task.js';
import type { TaskHandler } from './background-task.js';

/** A handler with its defaults filled in. Times in milliseconds. */
export interface KnownHandler {
  readonly name: string;
  readonly attempts: number;
  readonly backoff: number;
  readonly timeout: number;
  readonly concurrency: number;
  readonly forgetDone: boolean;
  readonly run: TaskHandler['run'];
}

/** The task handlers of this process. */
@Injectable()
export class TaskRegistry {
  private readonly handlers = new Map<string, KnownHandler>();
  private readonly watchers: (() => void)[] = [];

  /**
   * Adds a handler; waiting tasks of its name start to run.
   *
   * @returns a function that removes it: running tasks continue, waiting ones stay in the queue
   * @throws Error for a name that is taken, and for values outside their ranges
   */
  add(handler: TaskHandler): Undo {
    const known = withDefaults(handler);
    if (this.handlers.has(known.name)) throw new Error(`The tasks "${known.name}" already have a handler.`);
    this.handlers.set(known.name, known);
    for (const watcher of this.watchers) watcher();
    return () => {
      if (this.handlers.get(known.name) === known) this.handlers.delete(known.name);
      for (const watcher of this.watchers) watcher();
    };
  }

  /** Returns the handler of a name. */
  find(name: string): KnownHandler | undefined {
    return this.handlers.get(name);
  }

  /** Returns all handlers in the order they were added. */
  list(): readonly KnownHandler[] {
    return [...this.handlers.values()];
  }

  /** Calls `watcher` whenever a handler is added or removed. */
  onChange(watcher: () => void): void {
    this.watchers.push(watcher);
  }
}

function withDefaults(handler: TaskHandler): KnownHandler {
  const { name, attempts = 5, backoffSeconds = 5, timeoutMinutes = 5, concurrency = 1, forgetDone = false, run } = handler;
  if (!isTaskName(name))
    throw new Error(`"${name}" is not a valid name for background tasks: use letters, digits, ".", "-" ` + 'and "_", at most 60.');
  const check = (what: string, value: number, max: number): void => {
    if (Number.isInteger(value) && value >= 1 && value <= max) return;
    throw new Error(`The handler of the tasks "${name}" needs ${what} of 1 to ${max}, not ${value}.`);
  };
  check('attempts', attempts, 100);
  check('backoffSeconds', backoffSeconds, 3_600);
  check('timeoutMinutes', timeoutMinutes, 1_440);
  check('concurrency', concurrency, 200);
  return { name, attempts, backoff: backoffSeconds * 1_000, timeout: timeoutMinutes * 60_000, concurrency, forgetDone, run };
}
