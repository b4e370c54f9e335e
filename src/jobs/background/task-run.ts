import { CORE_OWNER, loggerFor, runInFrame } from '../../common/index.js';

import type { TaskProgress } from './background-queue.js';
import type { KnownHandler } from './task-registry.js';

/** Minimum interval between progress updates, in milliseconds. */
const PROGRESS_MS = 500;
const MAX_NOTE = 200;
const MAX_RESULT = 16_000;

/** Task data that an attempt needs. */
export interface StartedTask {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly payload: string;
  /** From 1. */
  readonly attempt: number;
}

/** Why an attempt was asked to stop. */
export type StopReason = 'cancelled' | 'timeout' | 'lost' | 'shutdown';

/** Outcome of the handler: its result as JSON, or its error. */
export type TaskEnd = { readonly result: string | null } | { readonly error: unknown };

/** Failure of an attempt that exceeded its timeout; its text has the parameter `minutes`. */
export class TaskTimeout extends Error {
  override readonly name = 'TaskTimeout';
}

const log = loggerFor('tasks');

/** One attempt at a task in this process. */
export class TaskRun {
  /** Resolves when the handler has finished and its last progress is stored; never rejects. */
  readonly ended: Promise<TaskEnd>;
  /** The first reason it was asked to stop; null if it was not. */
  stopped: StopReason | null = null;

  private readonly abort = new AbortController();
  private progress: TaskProgress | null = null;
  private reported = 0;
  private reporting: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param report stores the progress
   * @param onTimeout called when the handler exceeds its timeout, after it was asked to stop
   */
  constructor(
    readonly task: StartedTask,
    readonly handler: KnownHandler,
    private readonly report: (progress: TaskProgress) => Promise<unknown>,
    private readonly onTimeout: () => void = () => undefined,
  ) {
    this.ended = this.run();
  }

  /** Asks the handler to stop. */
  stop(why: StopReason, reason: Error): void {
    this.stopped ??= why;
    this.abort.abort(reason);
  }

  private async run(): Promise<TaskEnd> {
    const { id, attempt, payload } = this.task;
    const { timeout, run } = this.handler;
    const limit = setTimeout(() => {
      const minutes = timeout / 60_000;
      log.warn({ task: this.task.name, id, minutes }, 'a background task exceeded its timeout and was asked to stop');
      this.stop('timeout', new TaskTimeout(`The task took longer than ${minutes} min.`));
      this.onTimeout();
    }, timeout).unref();
    const progress = (done: number, total: number, note?: string): void => {
      this.progress = { done: whole(done), total: whole(total), note: note?.slice(0, MAX_NOTE) ?? null };
      this.scheduleReport();
    };
    try {
      const turn = { id, attempt, signal: this.abort.signal, progress };
      return { result: keptResult(await runInFrame({ owner: CORE_OWNER }, async () => run(JSON.parse(payload), turn))) };
    } catch (error) {
      return { error };
    } finally {
      clearTimeout(limit);
      clearTimeout(this.timer);
      await this.reporting;
      await this.passOn();
    }
  }

  private scheduleReport(): void {
    if (this.timer || this.reporting) return;
    const wait = Math.max(0, this.reported + PROGRESS_MS - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.reporting = this.passOn().finally(() => {
        this.reporting = null;
        if (this.progress) this.scheduleReport();
      });
    }, wait).unref();
  }

  private async passOn(): Promise<void> {
    const { progress } = this;
    if (!progress) return;
    this.progress = null;
    this.reported = performance.now();
    try {
      await this.report(progress);
    } catch (error) {
      log.warn({ task: this.task.name, id: this.task.id, err: error }, 'the progress of a background task could not be stored');
    }
  }
}

const whole = (value: number): number => (Number.isFinite(value) ? Math.max(0, Math.min(Math.round(value), 2_147_483_647)) : 0);

function keptResult(result: unknown): string | null {
  if (result === undefined || result === null) return null;
  const text = JSON.stringify(result) as string | undefined;
  return text !== undefined && text.length <= MAX_RESULT ? text : null;
}
