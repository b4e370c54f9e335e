import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Database } from '../../src/database/index.js';
import { DurableEvent, EventDelivery } from '../../src/hooks/index.js';
import { HostingService } from '../../src/hosting/index.js';
import type { DurableHook, HookArguments } from '../../src/sdk/index.js';
import { createTestDatabase } from '../support/database.js';
import { clearEvents, EventProcess } from '../support/event-process.js';
import { createTestHosting, type TestHosting } from '../support/hosting.js';
import { ManualClock } from '../support/manual-clock.js';

const HOOKS = ['host.created', 'host.paused', 'host.unpaused', 'host.renewed', 'host.deleted'] as const;
type HostHook = (typeof HOOKS)[number];

describe('P10 events of one subject across hooks', () => {
  let database: Database;
  let dispose: () => Promise<void>;
  let process: EventProcess;
  let seen: string[];
  /** Hooks whose listeners of `shop` fail while listed here. */
  let broken: Set<string>;

  beforeAll(async () => {
    ({ database, dispose } = await createTestDatabase());
  });
  afterAll(() => dispose());
  beforeEach(async () => {
    await clearEvents(database);
    process = new EventProcess(database, new ManualClock());
    seen = [];
    broken = new Set();
    for (const owner of ['shop', 'mail']) {
      for (const hook of HOOKS) {
        const listener = (user: string, ..._rest: unknown[]): void => {
          if (owner === 'shop' && broken.has(hook)) throw new Error('not now');
          seen.push(`${owner} ${hook} ${user}`);
        };
        process.listeners.register({ owner, hook, id: 'watch', listener });
      }
      await process.listeners.sync(owner);
    }
    process.dispatcher.start();
  });
  afterEach(() => process.kill());

  const emit = (hook: DurableHook, host: number): Promise<number> =>
    database.transaction(() =>
      process.outbox.record({
        hook,
        subject: `host:${host}`,
        source: 'admin',
        args: [`user${host}`, host, 'x'] as unknown as HookArguments<DurableHook>,
        row: {},
      }),
    );
  const of = (owner: string, user: string): string[] =>
    seen.filter((line) => line.startsWith(`${owner} `) && line.endsWith(user)).map((line) => line.split(' ')[1]!);

  it('wait for one that is retried; other plugins and other hosts do not', async () => {
    broken.add('host.created');
    for (const host of [1, 2]) for (const hook of HOOKS) await emit(hook, host);
    await process.dispatcher.idle();
    expect(of('shop', 'user1')).toEqual([]);
    expect(of('mail', 'user1')).toEqual(HOOKS);
    expect(of('mail', 'user2')).toEqual(HOOKS);
    broken.clear();
    await process.pass(5_000);
    expect(of('shop', 'user1')).toEqual(HOOKS);
    expect(of('shop', 'user2')).toEqual(HOOKS);
  });

  it('continue once it is given up', async () => {
    broken.add('host.created');
    await emit('host.created', 1);
    await emit('host.paused', 1);
    for (let attempt = 1; attempt <= 8; attempt += 1) await process.pass(3_600_000);
    expect(of('shop', 'user1')).toEqual(['host.paused']);
    expect(await process.deadLetters.count()).toBe(1);
  });

  it('arrive in order, each once, whatever fails and whenever', async () => {
    const steps = fc.array(
      fc.record({
        hook: fc.constantFrom(...HOOKS),
        host: fc.constantFrom(1, 2),
        broken: fc.subarray([...HOOKS]),
        pass: fc.constantFrom(0, 5_000, 30_000),
      }),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (played) => {
        seen.length = 0;
        await database.dataSource.manager.deleteAll(EventDelivery);
        const emitted: Record<number, HostHook[]> = { 1: [], 2: [] };
        for (const step of played) {
          broken = new Set(step.broken);
          await emit(step.hook, step.host);
          emitted[step.host]!.push(step.hook);
          await process.pass(step.pass);
        }
        broken.clear();
        for (let round = 0; round < played.length + 2; round += 1) await process.pass(3_600_000);
        for (const host of [1, 2]) {
          expect(of('shop', `user${host}`)).toEqual(emitted[host]);
          expect(of('mail', `user${host}`)).toEqual(emitted[host]);
        }
      }),
      { numRuns: 20 },
    );
  }, 60_000);
});

describe('P10 the row of an event', () => {
  let hosting: TestHosting;
  beforeAll(async () => {
    hosting = await createTestHosting();
  });
  afterAll(() => hosting.dispose());

  it('is the state after the change, for every hook of hosts', async () => {
    const service = hosting.app.get(HostingService);
    const { id } = await service.provision({ node: 'bh1', user: 'rowuser', password: 'secret-1', expiresOn: '2030-01-01' }, 'admin');
    await service.pause(id, 'abuse', 'admin');
    await service.unpause(id, 'abuse', 'admin');
    await service.renew(id, '2031-01-01', 'admin');
    await service.terminate(id, 'admin');
    const rows = (await hosting.database.repository(DurableEvent).find({ order: { id: 'ASC' } })).map(({ hook, row }) => [
      hook,
      row.qk,
      row.zjzt,
      row.ztyy,
      row.datae,
    ]);
    expect(rows).toEqual([
      ['host.created', 'true', 'active', '', '2030-01-01'],
      ['host.paused', 'false', 'paused', 'abuse', '2030-01-01'],
      ['host.unpaused', 'true', 'active', '', '2030-01-01'],
      ['host.renewed', 'true', 'active', '', '2031-01-01'],
      ['host.deleted', 'false', 'deleted', '', '2031-01-01'],
    ]);
  });
});
