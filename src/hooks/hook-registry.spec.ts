import { setImmediate as nextTick } from 'node:timers/promises';

import fc from 'fast-check';
import { beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';

import { currentOwner, executionContext, PluginCalls, runInFrame } from '../common/index.js';
import type { HookArguments, OrderRecord } from '../sdk/index.js';
import { HookError, HookRegistry, MAX_HOOK_DEPTH } from './index.js';

declare module '../sdk/index.js' {
  interface HookMap {
    'spec.coupon_used': (code: string, orderId: number) => void;
  }
}

const core = { owner: 'core' };

const runningHook = (): string | undefined => executionContext.getStore()?.hook;

/** A promise and the functions that settle it. */
function deferred<T = void>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((accept, refuse) => ([resolve, reject] = [accept, refuse]));
  return { promise, resolve, reject };
}

describe('HookRegistry', () => {
  let hooks: HookRegistry;
  let counted: PluginCalls;
  let failures: { place: string; owner: string; error: unknown }[];
  let calls: unknown[];

  beforeEach(() => {
    counted = new PluginCalls();
    hooks = new HookRegistry(counted);
    failures = [];
    calls = [];
    vi.spyOn(counted.faults, 'note').mockImplementation((owner, place, error) => void failures.push({ owner, place, error }));
  });

  describe('order', () => {
    it('runs in ascending priority, including zero and negative ones, then in order of registration', () => {
      for (const [name, priority] of [
        ['ten', undefined],
        ['late', 11],
        ['zero', 0],
        ['ten again', 10],
        ['negative', -5],
      ] as const) {
        hooks.addAction('cron', () => calls.push(name), { owner: 'a', priority });
      }
      expect(hooks.doAction('cron')).toBeUndefined();
      expect(calls).toEqual(['negative', 'zero', 'ten', 'ten again', 'late']);
    });

    it('keeps the order across any additions, removals and runs', () => {
      const step = fc.oneof(
        fc.record({
          do: fc.constant('add' as const),
          priority: fc.integer({ min: -3, max: 3 }),
          owner: fc.constantFrom('core', 'a', 'b'),
          filter: fc.boolean(),
        }),
        fc.record({ do: fc.constant('remove' as const), which: fc.nat() }),
        fc.record({ do: fc.constant('run' as const) }),
      );
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
          const registry = new HookRegistry();
          const model: { id: number; priority: number; owner: string; undo: () => void }[] = [];
          let ran: number[] = [];
          for (const [id, one] of steps.entries()) {
            if (one.do === 'add') {
              const add = one.filter ? 'addFilter' : 'addAction';
              const undo = registry[add]('spec.order', () => void ran.push(id), one);
              model.push({ id, priority: one.priority, owner: one.owner, undo });
            } else if (one.do === 'remove' && model.length > 0) {
              const [gone] = model.splice(one.which % model.length, 1);
              gone!.undo();
              gone!.undo();
            } else {
              ran = [];
              registry.doAction('spec.order');
              const expected = [...model].sort((x, y) => x.priority - y.priority || x.id - y.id);
              expect(ran).toEqual(expected.map(({ id: one }) => one));
              expect(registry.listeners('spec.order').map(({ owner }) => owner)).toEqual(expected.map(({ owner }) => owner));
            }
          }
          const counts = new Map<string, number>();
          for (const { owner } of model) counts.set(owner, (counts.get(owner) ?? 0) + 1);
          expect(new Map(registry.owners())).toEqual(counts);
          expect(registry.listeners('spec.order')).toHaveLength(model.length);
        }),
      );
    });

    it('awaits only promises, one listener after another', async () => {
      const gate = deferred();
      hooks.addAction('cron', () => calls.push(1), { owner: 'a' });
      hooks.addAction('cron', () => gate.promise.then(() => calls.push(2)), { owner: 'b' });
      hooks.addAction('cron', () => calls.push(3), { owner: 'c' });
      hooks.addAction('cron', async () => calls.push(4), { owner: 'c' });
      const run = hooks.doAction('cron');
      expect(run).toBeInstanceOf(Promise);
      await nextTick();
      expect(calls).toEqual([1]);
      gate.resolve();
      expect(await run).toBeUndefined();
      expect(calls).toEqual([1, 2, 3, 4]);
    });

    it('passes exactly the arguments of the run, whatever their number', () => {
      hooks.addAction('spec.arguments', (...args) => calls.push(args), { owner: 'a' });
      const sets = [[], [1], [1, 2], [1, 2, 3], [1, undefined, 3, 4, 5]];
      for (const args of sets) hooks.doAction('spec.arguments', ...args);
      expect(calls).toEqual(sets);
    });
  });

  describe('changes during a run', () => {
    it('uses the list as it was at the start', () => {
      const options = { owner: 'a' };
      const undoSecond: (() => void)[] = [];
      hooks.addFilter(
        'spec.list',
        (value: string[]) => {
          undoSecond[0]!();
          hooks.addFilter('spec.list', (now: string[]) => [...now, 'added'], { ...options, priority: -1 });
          return [...value, 'first'];
        },
        { ...options, priority: 1 },
      );
      undoSecond.push(hooks.addFilter('spec.list', (value: string[]) => [...value, 'second'], { ...options, priority: 2 }));
      hooks.addFilter('spec.list', (value: string[]) => [...value, 'third'], { ...options, priority: 3 });
      expect(hooks.applyFilters('spec.list', [])).toEqual(['first', 'third']);
      expect(hooks.applyFilters('spec.list', [])).toEqual(['added', 'first', 'third']);
    });

    it('skips listeners removed before their turn, and runs those added before theirs, across an await', async () => {
      const gate = deferred();
      hooks.addAction('cron', () => gate.promise, { owner: 'a' });
      const undo = hooks.addAction('cron', () => calls.push('removed meanwhile'), { owner: 'b' });
      const run = hooks.doAction('cron');
      undo();
      hooks.addAction('cron', () => calls.push('added meanwhile'), { owner: 'c' });
      gate.resolve();
      await run;
      expect(calls).toEqual(['added meanwhile']);
    });

    it('runs what a listener adds after itself, but not before itself', () => {
      hooks.addAction(
        'cron',
        () => {
          calls.push('first');
          hooks.addAction('cron', () => calls.push('behind'), { owner: 'a', priority: 10 });
          hooks.addAction('cron', () => calls.push('much later'), { owner: 'b', priority: 30 });
          hooks.addAction('cron', () => calls.push('too late'), { owner: 'a', priority: 9 });
        },
        { owner: 'a' },
      );
      hooks.addAction('cron', () => calls.push('last'), { owner: 'b', priority: 20 });
      hooks.doAction('cron');
      expect(calls).toEqual(['first', 'behind', 'last', 'much later']);
    });

    it('runs a listener that replaces the current one', () => {
      const undo = hooks.addAction(
        'cron',
        () => {
          undo();
          hooks.addAction('cron', () => calls.push('instead'), { owner: 'a' });
        },
        { owner: 'a' },
      );
      hooks.doAction('cron');
      expect(calls).toEqual(['instead']);
    });

    it('ends although every listener adds another one', () => {
      const again = (): void => {
        calls.push(1);
        hooks.addAction('cron', again, { owner: 'a' });
      };
      hooks.addAction('cron', again, { owner: 'a' });
      hooks.doAction('cron');
      expect(calls.length).toBeLessThan(1_100);
    });
  });

  describe('removal by a listener that runs first', () => {
    it('takes effect in the same run', () => {
      const undos: (() => void)[] = [];
      hooks.addAction('spec.removal', () => undos[0]!(), core);
      undos.push(hooks.addAction('spec.removal', () => calls.push('removed'), core));
      hooks.addAction('spec.removal', () => void calls.push('stays'), core);
      hooks.doAction('spec.removal');
      expect(calls).toEqual(['stays']);
    });
  });

  describe('filters', () => {
    it('passes the value on, keeps it if a filter returns undefined, and ignores what actions return', () => {
      hooks.addFilter('spec.price', (value: number, factor: number) => value * factor, { owner: 'a' });
      hooks.addFilter('spec.price', () => undefined, { owner: 'a' });
      hooks.addAction('spec.price', (value) => calls.push(value), { owner: 'b' });
      hooks.addFilter('spec.price', (value: number) => value + 1, { owner: 'c', priority: 11 });
      expect(hooks.applyFilters('spec.price', 10, 3)).toBe(31);
      expect(calls).toEqual([30]);
    });

    it('accepts null, false, zero and the empty string as values', () => {
      for (const next of [null, false, 0, '']) {
        const undo = hooks.addFilter('spec.value', () => next, { owner: 'a' });
        expect(hooks.applyFilters<unknown>('spec.value', 'before')).toBe(next);
        undo();
      }
    });

    it('runs filters in an action run as well, ignoring their results', () => {
      hooks.addFilter('spec.seen', (value: number) => (calls.push(value), value + 1), { owner: 'a' });
      hooks.addAction('spec.seen', (value) => calls.push(value), { owner: 'b' });
      expect(hooks.doAction('spec.seen', 1)).toBeUndefined();
      expect(calls).toEqual([1, 1]);
    });

    it('keeps the previous value if a filter fails, synchronously or later', async () => {
      hooks.addFilter('spec.sum', (value: number) => value + 1, { owner: 'a' });
      hooks.addFilter(
        'spec.sum',
        () => {
          throw new Error('at once');
        },
        { owner: 'b' },
      );
      hooks.addFilter('spec.sum', () => Promise.reject(new Error('later')), { owner: 'c' });
      hooks.addFilter('spec.sum', async (value: number) => value + 1, { owner: 'd' });
      hooks.addFilter(
        'spec.sum',
        () => {
          throw new Error('at once, late in the run');
        },
        { owner: 'e' },
      );
      expect(await hooks.applyFilters('spec.sum', 0)).toBe(2);
      expect(failures.map(({ place, owner, error }) => [place, owner, (error as Error).message])).toEqual([
        ['listener of spec.sum', 'b', 'at once'],
        ['listener of spec.sum', 'c', 'later'],
        ['listener of spec.sum', 'e', 'at once, late in the run'],
      ]);
    });

    it('returns the value unchanged if there are no listeners', () => {
      const value = {};
      expect(hooks.applyFilters('spec.nobody', value)).toBe(value);
    });
  });

  describe('by reference', () => {
    const entry = (title: string) => ({ title, url: '/' });

    it('lets actions and filters change the list in place or return another one', async () => {
      hooks.addAction('menu.admin', (menu) => menu.push(entry('pushed')), { owner: 'a' });
      hooks.addAction('menu.admin', (menu) => [...menu, entry('action')], { owner: 'a' });
      hooks.addFilter('menu.admin', async (menu) => menu.filter(({ title }) => title !== 'pushed'), { owner: 'b' });
      hooks.addFilter(
        'menu.admin',
        (menu) => {
          menu.push(entry('last'));
        },
        { owner: 'b' },
      );
      const menu = await hooks.applyByReference('menu.admin', [entry('core')]);
      expect(menu.map(({ title }) => title)).toEqual(['core', 'action', 'last']);
    });

    it.each([null, 7, 'text', false, { title: 'not a list' }])('keeps the list if a listener returns %j', (result) => {
      const menu = [entry('core')];
      hooks.addFilter('menu.user', () => result, { owner: 'a' });
      expect(hooks.applyByReference('menu.user', menu)).toBe(menu);
    });
  });

  describe('errors', () => {
    it('do not stop other listeners, and the run does not throw', () => {
      hooks.addAction(
        'cron',
        () => {
          throw new Error('broken');
        },
        core,
      );
      hooks.addAction('cron', () => calls.push('still runs'), core);
      hooks.doAction('cron');
      expect(calls).toEqual(['still runs']);
      expect(failures).toEqual([{ place: 'listener of cron', owner: 'core', error: new Error('broken') }]);
      expect(runningHook()).toBeUndefined();
    });

    it('are tolerated if they cannot be recorded, and if the `then` of a result throws', () => {
      vi.spyOn(counted.faults, 'note').mockImplementation(() => {
        throw new Error('recording');
      });
      hooks.addAction(
        'cron',
        () => ({
          get then() {
            throw new Error('then');
          },
        }),
        { owner: 'a' },
      );
      hooks.addAction('cron', () => calls.push('still runs'), { owner: 'b' });
      hooks.doAction('cron');
      expect(calls).toEqual(['still runs']);
    });

    it('are logged with their owner', () => {
      const error = vi.spyOn((hooks as unknown as { log: { error: () => void } }).log, 'error');
      hooks.addAction(
        'cron',
        () => {
          throw new Error('broken');
        },
        { owner: 'culprit' },
      );
      hooks.doAction('cron');
      expect(error).toHaveBeenCalledWith(
        expect.objectContaining({ hook: 'cron', owner: 'culprit', err: new Error('broken') }),
        expect.any(String),
      );
    });

    it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, '5' as unknown as number])('refuse the priority %s', (priority) => {
      expect(() => hooks.addAction('cron', () => undefined, { owner: 'a', priority })).toThrow(/"cron" must be a whole number/);
      expect(hooks.listeners('cron')).toEqual([]);
    });

    it('refuse a listener that is not a function and an empty hook name', () => {
      expect(() => hooks.addAction('cron', undefined as unknown as () => void, core)).toThrow(HookError);
      expect(() => hooks.addAction('', () => undefined, core)).toThrow(HookError);
    });

    it.each(['at once', 'after an await'])(
      'end a cycle of listeners, fanning out or not, with one report per outermost listener (%s)',
      async (when) => {
        for (const owner of ['a', 'b']) {
          hooks.addAction(
            'spec.circle',
            async () => {
              calls.push(owner);
              if (when !== 'at once') await null;
              await hooks.doAction('spec.circle');
            },
            { owner },
          );
        }
        await hooks.doAction('spec.circle');
        expect(failures.map(({ error }) => (error as HookError).code)).toEqual(['HOOK_DEPTH_EXCEEDED', 'HOOK_DEPTH_EXCEEDED']);
        expect(calls.length).toBeLessThanOrEqual(4 * MAX_HOOK_DEPTH);
        failures.length = 0;
        hooks.addAction('cron', () => calls.push('works'), core);
        hooks.doAction('cron');
        expect(calls.at(-1)).toBe('works');
      },
    );
  });

  describe('frames', () => {
    it('report the running hook, also in nested runs, and are removed afterwards', async () => {
      hooks.addAction(
        'spec.outer',
        async () => {
          calls.push([runningHook()]);
          await hooks.doAction('spec.inner', 1);
          calls.push([runningHook()]);
        },
        { owner: 'a' },
      );
      hooks.addAction(
        'spec.inner',
        async (again) => {
          await nextTick();
          calls.push([runningHook(), currentOwner()]);
          if (again) await hooks.doAction('spec.inner', 0);
        },
        { owner: 'b' },
      );
      await hooks.doAction('spec.outer');
      expect(calls).toEqual([['spec.outer'], ['spec.inner', 'b'], ['spec.inner', 'b'], ['spec.outer']]);
      expect(runningHook()).toBeUndefined();
    });

    it('do not mix concurrent runs', async () => {
      for (const hook of ['spec.left', 'spec.right']) {
        hooks.addAction(
          hook,
          async (gate) => {
            await gate;
            calls.push(runningHook());
          },
          { owner: hook },
        );
      }
      const [left, right] = [deferred(), deferred()];
      const runs = [hooks.doAction('spec.left', left.promise), hooks.doAction('spec.right', right.promise)];
      expect(runningHook()).toBeUndefined();
      right.resolve();
      await runs[1];
      left.resolve();
      await runs[0];
      expect(calls).toEqual(['spec.right', 'spec.left']);
    });

    it('outlive their run in timers and promises, which still belong to their owner', async () => {
      const later = deferred();
      const seen = deferred<unknown>();
      hooks.addAction(
        'cron',
        () => {
          void later.promise.then(() => {
            hooks.doAction('spec.later');
            seen.resolve(currentOwner());
          });
        },
        { owner: 'a' },
      );
      hooks.addAction('spec.later', () => calls.push(executionContext.getStore()?.parent), { owner: 'b' });
      hooks.doAction('cron');
      later.resolve();
      expect(await seen.promise).toBe('a');
      expect(calls, 'no chain through the run that is over').toEqual([undefined]);
    });

    it('provide owner and request to every listener, and are restored for the caller', async () => {
      const call = { path: '/x' } as never;
      for (const owner of ['a', 'a', 'b'])
        hooks.addAction('spec.frames', () => calls.push([currentOwner(), executionContext.getStore()?.call]), { owner });
      hooks.addAction('spec.frames', async () => undefined, { owner: 'c' });
      hooks.addAction('spec.frames', () => calls.push([currentOwner(), executionContext.getStore()?.call]), { owner: 'd' });
      await runInFrame({ owner: 'caller', call }, async () => {
        const run = hooks.doAction('spec.frames');
        expect(currentOwner()).toBe('caller');
        await run;
        expect(currentOwner()).toBe('caller');
      });
      expect(calls).toEqual([
        ['a', call],
        ['a', call],
        ['b', call],
        ['d', call],
      ]);
    });
  });

  describe('owners and times', () => {
    it('drop an owner whose registrations were removed', () => {
      const undos = ['cron', 'boot', 'spec.own'].map((hook) => hooks.addAction(hook, () => undefined, { owner: 'a' }));
      hooks.addAction('cron', () => undefined, core);
      hooks.doAction('cron');
      hooks.doAction('spec.own');
      expect(Object.fromEntries(hooks.owners())).toEqual({ a: 3, core: 1 });
      for (const undo of undos) undo();
      expect(Object.fromEntries(hooks.owners())).toEqual({ core: 1 });
    });

    it('name the slow owner, including waiting time', async () => {
      // A clock of its own: how long others keep the processor does not count.
      let time = 0;
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
      const gate = deferred();
      hooks.addAction('cron', () => undefined, { owner: 'quick' });
      hooks.addAction('cron', () => void (time += 5), { owner: 'busy' });
      hooks.addAction('cron', () => gate.promise, { owner: 'waiting' });
      const run = hooks.doAction('cron');
      time += 10;
      gate.resolve();
      await run;
      clock.mockRestore();
      const [first, second, third] = counted.statistics();
      expect([first?.owner, second?.owner, third?.owner]).toEqual(['waiting', 'busy', 'quick']);
      expect(first).toMatchObject({ place: 'listener of cron', calls: 1, longest: 10 });
      expect(second!.longest).toBe(5);
    });

    it('are sampled once a hook has run often', () => {
      hooks.addAction('cron', () => undefined, { owner: 'a' });
      for (let i = 0; i < 1024; i++) hooks.doAction('cron');
      expect(counted.statistics()[0]!.calls).toBe(1024);
      expect(counted.place('a', 'listener of cron').timed).toBe(64 + 4);
    });
  });

  it('types hooks of the SDK and hooks added by declaration merging, and accepts any others', () => {
    expectTypeOf<HookArguments<'spec.coupon_used'>>().toEqualTypeOf<[code: string, orderId: number]>();
    expectTypeOf<HookArguments<'order.paid'>>().toEqualTypeOf<[order: OrderRecord]>();
    expectTypeOf<HookArguments<'spec.unknown'>>().toEqualTypeOf<unknown[]>();
    hooks.addAction('spec.coupon_used', (code, orderId) => calls.push(code.toUpperCase(), orderId.toFixed()), core);
    hooks.doAction('spec.coupon_used', 'spring', 7);
    expect(calls).toEqual(['SPRING', '7']);
    const misuse = (): void => {
      // @ts-expect-error the second argument is a number
      hooks.doAction('spec.coupon_used', 'spring', 'seven');
      // @ts-expect-error the listener takes a text first
      hooks.addAction('spec.coupon_used', (code: number) => code, core);
      // @ts-expect-error nothing is passed to boot
      hooks.doAction('boot', 1);
    };
    expect(misuse).toBeTypeOf('function');
  });
});
