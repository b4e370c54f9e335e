import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { Semaphore } from '../common/index.js';

/** Threads at most: each keeps some 8 MB, and four check 60 passwords a second. */
const MAX_THREADS = 4;
/** Nice value of the threads: while others have work, they get a tenth of a core. */
const PRIORITY = 10;

/**
 * What runs in a thread. A text, so that it is the same from source and built. On Linux a thread has a priority of its own, and
 * `/proc/thread-self` names the one that reads it; elsewhere all threads of a process share one, which must stay as it is.
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

/** One piece of work: hash at a cost, or compare with what is stored. */
export type HashTask =
  { readonly digest: string; readonly stored: null; readonly cost: number } | { readonly digest: string; readonly stored: string };

type Answer = { readonly value: string | boolean; readonly problem?: undefined } | { readonly problem: string };

/**
 * Threads that do nothing but bcrypt, at a lower priority than everything else: on a machine with two cores, or one, people
 * signing in do not slow down whoever is in already. One core stays free besides; threads start when they are first needed.
 *
 * Piscina 5 could do it (`niceIncrement`; its idle threads hold no process up), but by an optional package with native code: where that
 * is missing the threads silently keep their priority, and where threads share one the whole process would get it.
 */
export class HashThreads {
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private readonly turns = new Semaphore(Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)));

  /** @throws Error what bcrypt said, or that the thread ended */
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
    // Whoever waits for it is told by ask(): nothing is left for an error to be thrown at.
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

/** Asks a thread that has nothing else to do; one that ends meanwhile is an answer too. */
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
    // Only while it works must it keep the process running.
    thread.ref();
    thread.postMessage(task);
  });
}
