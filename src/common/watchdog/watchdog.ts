import { rmSync } from 'node:fs';
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

import { executionContext } from '../plugin-calls/context.js';
import { loggerFor, rootLogger } from '../logger.js';
import { followCodeFolders } from '../plugin-calls/code-folders.js';
import { followPlaces, placeOfNumber, type PlaceName } from '../plugin-calls/place-numbers.js';
import { SHARED_STATE, StateAt } from '../plugin-calls/shared-state.js';

import { GarbagePauses } from './garbage-pauses.js';
import { WATCHDOG_THREAD, type CodeFolder, type NumberedPlace, type StackVerdict, type WatchdogThreadData } from './watchdog-thread.js';

const log = loggerFor('watchdog');

/** How often the main thread shows that it goes on, in milliseconds. */
const BEAT = 100;
/** How often the thread looks, in milliseconds. */
const LOOK = 50;
/** As long as this without a sign of life of the thread's own counts in full, in milliseconds; what is beyond is nobody's. */
const LONGEST_PAUSE = LOOK + 200;
/** A stall that goes on is told after this, in milliseconds. */
const TELL_AFTER = 2_000;
/** A stall with a known culprit is marked for the next start after this, in milliseconds. */
const MARK_AFTER = 5_000;
/** Milliseconds after which the collector's pauses are known. */
const GARBAGE_KNOWN = 20;

/** A time in which nothing was served. */
export interface Stall {
  /** Who kept the thread all the while; undefined for the panel itself, or where that changed. */
  readonly culprit: PlaceName | undefined;
  /** Without the time in which the process as a whole did not run. */
  readonly milliseconds: number;
}

/** Told of every stall once it is over. */
export type StallListener = (stall: Stall) => void;

/** How stalls are watched; the first listener's holds for all. */
export interface StallOptions {
  /** Milliseconds a stall must last to be told. */
  readonly threshold?: number;
  /** A file that is there while a stall with a known culprit lasts over five seconds: its owner, and in a second line the place. */
  readonly mark?: string;
}

/**
 * Notices that the event loop stands still for half a second, and who kept it: before synchronous code of a plugin runs, its
 * place is noted in memory that a thread of the watchdog's looks at. Where nothing is noted, because the code runs after an
 * `await` or in a callback of Node's, the thread halts the main thread for a moment, as a debugger would, and looks whose
 * scripts are on the stack. One for the whole process, however many panels are in it.
 *
 * Nobody is blamed for a pause of the garbage collector or a debugger, nor where the culprit changed meanwhile. Time in which the
 * thread did not run either, because the process was stopped, the machine slept or had no processor for it, counts for nobody.
 */
class Watchdog {
  private readonly listeners = new Set<StallListener>();
  private running:
    { thread: Worker; beat: NodeJS.Timeout; garbage: GarbagePauses; mark: string | undefined; stopFollowing: () => void } | undefined;
  private lastBeat = 0;
  private lastLost = 0;
  private stackVerdict: StackVerdict | undefined;

  add(listener: StallListener, options: StallOptions): void {
    this.listeners.add(listener);
    // Outside of everything: nothing here belongs to the request or plugin that may have led here.
    if (!this.running) executionContext.exit(() => this.start(options));
  }

  async remove(listener: StallListener): Promise<void> {
    this.listeners.delete(listener);
    if (this.listeners.size > 0 || !this.running) return;
    const { thread, beat, garbage, mark, stopFollowing } = this.running;
    this.running = undefined;
    clearInterval(beat);
    garbage.close();
    stopFollowing();
    await thread.terminate();
    if (mark !== undefined) rmSync(mark, { force: true });
  }

  private start({ threshold = STALL_THRESHOLD, mark }: StallOptions): void {
    const data: WatchdogThreadData = {
      shared: SHARED_STATE.buffer as SharedArrayBuffer,
      interval: LOOK,
      longestPause: LONGEST_PAUSE,
      held: Math.max(LOOK, threshold - 2 * LOOK),
      tellAfter: TELL_AFTER,
      lookAfter: threshold / 2,
      markAfter: MARK_AFTER,
      mark,
      log: rootLogger.isLevelEnabled('error'),
    };
    SHARED_STATE[StateAt.awakeAt] = clock();
    // The first beat may come late, as the start goes on.
    isDebugged();
    const thread = new Worker(WATCHDOG_THREAD, { eval: true, workerData: data, name: 'watchdog', execArgv: [] });
    thread.unref();
    thread.on('message', (verdict: StackVerdict) => (this.stackVerdict = verdict));
    thread.on('error', (error) => log.error({ err: error }, 'the watchdog ended; stalls are not noticed any more'));
    const stopPlaces = followPlaces((number, { owner, place }) => thread.postMessage({ number, owner, place } satisfies NumberedPlace));
    const stopFolders = followCodeFolders((owner, folder) => thread.postMessage({ owner, folder } satisfies CodeFolder));
    this.lastBeat = performance.now();
    this.lastLost = lostSoFar();
    const beat = setInterval(() => this.beat(threshold), BEAT).unref();
    const stopFollowing = (): void => [stopPlaces, stopFolders].forEach((stop) => stop());
    this.running = { thread, beat, garbage: new GarbagePauses(), mark, stopFollowing };
  }

  private beat(threshold: number): void {
    const now = performance.now();
    const from = this.lastBeat;
    this.lastBeat = now;
    const lostBefore = this.lastLost;
    this.lastLost = lostSoFar();
    const beat = SHARED_STATE[StateAt.beat]!;
    SHARED_STATE[StateAt.beat] = (beat + 1) | 0;
    const debugged = isDebugged();
    const milliseconds = Math.round(now - from - ((this.lastLost - lostBefore) | 0));
    if (milliseconds - BEAT < threshold || debugged) return;
    const number = Atomics.load(SHARED_STATE, StateAt.stalledBeat) === beat ? Atomics.load(SHARED_STATE, StateAt.culprit) : 0;
    const garbage = (): number => Math.round(this.running?.garbage.between(from, now) ?? 0);
    setTimeout(() => this.judge(milliseconds, garbage(), beat, placeOfNumber(number)), GARBAGE_KNOWN).unref();
  }

  private judge(milliseconds: number, garbage: number, beat: number, noted: PlaceName | undefined): void {
    if (garbage > milliseconds / 2) {
      log.warn({ milliseconds, garbage }, 'the process stood still to collect garbage');
      return;
    }
    const culprit = noted ?? (this.stackVerdict?.beat === beat ? (this.stackVerdict.culprit ?? undefined) : undefined);
    log.warn(
      { plugin: culprit?.owner, place: culprit?.place, milliseconds },
      culprit ? 'the process stood still in a plugin' : 'the process stood still outside of the callbacks of plugins',
    );
    for (const listener of this.listeners) listener({ culprit, milliseconds });
  }
}

/** Milliseconds of the monotonic clock, which is the same in all threads; wraps, so that only differences mean something. */
function clock(): number {
  return Number(process.hrtime.bigint() / 1_000_000n) | 0;
}

/** For how long the watchdog's thread could not run, with what is going on right now; only differences mean something. */
function lostSoFar(): number {
  const lost = Atomics.load(SHARED_STATE, StateAt.lost);
  const pause = (clock() - Atomics.load(SHARED_STATE, StateAt.awakeAt)) | 0;
  return (lost + Math.max(0, pause - LONGEST_PAUSE)) | 0;
}

/** Whether a debugger listens, which the watchdog's thread is told as well. */
function isDebugged(): boolean {
  const debugged = debuggerUrl() !== undefined;
  SHARED_STATE[StateAt.debugged] = Number(debugged);
  return debugged;
}

const watchdog = new Watchdog();

/** Half a second. */
export const STALL_THRESHOLD = 500;

/**
 * Tells `listener` of stalls of the event loop.
 *
 * @returns ends that; with the last listener the watchdog's thread ends
 */
export function watchStalls(listener: StallListener, options: StallOptions = {}): () => Promise<void> {
  watchdog.add(listener, options);
  return () => watchdog.remove(listener);
}
