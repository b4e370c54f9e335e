import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { endOf } from './run-program.js';

class FakeChild extends EventEmitter {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A program that runs, and what has come of it so far. */
function start(): { child: FakeChild; ended: () => unknown } {
  const child = new FakeChild();
  let end: unknown;
  void endOf(child).then((value) => (end = value));
  return { child, ended: () => end };
}

it('returns the last output of a program even if it is read after the exit', async () => {
  const { child, ended } = start();
  child.emit('exit', 0);
  await turn();
  expect(ended()).toBeUndefined();
  child.stderr.end('nginx version: nginx/1.22.1\n');
  await turn();
  child.emit('close');
  await turn();
  expect(ended()).toEqual({ code: 0, stdout: '', stderr: 'nginx version: nginx/1.22.1\n' });
});

it('does not wait for a daemon that keeps the output pipe open', async () => {
  const { child, ended } = start();
  child.stdout.write('started\n');
  child.emit('exit', 0);
  await turn();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ended()).toEqual({ code: 0, stdout: 'started\n', stderr: '' });
});
