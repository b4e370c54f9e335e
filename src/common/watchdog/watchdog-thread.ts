/** What {@link WATCHDOG_THREAD} gets. Times in milliseconds. */
export interface WatchdogThreadData {
  readonly shared: SharedArrayBuffer;
  /** How often it looks. */
  readonly interval: number;
  /** For how long one place must have been seen to be the culprit. */
  readonly held: number;
  /** After how long it tells of a stall that goes on. */
  readonly tellAfter: number;
  /** Whether it may write to the log at all. */
  readonly log: boolean;
}

/** A place and its number, as the thread is told of it. */
export interface NumberedPlace {
  readonly number: number;
  readonly owner: string;
  readonly place: string;
}

/**
 * What runs in the watchdog's thread. A text, so that it is the same from source and built. The numbers are those of `StateAt`.
 * It writes to the log by itself, in the form of the others' lines, because a main thread that is stuck for ever writes nothing.
 */
export const WATCHDOG_THREAD = `
const { writeSync } = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');
const state = new Int32Array(workerData.shared);
const names = new Map();
parentPort.on('message', (one) => names.set(one.number, one));

let looked = performance.now();
let beat = Atomics.load(state, 1);
let beatSince = looked;
let place = 0;
let placeSince = looked;
let tellAt = workerData.tellAfter;

setInterval(() => {
  const now = performance.now();
  const ownDelay = now - looked > workerData.interval + 200;
  looked = now;
  const present = Atomics.load(state, 1);
  if (ownDelay || present !== beat) {
    if (ownDelay) Atomics.store(state, 5, present);
    beat = present;
    beatSince = now;
    place = Atomics.load(state, 0);
    placeSince = now;
    tellAt = workerData.tellAfter;
    return;
  }
  const running = Atomics.load(state, 0);
  if (running !== place) {
    place = running;
    placeSince = now;
  }
  const held = now - placeSince;
  if (held >= workerData.held) {
    Atomics.store(state, 3, place);
    Atomics.store(state, 4, Math.round(held));
    Atomics.store(state, 2, beat);
  }
  if (now - beatSince < tellAt) return;
  tellAt = Math.min(tellAt * 5, now - beatSince + 60000);
  tell(Math.round(now - beatSince), held >= workerData.held ? names.get(place) : undefined);
}, workerData.interval);

function tell(milliseconds, name) {
  if (!workerData.log) return;
  const line = { level: 50, time: new Date().toISOString(), feature: 'watchdog', plugin: name && name.owner, place: name && name.place, milliseconds };
  line.msg = name ? 'the process is stuck in a plugin, and still is' : 'the process is stuck outside of the callbacks of plugins, and still is';
  try { writeSync(1, JSON.stringify(line) + '\\n'); } catch {}
}
`;
