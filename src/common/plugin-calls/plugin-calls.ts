import { Injectable, Optional } from '@nestjs/common';

import { executionContext, runInFrame, type ExecutionFrame } from './context.js';
import { Faults } from './faults.js';
import { CORE_OWNER } from '../core-owner.js';
import { loggerFor } from '../logger.js';

import { CallDeadlines, type CallKind } from './call-deadlines.js';
import { CallPlace, type CallStatistics } from './call-place.js';
import { DeadlineQueues } from './deadline-queue.js';
import { AnsweredByThrowing, PluginCallError } from './errors.js';
import { placeNumber } from './place-numbers.js';
import { RUNNING_PLACE } from './shared-state.js';

const log = loggerFor('plugins');

/** Places that are told apart for one owner; names made up at run time must not fill the memory. */
const MAX_PLACES = 2_000;

/** How {@link PluginCalls.run} calls. */
export interface CallOptions {
  readonly kind: CallKind;
  /** Milliseconds; that of the kind where nothing is given. */
  readonly deadline?: number;
  /** What the frame of the call has besides its owner. */
  readonly frame?: Omit<ExecutionFrame, 'owner' | 'parent' | 'kind'>;
}

/**
 * The one way into a plugin's code: it runs in a frame of its owner, is counted and timed, and what returns a promise has to keep
 * its deadline. Past that the caller gets PLUGIN_TIMEOUT and goes on; the code cannot be stopped, but what it answers later counts
 * for nothing and is logged once. A callback that misses its deadline five times in a row is not called for a minute
 * (PLUGIN_PAUSED), then tried once.
 *
 * What returns no promise costs no timer: a loop that does not return is the watchdog's business.
 */
@Injectable()
export class PluginCalls {
  private readonly owners = new Map<string, Map<string, CallPlace>>();
  private readonly queues = new DeadlineQueues();

  /** @param faults where whoever calls records what failed */
  constructor(
    @Optional() readonly deadlines: CallDeadlines = new CallDeadlines(),
    @Optional() readonly faults: Faults = new Faults(),
  ) {}

  /** The place of that name, made where there is none. */
  place(owner: string, name: string): CallPlace {
    let places = this.owners.get(owner);
    if (places === undefined) this.owners.set(owner, (places = new Map()));
    let place = places.get(name);
    if (place === undefined) {
      if (places.size >= MAX_PLACES) name = 'elsewhere';
      place = places.get(name) ?? new CallPlace(owner, name, placeNumber(owner, name), this.deadlines);
      places.set(name, place);
    }
    return place;
  }

  /**
   * A plugin's callback as the panel may call it, from wherever it likes.
   *
   * @param name of its place, such as `operation p_x`
   */
  guard<Args extends unknown[], Result>(
    owner: string,
    name: string,
    options: CallOptions,
    callback: (...args: Args) => Result,
  ): (...args: Args) => Result {
    const place = this.place(owner, name);
    return (...args) => this.run(place, options, () => callback(...args));
  }

  /**
   * Calls into a plugin. What is returned at once comes back at once; of a promise comes one that settles in time.
   *
   * @throws PluginCallError PLUGIN_PAUSED, PLUGIN_TIMEOUT (by rejection); besides what `work` throws
   */
  run<Result>(place: CallPlace, options: CallOptions, work: () => Result): Result {
    if (place.paused) place.requireOpen();
    const { kind, deadline, frame } = options;
    const began = performance.now();
    const outer = RUNNING_PLACE[0]!;
    place.calls += 1;
    RUNNING_PLACE[0] = place.id;
    let result: Result;
    let pending: boolean;
    try {
      result = runInFrame({ ...frame, owner: place.owner, kind }, work);
      pending = isThenable(result);
    } catch (error) {
      this.failed(place, error, performance.now() - began);
      throw error;
    } finally {
      RUNNING_PLACE[0] = outer;
    }
    if (pending) return this.settle(place, kind, result, began, deadline) as Result;
    this.succeeded(place, performance.now() - began);
    return result;
  }

  /** Runs code of a plugin that nobody waits for, or that is waited for elsewhere: only the watchdog is told of it. */
  note<Result>(place: CallPlace, work: () => Result): Result {
    const outer = RUNNING_PLACE[0]!;
    RUNNING_PLACE[0] = place.id;
    try {
      return work();
    } finally {
      RUNNING_PLACE[0] = outer;
    }
  }

  /**
   * Waits for what a call, counted by whoever made it, has returned.
   *
   * @param began `performance.now()` when the call began
   * @param deadline milliseconds; that of the kind where nothing is given
   */
  settle<Value>(
    place: CallPlace,
    kind: CallKind,
    returned: Value,
    began: number,
    deadline = this.deadlines[kind],
  ): Promise<Awaited<Value>> {
    // Whatever a thenable does (throw, call back twice, answer with another one), a promise of our own does once.
    const pending = Promise.resolve(returned);
    // The panel's own code has no deadlines.
    if (place.owner === CORE_OWNER) return pending;
    return new Promise((resolve, reject) => {
      const watched = this.queues.watch(deadline, began, () => {
        this.expired(place, kind, deadline);
        reject(new PluginCallError('PLUGIN_TIMEOUT', { plugin: place.owner, place: place.name, limit: deadline / 1_000 }));
      });
      const inTime = (error?: unknown): number | null => {
        const took = performance.now() - began;
        if (this.queues.release(watched)) return took;
        log.warn(
          { plugin: place.owner, place: place.name, late: Math.round(took - deadline), err: error },
          'a plugin ended after its deadline; what it answered counts for nothing',
        );
        return null;
      };
      pending.then(
        (value) => {
          const took = inTime();
          if (took === null) return;
          this.succeeded(place, took);
          resolve(value);
        },
        (error: unknown) => {
          const took = inTime(error);
          if (took === null) return;
          this.failed(place, error, took);
          reject(error);
        },
      );
    });
  }

  /** The figures of one owner's places, or of all; most time first. */
  statistics(owner?: string): CallStatistics[] {
    const places =
      owner === undefined ? [...this.owners.values()].flatMap((all) => [...all.values()]) : [...(this.owners.get(owner)?.values() ?? [])];
    return places
      .map((place) => place.statistics)
      .filter(({ calls, owner: whose }) => calls > 0 && whose !== CORE_OWNER)
      .sort((a, b) => b.mean * b.calls - a.mean * a.calls);
  }

  /** Whether anything of the owner was called, or may be, in this panel. */
  knows(owner: string): boolean {
    return this.owners.has(owner);
  }

  /** Begins to count anew, with every breaker closed: the owner starts, or is gone. */
  forget(owner: string): void {
    this.owners.delete(owner);
  }

  private succeeded(place: CallPlace, took: number): void {
    place.record(took);
    if (place.ended()) log.info({ plugin: place.owner, place: place.name }, 'a plugin answers in time again');
  }

  private failed(place: CallPlace, error: unknown, took: number): void {
    place.record(took);
    if (!(error instanceof AnsweredByThrowing)) place.errors += 1;
    if (place.ended()) log.info({ plugin: place.owner, place: place.name }, 'a plugin answers in time again');
  }

  private expired(place: CallPlace, kind: CallKind, deadline: number): void {
    place.record(deadline);
    if (!place.missed(kind)) return;
    const seconds = this.deadlines.breakerPause / 1_000;
    log.warn(
      { plugin: place.owner, place: place.name, seconds },
      'a plugin missed its deadline again and again and is not asked there for a while',
    );
  }
}

/** Whether something is to be waited for. @throws what the getter of a hostile `then` throws */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** The kind of the nearest guarded call the calling code runs in, if it runs in one. */
export function surroundingKind(frame: ExecutionFrame | undefined = executionContext.getStore()): CallKind | undefined {
  for (; frame !== undefined; frame = frame.parent) if (frame.kind !== undefined) return frame.kind;
  return undefined;
}
