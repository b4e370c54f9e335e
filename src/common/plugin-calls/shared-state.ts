/**
 * What the main thread and the watchdog's tell each other: memory both can read and write while the other one is stuck.
 * The main thread stores plainly, because that is on the way of every listener; a reader that is some microseconds behind is good enough.
 */
export const SHARED_STATE = new Int32Array(new SharedArrayBuffer(7 * Int32Array.BYTES_PER_ELEMENT));

/** Places in {@link SHARED_STATE}. */
export const StateAt = {
  /** Number of the place whose synchronous code runs on the main thread right now; 0 outside of plugins. */
  running: 0,
  /** Grows with every turn of the main thread's timer. */
  beat: 1,
  /** By the watchdog: the beat that was the last one before the stall it looked at. */
  stalledBeat: 2,
  /** By the watchdog: the place that ran all the while; 0 where it was not always the same. */
  culprit: 3,
  /** By the watchdog: when it last ran, in milliseconds of the monotonic clock, which is the same in all threads. */
  awakeAt: 4,
  /**
   * By the watchdog: for how long in all it could not run, in milliseconds: the process was stopped, or got no processor.
   * Nobody is to blame for that time.
   */
  lost: 5,
  /** 1 while a debugger may be connected to the process: whatever halts it is then somebody's intention. */
  debugged: 6,
} as const;

/** {@link SHARED_STATE} for whoever runs plugins' code: the number of the place at index 0. */
export const RUNNING_PLACE = SHARED_STATE;
