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

/** Maximum places tracked per owner, so that names made up at run time do not fill the memory. */
const MAX_PLACES = 2_000;

/** Options of {@link PluginCalls.run}. */
export interface CallOptions {
  readonly kind: CallKind;
  /** Deadline in milliseconds; default that of the kind. */
  readonly deadline?: number;
  /** Properties of the call's frame, besides its owner. */
  readonly frame?: Omit<ExecutionFrame, 'owner' | 'parent' | 'kind'>;
}

/**
 * The only way to call into a plugin's code: it runs in a frame of its owner, is counted and timed, and a returned promise must settle
 * within its deadline. After that the caller gets PLUGIN_TIMEOUT and continues; the code cannot be stopped, but its late result is ignored
 * and logged once. A callback that misses its deadline five times in a row is not called for a minute (PLUGIN_PAUSED), then tried once.
 *
 * Synchronous calls need no timer: the watchdog detects a loop that does not return.
 */
@Injectable()
export class PluginCalls {
  private readonly owners = new Map<string, Map<string, CallPlace>>();
  private readonly queues = new DeadlineQueues();

  /** @param faults where callers record errors */
  constructor(
    @Optional() readonly deadlines: CallDeadlines = new CallDeadlines(),
    @Optional() readonly faults: Faults = new Faults(),
  ) {}

  /** Returns the place of that name, creating it if necessary. */
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
   * Wraps a plugin's callback so that the panel can call it from anywhere.
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
   * Calls into a plugin. A synchronous result is returned synchronously; a promise is replaced by one that settles within the deadline.
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
    if (pending) return this.awaitResult(place, kind, result, began, deadline) as Result;
    this.succeeded(place, performance.now() - began);
    return result;
  }

  /** Runs a plugin's code whose result is not awaited, or awaited elsewhere; only the watchdog sees it. */
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
   * Waits for the result of a call that the caller has counted.
   *
   * @param began `performance.now()` when the call began
   * @param deadline milliseconds; default that of the kind
   */
  awaitResult<Value>(
    place: CallPlace,
    kind: CallKind,
    returned: Value,
    began: number,
    deadline = this.deadlines[kind],
  ): Promise<Awaited<Value>> {
    // Guards against misbehaving thenables (that throw, call back twice, or resolve to another one).
    const pending = Promise.resolve(returned);
    // The panel's own code has no deadline.
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
          'a plugin call ended after its deadline; its result is ignored',
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

  /** Returns the statistics of one owner's places, or of all, by total time in descending order. */
  statistics(owner?: string): CallStatistics[] {
    const places =
      owner === undefined ? [...this.owners.values()].flatMap((all) => [...all.values()]) : [...(this.owners.get(owner)?.values() ?? [])];
    return places
      .map((place) => place.statistics)
      .filter(({ calls, owner: placeOwner }) => calls > 0 && placeOwner !== CORE_OWNER)
      .sort((a, b) => b.mean * b.calls - a.mean * a.calls);
  }

  /** Returns whether this panel has any place of the owner. */
  knows(owner: string): boolean {
    return this.owners.has(owner);
  }

  /** Resets counters and circuit breakers: the owner starts, or was removed. */
  forget(owner: string): void {
    this.owners.delete(owner);
  }

  private succeeded(place: CallPlace, took: number): void {
    place.record(took);
    if (place.ended()) log.info({ plugin: place.owner, place: place.name }, 'a plugin responds in time again');
  }

  private failed(place: CallPlace, error: unknown, took: number): void {
    place.record(took);
    if (!(error instanceof AnsweredByThrowing)) place.errors += 1;
    if (place.ended()) log.info({ plugin: place.owner, place: place.name }, 'a plugin responds in time again');
  }

  private expired(place: CallPlace, kind: CallKind, deadline: number): void {
    place.record(deadline);
    if (!place.missed(kind)) return;
    const seconds = this.deadlines.breakerPause / 1_000;
    log.warn({ plugin: place.owner, place: place.name, seconds }, 'a plugin missed its deadline repeatedly; calls there are paused');
  }
}

/** Returns whether a value is thenable. @throws what the getter of a malicious `then` throws */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** Returns the kind of the nearest guarded call around the calling code, if any. */
export function surroundingKind(frame: ExecutionFrame | undefined = executionContext.getStore()): CallKind | undefined {
  for (; frame !== undefined; frame = frame.parent) if (frame.kind !== undefined) return frame.kind;
  return undefined;
}
