import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

import { executionContext } from '../context.js';
import { loggerFor, rootLogger } from '../logger.js';
import { followPlaces, placeOfNumber, type PlaceName } from '../plugin-calls/place-numbers.js';
import { SHARED_STATE, StateAt } from '../plugin-calls/shared-state.js';

import { GarbagePauses } from './garbage-pauses.js';
import { WATCHDOG_THREAD, type NumberedPlace, type WatchdogThreadData } from './watchdog-thread.js';

const log = loggerFor('watchdog');

/** How often the main thread shows that it goes on, in milliseconds. */
const BEAT = 100;
/** How often the thread looks, in milliseconds. */
const LOOK = 50;
/** A stall that goes on is told after this, in milliseconds. */
const TELL_AFTER = 2_000;
/** Milliseconds after which the collector's pauses are known. */
const GARBAGE_KNOWN = 20;

/** A time in which nothing was served. */
export interface Stall {
  /** Who kept the thread all the while; undefined for the panel itself, or where that changed. */
  readonly culprit: PlaceName | undefined;
  readonly milliseconds: number;
}

/** Told of every stall once it is over. */
export type StallListener = (stall: Stall) => void;

/**
 * Notices that the event loop stands still for half a second, and who kept it: before synchronous code of a plugin runs, its
 * place is noted in memory that a thread of the watchdog's looks at. One for the whole process, however many panels are in it.
 *
 * Nobody is blamed for a pause of the garbage collector, a machine that slept or a debugger, nor where the place changed
 * meanwhile. Code that runs after an `await` or in a timer has left its callback and has no name here.
 */
class Watchdog {
  private readonly listeners = new Set<StallListener>();
  private running: { thread: Worker; beat: NodeJS.Timeout; garbage: GarbagePauses; stopFollowing: () => void } | undefined;
  private lastBeat = 0;

  /** @param threshold milliseconds a stall must last to be told; the first one's holds for all */
  add(listener: StallListener, threshold: number): void {
    this.listeners.add(listener);
    // Outside of everything: nothing here belongs to the request or plugin that may have led here.
    if (!this.running) executionContext.exit(() => this.start(threshold));
  }

  async remove(listener: StallListener): Promise<void> {
    this.listeners.delete(listener);
    if (this.listeners.size > 0 || !this.running) return;
    const { thread, beat, garbage, stopFollowing } = this.running;
    this.running = undefined;
    clearInterval(beat);
    garbage.close();
    stopFollowing();
    await thread.terminate();
  }

  private start(threshold: number): void {
    const data: WatchdogThreadData = {
      shared: SHARED_STATE.buffer as SharedArrayBuffer,
      interval: LOOK,
      held: Math.max(LOOK, threshold - 2 * LOOK),
      tellAfter: TELL_AFTER,
      log: rootLogger.isLevelEnabled('error'),
    };
    const thread = new Worker(WATCHDOG_THREAD, { eval: true, workerData: data, name: 'watchdog', execArgv: [] });
    thread.unref();
    thread.on('error', (error) => log.error({ err: error }, 'the watchdog ended; stalls are not noticed any more'));
    const stopFollowing = followPlaces((number, { owner, place }) => thread.postMessage({ number, owner, place } satisfies NumberedPlace));
    this.lastBeat = performance.now();
    const beat = setInterval(() => this.beat(threshold), BEAT).unref();
    this.running = { thread, beat, garbage: new GarbagePauses(), stopFollowing };
  }

  private beat(threshold: number): void {
    const now = performance.now();
    const from = this.lastBeat;
    this.lastBeat = now;
    const beat = SHARED_STATE[StateAt.beat]!;
    SHARED_STATE[StateAt.beat] = (beat + 1) | 0;
    if (now - from - BEAT < threshold) return;
    const heldUp = Atomics.load(SHARED_STATE, StateAt.ownDelayBeat) === beat;
    const number = Atomics.load(SHARED_STATE, StateAt.stalledBeat) === beat ? Atomics.load(SHARED_STATE, StateAt.culprit) : 0;
    if (heldUp || debuggerUrl() !== undefined) return;
    setTimeout(() => this.judge(from, now, number), GARBAGE_KNOWN).unref();
  }

  private judge(from: number, to: number, number: number): void {
    const milliseconds = Math.round(to - from);
    const garbage = Math.round(this.running?.garbage.between(from, to) ?? 0);
    if (garbage > milliseconds / 2) {
      log.warn({ milliseconds, garbage }, 'the process stood still to collect garbage');
      return;
    }
    const culprit = placeOfNumber(number);
    log.warn(
      { plugin: culprit?.owner, place: culprit?.place, milliseconds },
      culprit ? 'the process stood still in a plugin' : 'the process stood still outside of the callbacks of plugins',
    );
    for (const listener of this.listeners) listener({ culprit, milliseconds });
  }
}

const watchdog = new Watchdog();

/** Half a second. */
export const STALL_THRESHOLD = 500;

/**
 * Tells `listener` of stalls of the event loop.
 *
 * @returns ends that; with the last listener the watchdog's thread ends
 */
export function watchStalls(listener: StallListener, threshold = STALL_THRESHOLD): () => Promise<void> {
  watchdog.add(listener, threshold);
  return () => watchdog.remove(listener);
}
