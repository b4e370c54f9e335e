import { describe, expect, it, vi } from 'vitest';

import { currentOwner } from './context.js';

import { AnsweredByThrowing, CallDeadlines, PluginCallError, PluginCalls } from './index.js';
import { DeadlineQueues } from './deadline-queue.js';

function callsWith(deadlines: Partial<CallDeadlines> = {}): PluginCalls {
  return new PluginCalls(Object.assign(new CallDeadlines(), deadlines));
}
const figures = (calls: PluginCalls) =>
  calls.statistics('shop').map(({ place, calls: made, errors, timeouts }) => [place, made, errors, timeouts]);

describe('PluginCalls', () => {
  it('returns synchronous results and errors synchronously, in a frame of the owner', () => {
    const calls = callsWith();
    expect(calls.guard('shop', 'route', { kind: 'route' }, (a: number, b: number) => [currentOwner(), a + b])(1, 2)).toEqual(['shop', 3]);
    expect(() =>
      calls.guard('shop', 'broken', { kind: 'route' }, () => {
        throw new Error('broken');
      })(),
    ).toThrow('broken');
    expect(figures(calls).sort()).toEqual([
      ['broken', 1, 1, 0],
      ['route', 1, 0, 0],
    ]);
    expect(currentOwner()).toBe('core');
  });

  it('sets no timer for synchronous results, and one for many promises', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const calls = callsWith();
    calls.guard('shop', 'sync', { kind: 'page' }, () => 1)();
    expect(timers).not.toHaveBeenCalled();
    await Promise.all(Array.from({ length: 50 }, () => calls.guard('shop', 'async', { kind: 'page' }, async () => 1)()));
    expect(timers).toHaveBeenCalledTimes(1);
    timers.mockRestore();
  });

  it.each([
    ['a promise that never settles', () => new Promise(() => undefined)],
    ['a thenable that never calls back', () => ({ then: () => undefined })],
    ['a thenable that answers with another one', () => ({ then: (done: (value: unknown) => void) => done({ then: () => undefined }) })],
  ])('gives up %s', async (_, callback) => {
    const calls = callsWith({ page: 30 });
    await expect(calls.guard('shop', 'slow', { kind: 'page' }, callback)()).rejects.toMatchObject({
      code: 'PLUGIN_TIMEOUT',
      params: { plugin: 'shop', place: 'slow', limit: 0.03 },
    });
    expect(figures(calls)).toEqual([['slow', 1, 0, 1]]);
  });

  it('settles once, however a thenable behaves', async () => {
    const calls = callsWith({ page: 30 });
    const twice = {
      then: (done: (value: unknown) => void, fail: (error: unknown) => void) => {
        done('once');
        done('twice');
        fail(new Error('no'));
        throw new Error('and throws');
      },
    };
    expect(await calls.guard('shop', 'twice', { kind: 'page' }, () => twice)()).toBe('once');
    await expect(
      calls.guard('shop', 'throws', { kind: 'page' }, () => ({
        then: () => {
          throw new Error('then');
        },
      }))(),
    ).rejects.toThrow('then');
    expect(() =>
      calls.guard('shop', 'getter', { kind: 'page' }, () => ({
        get then() {
          throw new Error('getter');
        },
      }))(),
    ).toThrow('getter');
    expect(figures(calls).sort()).toEqual([
      ['getter', 1, 1, 0],
      ['throws', 1, 1, 0],
      ['twice', 1, 0, 0],
    ]);
  });

  it("has no deadline for the panel's own code, and does not count it", async () => {
    const calls = callsWith({ page: 10 });
    expect(
      await calls.run(calls.place('core', 'x'), { kind: 'page' }, () => new Promise((done) => setTimeout(() => done('late'), 40))),
    ).toBe('late');
    expect(calls.statistics()).toEqual([]);
  });

  it('does not count a response thrown by a plugin as an error', async () => {
    class SignIn extends AnsweredByThrowing {}
    const calls = callsWith();
    await expect(
      calls.guard('shop', 'x', { kind: 'page' }, async () => {
        throw new SignIn();
      })(),
    ).rejects.toThrow(SignIn);
    expect(figures(calls)).toEqual([['x', 1, 0, 0]]);
  });

  it('opens a circuit breaker only after consecutive misses, for kinds whose callers wait', async () => {
    const calls = callsWith({ page: 10, durable: 10, breakerMisses: 2, breakerPause: 50 });
    let hang = true;
    const page = calls.guard('shop', 'page', { kind: 'page' }, () => (hang ? new Promise(() => undefined) : Promise.resolve('fine')));
    const durable = calls.guard('shop', 'durable', { kind: 'durable' }, () => new Promise(() => undefined));
    await expect(page()).rejects.toMatchObject({ code: 'PLUGIN_TIMEOUT' });
    hang = false;
    expect(await page()).toBe('fine');
    hang = true;
    for (let i = 0; i < 2; i++) await expect(page()).rejects.toMatchObject({ code: 'PLUGIN_TIMEOUT' });
    expect(() => page()).toThrow(PluginCallError);
    for (let i = 0; i < 4; i++) await expect(durable()).rejects.toMatchObject({ code: 'PLUGIN_TIMEOUT' });
    hang = false;
    await expect
      .poll(async () => {
        try {
          return await page();
        } catch {
          return null;
        }
      })
      .toBe('fine');
    expect(await page()).toBe('fine');
  });

  it('combines an unlimited number of made-up places', () => {
    const calls = callsWith();
    for (let i = 0; i < 3_000; i++) calls.guard('shop', `place ${i}`, { kind: 'page' }, () => undefined)();
    expect(calls.statistics('shop').length).toBeLessThanOrEqual(2_001);
    expect(calls.statistics('shop').reduce((sum, one) => sum + one.calls, 0)).toBe(3_000);
  });
});

describe('DeadlineQueues', () => {
  it('expire calls in order, each once, and none that was released', async () => {
    const queues = new DeadlineQueues();
    const expired: string[] = [];
    const watch = (name: string, milliseconds: number) => queues.watch(milliseconds, performance.now(), () => expired.push(name));
    const first = watch('first', 40);
    watch('second', 40);
    const third = watch('third', 40);
    watch('quick', 10);
    expect(queues.release(third)).toBe(true);
    expect(queues.release(third)).toBe(false);
    await expect.poll(() => expired).toEqual(['quick', 'first', 'second']);
    expect(queues.release(first)).toBe(false);
    watch('again', 10);
    await expect.poll(() => expired.at(-1)).toBe('again');
  });
});
