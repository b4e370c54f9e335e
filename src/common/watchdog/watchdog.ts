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

/** Interval of the main thread's heartbeat, in milliseconds. */
const HEARTBEAT_MS = 100;
/** Polling interval of the thread, in milliseconds. */
const POLL_MS = 50;
/** The longest gap between two polls of the thread that counts in full, in milliseconds; time beyond that is blamed on nobody. */
const MAX_POLL_GAP_MS = POLL_MS + 200;
/** After how long an ongoing stall is logged, in milliseconds. */
const REPORT_AFTER_MS = 2_000;
/** After how long a stall with a known culprit is marked for the next start, in milliseconds. */
const MARK_AFTER_MS = 5_000;
/** Milliseconds until the garbage collector's pauses are reported. */
const GC_REPORT_DELAY_MS = 20;

/** A period in which the event loop was blocked. */
export interface Stall {
  /** The code that blocked the thread throughout; undefined for the panel itself, or if it changed. */
  readonly culprit: PlaceName | undefined;
  /** Without the time in which the whole process did not run. */
  readonly milliseconds: number;
}

/** Called for every stall once it is over. */
export type StallListener = (stall: Stall) => void;

/** Options of the watchdog; those of the first listener apply to all. */
export interface StallOptions {
  /** Minimum length of a reported stall, in milliseconds. */
  readonly threshold?: number;
  /** A file that exists while a stall with a known culprit lasts over five seconds: first line its owner, second line the place. */
  readonly mark?: string;
}

/**
 * Detects that the event loop is blocked for half a second, and by whom: before synchronous code of a plugin runs, its place is stored
 * in shared memory that the watchdog's thread polls. If none is stored, because the code runs after an `await` or in a callback of Node's,
 * the thread pauses the main thread briefly through the debugger protocol and checks whose scripts are on the stack.
 * One per process, however many panels it runs.
 *
 * Nobody is blamed for a pause of the garbage collector or a debugger, or if the culprit changed meanwhile. Time in which the
 * thread did not run either, because the process was stopped, the machine slept or had no CPU time for it, is not counted.
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
    // Detached from the current context: nothing here belongs to the request or plugin that led here.
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
      interval: POLL_MS,
      maxPollGap: MAX_POLL_GAP_MS,
      held: Math.max(POLL_MS, threshold - 2 * POLL_MS),
      reportAfter: REPORT_AFTER_MS,
      inspectAfter: threshold / 2,
      markAfter: MARK_AFTER_MS,
      mark,
      log: rootLogger.isLevelEnabled('error'),
    };
    SHARED_STATE[StateAt.awakeAt] = clock();
    // Computed now because the first beat may come late during startup.
    isDebugged();
    const thread = new Worker(WATCHDOG_THREAD, { eval: true, workerData: data, name: 'watchdog', execArgv: [] });
    thread.unref();
    thread.on('message', (verdict: StackVerdict) => (this.stackVerdict = verdict));
    thread.on('error', (error) => log.error({ err: error }, 'the watchdog ended; stalls are no longer detected'));
    const stopPlaces = followPlaces((number, { owner, place }) => thread.postMessage({ number, owner, place } satisfies NumberedPlace));
    const stopFolders = followCodeFolders((owner, folder) => thread.postMessage({ owner, folder } satisfies CodeFolder));
    this.lastBeat = performance.now();
    this.lastLost = lostSoFar();
    const beat = setInterval(() => this.beat(threshold), HEARTBEAT_MS).unref();
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
    if (milliseconds - HEARTBEAT_MS < threshold || debugged) return;
    const number = Atomics.load(SHARED_STATE, StateAt.stalledBeat) === beat ? Atomics.load(SHARED_STATE, StateAt.culprit) : 0;
    const garbage = (): number => Math.round(this.running?.garbage.between(from, now) ?? 0);
    setTimeout(() => this.judge(milliseconds, garbage(), beat, placeOfNumber(number)), GC_REPORT_DELAY_MS).unref();
  }

  private judge(milliseconds: number, garbage: number, beat: number, noted: PlaceName | undefined): void {
    if (garbage > milliseconds / 2) {
      log.warn({ milliseconds, garbage }, 'the event loop was blocked by garbage collection');
      return;
    }
    const culprit = noted ?? (this.stackVerdict?.beat === beat ? (this.stackVerdict.culprit ?? undefined) : undefined);
    log.warn(
      { plugin: culprit?.owner, place: culprit?.place, milliseconds },
      culprit ? 'the event loop was blocked by a plugin' : 'the event loop was blocked outside of plugin callbacks',
    );
    for (const listener of this.listeners) listener({ culprit, milliseconds });
  }
}

/** Milliseconds of the monotonic clock, which is the same in all threads; it wraps, so only differences are meaningful. */
function clock(): number {
  return Number(process.hrtime.bigint() / 1_000_000n) | 0;
}

/** How long the watchdog's thread could not run, including a current pause; only differences are meaningful. */
function lostSoFar(): number {
  const lost = Atomics.load(SHARED_STATE, StateAt.lost);
  const pause = (clock() - Atomics.load(SHARED_STATE, StateAt.awakeAt)) | 0;
  return (lost + Math.max(0, pause - MAX_POLL_GAP_MS)) | 0;
}

/** Returns whether a debugger is listening; also tells the watchdog's thread. */
function isDebugged(): boolean {
  const debugged = debuggerUrl() !== undefined;
  SHARED_STATE[StateAt.debugged] = Number(debugged);
  return debugged;
}

const watchdog = new Watchdog();

/** Half a second, in milliseconds. */
export const STALL_THRESHOLD = 500;

/**
 * Calls `listener` for stalls of the event loop.
 *
 * @returns a function that stops it; the watchdog's thread ends with the last listener
 */
export function watchStalls(listener: StallListener, options: StallOptions = {}): () => Promise<void> {
  watchdog.add(listener, options);
  return () => watchdog.remove(listener);
}
