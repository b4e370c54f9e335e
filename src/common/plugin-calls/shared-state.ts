/**
 * Memory shared by the main thread and the watchdog's thread, readable even while the other one is blocked.
 * The main thread stores without atomics, because every listener call does it; a reader may lag some microseconds behind.
 */
export const SHARED_STATE = new Int32Array(new SharedArrayBuffer(7 * Int32Array.BYTES_PER_ELEMENT));

/** Indexes in {@link SHARED_STATE}. */
export const StateAt = {
  /** Number of the place whose synchronous code runs on the main thread right now; 0 outside of plugins. */
  running: 0,
  /** Incremented on every tick of the main thread's timer. */
  beat: 1,
  /** Written by the watchdog: the last beat before the stall it examined. */
  stalledBeat: 2,
  /** Written by the watchdog: the place that ran throughout the stall; 0 if it changed. */
  culprit: 3,
  /** Written by the watchdog: when it last ran, in milliseconds of the monotonic clock, which is the same in all threads. */
  awakeAt: 4,
  /**
   * Written by the watchdog: total milliseconds it could not run, because the process was stopped or got no CPU time.
   * No plugin is blamed for that time.
   */
  lost: 5,
  /** 1 while a debugger may be connected: it may halt the process on purpose. */
  debugged: 6,
} as const;

/** {@link SHARED_STATE} for code that calls plugins: the number of the running place is at index 0. */
export const RUNNING_PLACE = SHARED_STATE;
