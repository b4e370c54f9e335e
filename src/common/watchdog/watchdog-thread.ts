import type { PlaceName } from '../plugin-calls/place-numbers.js';

/** Data of {@link WATCHDOG_THREAD}. Times in milliseconds, counting only time in which the thread itself runs. */
export interface WatchdogThreadData {
  readonly shared: SharedArrayBuffer;
  /** Polling interval. */
  readonly interval: number;
  /** The longest gap between two of its own polls that counts in full. */
  readonly maxPollGap: number;
  /** How long one place must have been running to be the culprit. */
  readonly held: number;
  /** After how long an ongoing stall is logged. */
  readonly reportAfter: number;
  /** After how long without a place in the shared memory the stack is inspected. */
  readonly inspectAfter: number;
  /** After how long {@link mark} is written. */
  readonly markAfter: number;
  /** The file that names the culprit during a stall; it remains if the process is killed. */
  readonly mark: string | undefined;
  /** Whether it may write to the log. */
  readonly log: boolean;
}

/** A place and its number, as sent to the thread. */
export interface NumberedPlace {
  readonly number: number;
  readonly owner: string;
  readonly place: string;
}

/** A folder that contains an owner's scripts. */
export interface CodeFolder {
  readonly owner: string;
  /** As a file URL, `file:///…/`, the form the debugger uses. */
  readonly folder: string;
}

/** Message of the thread: whose code was on the stack at each inspection during the stall after `beat`. */
export interface StackVerdict {
  readonly beat: number;
  /** Null: not always the same owner, or the panel's own code. */
  readonly culprit: PlaceName | null;
}

/**
 * Source of the watchdog's thread. A string, so that it is the same from source and built. The numbers are those of `StateAt`.
 * It writes log lines itself, in the usual format, because a main thread that is blocked forever writes nothing.
 */
export const WATCHDOG_THREAD = `
const { mkdirSync, rmSync, writeFileSync, writeSync } = require('node:fs');
const { Session } = require('node:inspector');
const { dirname } = require('node:path');
const { parentPort, workerData } = require('node:worker_threads');
const state = new Int32Array(workerData.shared);
const names = new Map();
const folders = new Map();
parentPort.on('message', (one) => (one.folder ? folders.set(one.folder, one.owner) : names.set(one.number, one)));

const clock = () => Number(process.hrtime.bigint() / 1000000n) | 0;
let awakeAt = Atomics.load(state, 4);
// Milliseconds in which this thread ran: time in which the process is stopped or gets no CPU time is not counted.
let elapsed = 0;
let beat = Atomics.load(state, 1);
let beatSince = 0;
let place = 0;
let placeSince = 0;
let reportAt = workerData.reportAfter;
let stack;
let marked = false;

function awake() {
  const now = clock();
  const passed = (now - awakeAt) | 0;
  const lost = Math.max(0, passed - workerData.maxPollGap);
  awakeAt = now;
  elapsed += passed - lost;
  if (lost > 0) Atomics.add(state, 5, lost);
  Atomics.store(state, 4, now);
}

setInterval(() => {
  awake();
  const present = Atomics.load(state, 1);
  if (present !== beat) {
    beat = present;
    beatSince = elapsed;
    place = Atomics.load(state, 0);
    placeSince = elapsed;
    reportAt = workerData.reportAfter;
    stallEnded();
    return;
  }
  const running = Atomics.load(state, 0);
  if (running !== place) {
    place = running;
    placeSince = elapsed;
  }
  const held = elapsed - placeSince;
  if (held >= workerData.held) {
    Atomics.store(state, 3, place);
    Atomics.store(state, 2, beat);
  }
  const stalled = elapsed - beatSince;
  const debugged = Atomics.load(state, 6) === 1;
  // Skipped without plugin code: there is no culprit to find, and pausing through the debugger deoptimizes the paused code.
  if (place === 0 && held >= workerData.inspectAfter && !debugged && folders.size > 0) inspectStack();
  const culprit = (held >= workerData.held && names.get(place)) || (stack && stack.inspections > 1 && stack.culprit) || undefined;
  if (stalled >= workerData.markAfter && culprit && !debugged) mark(culprit);
  if (stalled < reportAt) return;
  reportAt = Math.min(reportAt * 5, stalled + 60000);
  report(stalled, culprit);
}, workerData.interval);

function stallEnded() {
  if (stack) stack.session.disconnect();
  stack = undefined;
  if (marked) rmSync(workerData.mark, { force: true });
  marked = false;
}

// The main thread responds as soon as it runs JavaScript: within the loop that blocks it, or too late.
function inspectStack() {
  try {
    if (!stack) openStack();
    else if (!stack.asked) {
      stack.asked = true;
      stack.session.post('Debugger.pause');
    }
  } catch {}
}

function openStack() {
  const session = new Session();
  const scripts = new Map();
  const opened = { session, asked: true, inspections: 0, culprit: undefined };
  stack = opened;
  session.connectToMainThread();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => {
    // Receiving all scripts takes time, in which this thread does run.
    awake();
    for (const [folder, owner] of folders) if (url.startsWith(folder)) scripts.set(scriptId, { owner, file: url.slice(folder.length) });
  });
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    session.post('Debugger.resume');
    opened.asked = false;
    if (stack !== opened || Atomics.load(state, 1) !== beat) return;
    const frame = callFrames.find(({ location }) => scripts.has(location.scriptId));
    recordCulprit(frame && { ...scripts.get(frame.location.scriptId), line: frame.location.lineNumber + 1, name: frame.functionName });
  });
  session.post('Debugger.enable', () => {
    opened.asked = false;
  });
}

function recordCulprit(found) {
  stack.inspections += 1;
  if (stack.inspections === 1 && found) {
    const at = decodeURI(found.file) + ':' + found.line;
    stack.culprit = { owner: found.owner, place: found.name ? found.name + ' (' + at + ')' : at };
  } else if (!found || !stack.culprit || stack.culprit.owner !== found.owner) stack.culprit = null;
  if (stack.inspections > 1) parentPort.postMessage({ beat, culprit: stack.culprit });
}

function mark(culprit) {
  if (marked || !workerData.mark) return;
  marked = true;
  try {
    mkdirSync(dirname(workerData.mark), { recursive: true });
    writeFileSync(workerData.mark, culprit.owner + '\\n' + culprit.place);
  } catch {}
}

function report(milliseconds, name) {
  if (!workerData.log) return;
  const at = { plugin: name && name.owner, place: name && name.place, milliseconds };
  const line = { level: 50, time: new Date().toISOString(), feature: 'watchdog', ...at };
  line.msg = 'the event loop is blocked ' + (name ? 'by a plugin' : 'outside of plugin callbacks') + ', and still is';
  try { writeSync(1, JSON.stringify(line) + '\\n'); } catch {}
}
`;
