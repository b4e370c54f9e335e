import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { Semaphore } from '../common/index.js';

/** Maximum threads: each uses some 8 MB, and four check 60 passwords a second. */
const MAX_THREADS = 4;
/** Nice value of the threads: under load they get a tenth of a core. */
const PRIORITY = 10;

/**
 * Source of a thread. A string, so that it is the same from source and built. On Linux a thread has its own priority, and
 * `/proc/thread-self` identifies the reading thread; elsewhere the threads of a process share one, which must not be changed.
 */
const THREAD = `
const { readlinkSync } = require('node:fs');
const { setPriority } = require('node:os');
const { parentPort, workerData } = require('node:worker_threads');
const bcrypt = require(workerData.bcrypt);
try {
  if (process.platform === 'linux') setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), workerData.priority);
} catch {}
parentPort.on('message', ({ digest, stored, cost }) => {
  try {
    parentPort.postMessage({ value: stored === null ? bcrypt.hashSync(digest, cost) : bcrypt.compareSync(digest, stored) });
  } catch (error) {
    parentPort.postMessage({ problem: String(error && error.message || error) });
  }
});
`;

/** A task: hash at a cost, or compare with a stored hash. */
export type HashTask =
  { readonly digest: string; readonly stored: null; readonly cost: number } | { readonly digest: string; readonly stored: string };

type Answer = { readonly value: string | boolean; readonly problem?: undefined } | { readonly problem: string };

/**
 * Threads for bcrypt at a lower priority than everything else: on a machine with one or two cores, sign-ins do not slow down
 * other requests. One core also stays free; threads start on demand.
 *
 * Piscina 5 could do it (`niceIncrement`; its idle threads do not keep the process alive), but through an optional native package: if it is
 * missing the threads silently keep their priority, and if threads share one the whole process would get it.
 */
export class HashThreads {
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private readonly turns = new Semaphore(Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)));

  /** @throws Error of bcrypt, or because the thread ended */
  run(task: HashTask): Promise<string | boolean> {
    return this.turns.take(async () => {
      const thread = this.idle.pop() ?? this.start();
      const answer = await ask(thread, task);
      if (this.all.has(thread)) this.idle.push(thread);
      if (answer.problem !== undefined) throw new Error(answer.problem);
      return answer.value;
    });
  }

  private start(): Worker {
    const workerData = { bcrypt: createRequire(import.meta.url).resolve('bcrypt'), priority: PRIORITY };
    const thread = new Worker(THREAD, { eval: true, workerData });
    thread.unref();
    // ask() reports the failure to the waiting caller; without this listener the error would be uncaught.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      this.all.delete(thread);
      const at = this.idle.indexOf(thread);
      if (at >= 0) this.idle.splice(at, 1);
    });
    this.all.add(thread);
    return thread;
  }
}

/** Sends a task to an idle thread; the thread's end is reported as a problem. */
function ask(thread: Worker, task: HashTask): Promise<Answer> {
  return new Promise((resolve) => {
    const done = (answer: Answer): void => {
      thread.off('message', done);
      thread.off('exit', ended);
      thread.unref();
      resolve(answer);
    };
    const ended = (): void => done({ problem: 'the thread that checks passwords ended' });
    thread.on('message', done);
    thread.on('exit', ended);
    // The thread keeps the process alive only while it works.
    thread.ref();
    thread.postMessage(task);
  });
}
