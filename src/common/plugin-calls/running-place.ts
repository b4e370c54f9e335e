/**
 * The place whose synchronous code runs on the main thread right now, as its number; 0 outside of plugins. In memory that
 * other threads can read while this one is stuck. Plain stores: a reader that is some microseconds behind is good enough.
 */
export const RUNNING_PLACE = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
