import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { ACTIONS, type ActionName } from '../../src/agents/wire/actions.js';

import { ACTION_CASES, type ActionCase, type CasePlace, commandOf, files, none } from '../support/action-cases/index.js';
import { certificate } from '../support/action-cases/certificate.js';
import { type Acted, DebianMachine, hasDebianMachine } from '../support/debian-machine.js';
import { serveHttp, type LoopbackServer } from '../support/loopback-server.js';
import { MachineSite } from '../support/machine-sites.js';
import { type MachineState, machineState } from '../support/machine-state.js';
import { someMoments } from '../support/moments.js';

const NAMES = Object.keys(ACTIONS) as ActionName[];
const CHANGING = NAMES.filter((name) => ACTION_CASES[name].before);
const READING = NAMES.filter((name) => !ACTION_CASES[name].before);
const ALL = process.env.MOMENTS === 'all';
/** Kinds that change nginx's configuration: the life of sites, and how they are served. */
const [LIFE, SERVING] = [
  ['site', 'bin'],
  ['domains', 'settings', 'rewrites', 'certificate', 'proofs', 'php'],
];
/** Kinds of which a run kills one random action midway. */
const ALIKE: readonly (readonly string[])[] = [
  LIFE,
  SERVING,
  ['credentials', 'sftp', 'commands', 'agentlog'],
  ['files'],
  ['backups'],
  ['databases'],
];

/** Actions that write the most, of which a run tries two on a full disk; `MOMENTS=all` tries every action that changes something. */
const FILLING: readonly ActionName[] = [
  'site.create',
  'site.stop',
  'domains.apply',
  'certificate.apply',
  'commands.put',
  'databases.create',
  'databases.dump',
  'files.write',
  'files.unpack',
  'backups.make',
];

/** Result of an action that was not interrupted. */
interface Tried {
  readonly name: ActionName;
  readonly before: MachineState;
  readonly after: MachineState;
  readonly steps: number;
}

it('every action of the table has a case', () => {
  expect(Object.keys(ACTION_CASES).sort()).toEqual([...NAMES].sort());
});

/**
 * Every action of the agent's table under failures, one after another on one machine: killed with the whole agent before a random step
 * (`MOMENTS=all`: before each), on a full disk, and when nginx would not load.
 */
describe.skipIf(!hasDebianMachine)('actions under failures', () => {
  let place: CasePlace;
  let storage: LoopbackServer;
  let machine: DebianMachine;

  beforeAll(async () => {
    storage = await serveHttp((request, response) => void request.resume().on('end', () => response.end()));
    machine = await DebianMachine.start({ size: '120m' });
    await machine.reach(storage.port);
    const site = await new MachineSite(machine, 'crash.1').make();
    place = {
      machine,
      site,
      storage: `http://127.0.0.1:${storage.port}/`,
      other: new MachineSite(machine, 'crash.2'),
      adopted: new MachineSite(machine, 'crash.2', 'host:adopted'),
      third: new MachineSite(machine, 'crash.3'),
    };
    for (const name of [site.user, 'crash_two'])
      await site.must('databases.create', { name, most: 5, secret: { password: 'correct horse' } });
    await site.must('commands.put', { command: commandOf('kept'), most: 5 });
    await files(place);
    await site.must('backups.make', { deed: 'kept', name: 'kept.tar.gz', secret: { url: null } });
    const dump = {
      deed: 'kept',
      name: 'crash_two',
      to: 'archive',
      path: null,
      archive: 'kept.sql.gz',
      space: 2 ** 30,
      secret: { url: null },
    };
    await site.must('databases.dump', dump);
    // Folders and files that are created on first use.
    await machine.act('agentlog.level', null, { level: 'INFO' });
    await site.put('/first.txt', 'x');
    await site.must('certificate.apply', { secret: { certificate: certificate('crash.1') } });
    await site.must('certificate.apply', { secret: { certificate: null } });
    // Both PHP versions run from now on.
    for (const version of ['81', '82']) await site.must('php.apply', { version });
  }, 60_000);
  afterAll(async () => {
    await machine?.dispose();
    await storage?.close();
  });

  const look = (): Promise<MachineState> => machineState(place.machine, [place.site, place.other, place.third]);
  const argsOf = async ({ args = {} }: ActionCase): Promise<object> =>
    typeof args === 'function' ? ((await (args as (place: CasePlace) => object)(place)) as object) : args;
  async function act(name: ActionName, args: object, kill?: number): Promise<Acted> {
    const { of = 'site', body } = ACTION_CASES[name];
    const how = { ...(body === undefined ? {} : { body: Buffer.from(body).toString('base64') }), ...(kill === undefined ? {} : { kill }) };
    return place.machine.act(name, of === null ? null : place[of].ref, args, how);
  }

  /** Runs it undisturbed. @returns the states before and after, and its number of steps */
  async function undisturbed(name: ActionName): Promise<Tried> {
    const one = ACTION_CASES[name];
    await one.before!(place);
    const before = await look();
    const { outcome, code, message, steps = 0 } = await act(name, await argsOf(one));
    if (!isDone(outcome)) throw new Error(`${name}: ${outcome} ${code}: ${message}`);
    return { name, before, after: await look(), steps };
  }

  /** Returns it to its initial state. @returns arguments */
  async function anew({ name, before }: Tried): Promise<object> {
    const one = ACTION_CASES[name];
    await one.before!(place);
    if (ALL) isSame(`${name} before`, difference(await look(), before));
    return argsOf(one);
  }

  /** An interrupted action is called again, twice: it completes, and stays completed. */
  async function comesToItsEnd({ name, after }: Tried, args: object): Promise<void> {
    for (const time of ['again', 'once more']) {
      const { again } = ACTION_CASES[name];
      const { outcome, code, message } = await act(name, args);
      if (!isDone(outcome)) expect([name, time, outcome, code, message]).toEqual([name, time, again, code, message]);
      if (time === 'once more' || ALL) isSame(`${name} ${time}`, difference(await look(), after));
    }
  }

  /** It is in one of these states, both the machine and the reported data, except for what the case allows. */
  async function isOneOf(name: ActionName, when: string, states: readonly MachineState[]): Promise<void> {
    const now = await look();
    const allowed = ACTION_CASES[name].between?.[0];
    const from = states.map((then) => difference(now, then).filter((line) => !allowed?.test(line.slice(2))));
    if (from.every(({ length }) => length > 0)) isSame(`${name} ${when}`, from.flat());
  }

  async function killed(tried: Tried, kill: number): Promise<void> {
    const { name, before, after, steps } = tried;
    const args = await anew(tried);
    const { outcome } = await act(name, args, kill);
    if (steps > 0) expect([name, kill, outcome]).toEqual([name, kill, 'killed']);
    await place.machine.restart();
    await isOneOf(name, `killed before step ${kill + 1} of ${steps}`, [before, after]);
    await comesToItsEnd(tried, args);
  }

  /** Actions that need space report the problem and change nothing; others succeed. */
  async function onFullDisk(tried: Tried): Promise<void> {
    const { name, before, after } = tried;
    const args = await anew(tried);
    await place.machine.run(['sh', '-c', 'dd if=/dev/zero of=/var/fill bs=1M; dd if=/dev/zero of=/var/fill2 bs=512; true']);
    const { outcome, code, message } = await act(name, args);
    await place.machine.must(['sh', '-c', 'rm -f /var/fill*']);
    if (!isDone(outcome)) expect([name, outcome, code, message]).toEqual([name, 'refused', 'DISK_FULL', message]);
    await isOneOf(name, `on a full disk (${outcome} ${code})`, [isDone(outcome) ? after : before]);
    await comesToItsEnd(tried, args);
  }

  /**
   * Calls the action while nginx's configuration is broken by the server's owner: nothing that does not load goes live, and other sites
   * continue.
   */
  async function withBrokenNginx(tried: Tried): Promise<void> {
    const { name, before, after } = tried;
    const args = await anew(tried);
    const pages = await place.site.get('/a.txt');
    await place.machine.must(['sh', '-c', 'echo "broken {" > /etc/nginx/conf.d/zz-owner.conf']);
    const { outcome, code, message } = await act(name, args);
    expect([name, await place.site.get('/a.txt')]).toEqual([name, pages]);
    await place.machine.must(['rm', '/etc/nginx/conf.d/zz-owner.conf']);
    if (!isDone(outcome)) expect([name, outcome, code, message]).toEqual([name, 'refused', 'CONFIG', message]);
    // Whatever the state after a kill: a refused action has changed nothing.
    isSame(`${name} with nginx broken (${outcome} ${code})`, difference(await look(), isDone(outcome) ? after : before));
    await comesToItsEnd(tried, args);
  }

  const timeout = ALL ? 600_000 : 120_000;
  afterEach(() => none(place));

  it.each(someMoments(CHANGING, partOf))('killed midway: %s', { timeout }, async (name) => {
    const tried = await undisturbed(name);
    for (const kill of ALL ? Array.from({ length: tried.steps }, (_, at) => at) : [randomInt(Math.max(1, tried.steps))])
      await killed(tried, kill);
  });

  it.each(someMoments(ALL ? CHANGING : FILLING, areaOf))('on a full disk: %s', { timeout }, async (name) =>
    onFullDisk(await undisturbed(name)),
  );

  it.each(someMoments(CHANGING.filter((name) => areaOf(name) === 'served')))('when nginx would not load: %s', { timeout }, async (name) =>
    withBrokenNginx(await undisturbed(name)),
  );

  it('actions that only read respond after a kill as before it', { timeout: 90_000 }, async () => {
    await files(place);
    // An earlier action may have dropped it.
    await place.site.must('databases.create', { name: 'crash_two', most: 5, secret: { password: 'correct horse' } });
    const ask = (): Promise<string[]> =>
      Promise.all(
        READING.map(async (name) => {
          const { outcome, code, message } = await act(name, await argsOf(ACTION_CASES[name]));
          return `${name} ${outcome} ${code} ${message}`.trim();
        }),
      );
    const before = await look();
    const began = performance.now();
    const answers = await ask();
    expect(answers.filter((answer) => !/ (?:ok|already)$/.test(answer))).toEqual([]);
    const took = performance.now() - began;
    const cut = ask();
    await pause((took * randomInt(100)) / 100);
    await place.machine.restart();
    await cut;
    isSame('what is read', difference(await look(), before));
    expect(await ask()).toEqual(answers);
  });
});

/** Fails with the lines in which a state differs from the expected one. */
function isSame(what: string, different: readonly string[]): void {
  if (different.length > 0) expect.fail(`${what}:\n${different.join('\n')}`);
}

const isDone = (outcome: string): boolean => outcome === 'ok' || outcome === 'already';
const kindOf = (name: ActionName): string => name.slice(0, name.indexOf('.'));

/** Which of {@link ALIKE} it belongs to: a different one is tried each time. */
function partOf(name: ActionName): number {
  return ALIKE.findIndex((kinds) => kinds.includes(kindOf(name)));
}

/** Whether it changes what nginx serves. */
function areaOf(name: ActionName): 'served' | 'kept' {
  return [...LIFE, ...SERVING].includes(kindOf(name)) ? 'served' : 'kept';
}

/** Lines that were added, and lines that were removed. */
function difference(now: MachineState, then: MachineState): string[] {
  const lines = ({ machine, panel }: MachineState): string[] => [...machine, ...panel.map((line) => `panel ${line}`)];
  const [these, those] = [new Set(lines(now)), new Set(lines(then))];
  return [
    ...[...these].filter((line) => !those.has(line)).map((line) => `+ ${line}`),
    ...[...those].filter((line) => !these.has(line)).map((line) => `- ${line}`),
  ];
}
