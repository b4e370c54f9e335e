/** What goes on by itself on a server with sites. */
import { expect, it } from 'vitest';

import { Hosting } from './hosting.js';

it('starts due commands during log maintenance, which runs once at a time', async () => {
  let [begun, counted] = [0, 0];
  let letGo = (): void => undefined;
  const keeper = {
    records: { all: () => [{ name: 'site_1' }] },
    withLock: () => new Promise<void>((done) => ([letGo, counted] = [done, counted + 1])),
  };
  const clock = { tick: () => Promise.resolve((begun += 1)), idle: () => Promise.resolve() };
  const logs = { care: () => Promise.resolve() };
  let now = 1_000_000;
  // What `Hosting.open` makes of the programs of a server.
  const hosting = Reflect.construct(Hosting, [{}, keeper, clock, logs, {}, { now: () => now, log: {} }]) as Hosting;
  const stop = new AbortController().signal;
  for (let i = 0; i < 3; i += 1) {
    hosting.tick(stop);
    now += 3_600_000;
  }
  expect([begun, counted]).toEqual([3, 1]);
  letGo();
  await hosting.idle();
  hosting.tick(stop);
  expect([begun, counted]).toEqual([4, 2]);
});
