/** When commands of sites run by themselves. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { Log } from '../../log.js';
import type { SiteRecord } from '../records/site-record.js';
import type { SiteRecords } from '../records/site-records.js';
import type { SiteWorkers } from '../work/site-workers.js';
import { CommandClock } from './command-clock.js';
import { CommandRuns } from './command-runs.js';

const STOP = new AbortController().signal;
let folder: string;
let sites: SiteRecord[];
let minute: number;
/** Commands that were begun, `user/program`, and how each of those that run is ended. */
let begun: string[];
let ends: Map<string, (said: { exit: number; output: string }) => void>;
/** Users whose orphans were ended. */
let ended: number[];
let clock: CommandClock;
let runs: CommandRuns;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-clock-'));
  [sites, begun, ended, ends, minute] = [[], [], [], new Map(), 0];
  const records = { all: () => sites, find: (isOne: (site: SiteRecord) => boolean) => sites.find(isOne) ?? null };
  const workers = {
    run: ({ user }: SiteRecord, _work: string, { argv }: { argv: string[] }, { stop }: { stop: AbortSignal }) => {
      const name = `${user}/${argv[0]}`;
      begun.push(name);
      return new Promise((resolve, reject) => {
        ends.set(name, resolve);
        stop.addEventListener('abort', () => reject(stop.reason as Error));
      });
    },
  };
  runs = new CommandRuns(folder);
  const now = (): number => new Date(2026, 10, 25, 8, minute).getTime();
  const endOrphans = (uid: number): Promise<void> => Promise.resolve(void ended.push(uid));
  const log = new Log('ERROR', [], () => undefined);
  clock = new CommandClock(records as unknown as SiteRecords, workers as unknown as SiteWorkers, runs, endOrphans, log, now);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const command = (id: string, more: Partial<SiteRecord['commands'][number]> = {}) => ({
  id,
  schedule: '* * * * *',
  argv: [id],
  folder: '',
  seconds: 60,
  enabled: true,
  ...more,
});
const site = (user: string, commands: SiteRecord['commands'], more: object = {}): SiteRecord =>
  ({
    user,
    uid: 20_001,
    name: `${user}.test`,
    php: null,
    suspended: false,
    isKept: false,
    isLeaving: false,
    commands,
    ...more,
  }) as unknown as SiteRecord;
const until = (names: readonly string[]) => expect.poll(() => begun).toEqual(names);
/** One that is running ends. */
const end = (name: string): void => ends.get(name)!({ exit: 0, output: 'done\n' });

it('run once in each due minute, and their results are stored', async () => {
  sites = [site('one', [command('often'), command('later', { schedule: '2 8 * * *' }), command('off', { enabled: false })])];
  await clock.tick(STOP);
  expect(begun).toEqual([]);
  minute = 1;
  const first = clock.tick(STOP);
  await until(['one/often']);
  await clock.tick(STOP);
  end('one/often');
  await first;
  expect(await runs.of({ user: 'one' }, 'often')).toMatchObject([{ exit: 0, output: 'done\n' }]);
  minute = 2;
  const second = clock.tick(STOP);
  await until(['one/often', 'one/often']);
  end('one/often');
  await until(['one/often', 'one/often', 'one/later']);
  end('one/later');
  await second;
});

it('run one at a time per site, in parallel across sites, and never twice at once', async () => {
  sites = [site('one', [command('a'), command('b')]), site('two', [command('c')])];
  minute = 1;
  const first = clock.tick(STOP);
  await until(['one/a', 'two/c']);
  minute = 2;
  const second = clock.tick(STOP);
  end('two/c');
  end('one/a');
  await until(['one/a', 'two/c', 'one/b']);
  end('one/b');
  await Promise.all([first, second]);
  expect(begun).toEqual(['one/a', 'two/c', 'one/b']);
});

it('keep the last 20 runs with 2,000 characters of output each', async () => {
  for (let began = 0; began < 21; began += 1)
    await runs.add({ user: 'one' }, 'a', { began, seconds: 1, exit: 0, output: `${'x'.repeat(2_000)}end` });
  const kept = await runs.of({ user: 'one' }, 'a');
  expect(kept.map(({ began }) => began)).toEqual(Array.from({ length: 20 }, (_, i) => 20 - i));
  expect(kept[0]!.output).toBe(`${'x'.repeat(1_997)}end`);
});

it('are not run for missed minutes, and long runs do not delay others', async () => {
  const later = (id: string, at: number) => command(id, { schedule: `${at} 8 * * *` });
  sites = [site('one', [later('long', 1)]), site('two', [later('missed', 2), later('next', 3)])];
  minute = 1;
  void clock.tick(STOP);
  await until(['one/long']);
  minute = 3;
  void clock.tick(STOP);
  await until(['one/long', 'two/next']);
  let isOver = false;
  const idle = clock.idle().then(() => (isOver = true));
  end('two/next');
  await expect.poll(() => runs.of({ user: 'two' }, 'next')).toHaveLength(1);
  expect(isOver).toBe(false);
  end('one/long');
  await idle;
  expect(begun).toEqual(['one/long', 'two/next']);
});

it('do not run for suspended sites, and use their current definition after waiting', async () => {
  sites = [site('off', [command('x')], { suspended: true }), site('one', [command('a'), command('b')])];
  minute = 1;
  const turn = clock.tick(STOP);
  await until(['one/a']);
  sites = [site('one', [command('a'), command('b', { enabled: false })])];
  end('one/a');
  await turn;
  minute = 2;
  const next = clock.tick(STOP);
  await until(['one/a', 'one/a']);
  sites = [site('one', [command('a'), command('b')], { suspended: true })];
  end('one/a');
  await next;
  expect(begun).toEqual(['one/a', 'one/a']);
});

it('are limited to four at a time across all sites', async () => {
  sites = ['1', '2', '3', '4', '5', '6'].map((user) => site(user, [command('a')]));
  minute = 1;
  const turn = clock.tick(STOP);
  await until(['1/a', '2/a', '3/a', '4/a']);
  end('2/a');
  await until(['1/a', '2/a', '3/a', '4/a', '5/a']);
  for (const user of ['1', '3', '4']) end(`${user}/a`);
  await until(['1/a', '2/a', '3/a', '4/a', '5/a', '6/a']);
  for (const user of ['5', '6']) end(`${user}/a`);
  await turn;
});

it('are not started manually while already running', async () => {
  const one = site('one', [command('a')]);
  sites = [one];
  const running = clock.run(one, one.commands[0]!, STOP);
  await until(['one/a']);
  await expect(clock.run(one, one.commands[0]!, STOP)).rejects.toMatchObject({ code: 'COMMAND_RUNNING' });
  const other = clock.run(one, command('b'), STOP);
  await until(['one/a', 'one/b']);
  end('one/a');
  expect(await running).toMatchObject({ exit: 0 });
  // What the other one has begun is not looked into while it runs.
  expect(ended).toEqual([]);
  end('one/b');
  await other;
  expect(ended).toEqual([20_001]);
});

it('are awaited for one site only and killed after the timeout', async () => {
  const [one, two] = [site('one', [command('a')]), site('two', [command('b')])];
  sites = [one, two];
  expect(await clock.drain(one, 1_000)).toBe(0);
  const first = clock.run(one, one.commands[0]!, STOP);
  const other = clock.run(two, two.commands[0]!, STOP);
  await until(['one/a', 'two/b']);
  const drained = clock.drain(one, 60_000);
  end('one/a');
  expect(await drained).toBe(0);
  await first;
  const again = clock.run(one, one.commands[0]!, STOP);
  expect(await clock.drain(one, 20)).toBe(1);
  expect(await again).toMatchObject({ exit: -9, output: expect.stringContaining('moving') as string });
  expect((await runs.of(one, 'a'))[0]).toMatchObject({ exit: -9 });
  end('two/b');
  expect(await other).toMatchObject({ exit: 0 });
});
