/** The agent's part of a Debian machine: the same code as in the agent, told by messages in place of a panel. */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { text } from 'node:stream/consumers';

import { failureOf } from '../../agent/src/host/failures.js';
import type { ActionReport } from '../../agent/src/host/actions/run-action.js';
import { Hosting } from '../../agent/src/host/hosting.js';
import { readHosting } from '../../agent/src/config/hosting-config.js';
import { HostRefusal } from '../../agent/src/host/refusal.js';
import { siteWork } from '../../agent/src/host/work/site-work.js';
import { Log } from '../../agent/src/log.js';
import { LogFiles } from '../../agent/src/log-files.js';

interface Order {
  readonly id: number;
  readonly action: string;
  readonly site: unknown;
  readonly args: Record<string, unknown>;
  readonly body?: string;
  readonly kill?: number;
  readonly stopAt?: string;
}

/** Before which step of an action everything of the agent is killed; where it is not to be, before none. */
let killAt = Number.POSITIVE_INFINITY;
let ownSteps = 0;
/** One byte for each step of the processes that work for sites, which the action that is under way has begun. */
const STEPS = '/run/steps';
/** Tells such a process its {@link killAt}, counted from its own first step. */
const KILL_AT = 'SVC_KILL_AT';
/** Written there by such a process before it is killed: its agent is then killed too, as by one signal to all of it. */
const KILLED = '!';

/** Does orders until it is ended. */
export async function agentPart(): Promise<void> {
  if (process.argv[2] === '--site-work') {
    countSteps(stepOfWork);
    process.exitCode = await siteWork();
    return;
  }
  beginSteps();
  countSteps(stepOfAgent);
  const problems: string[] = [];
  const config = readHosting({ adminer_name: 'db.machine.test' }, problems)!;
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const stateDir = '/var/lib/svc-agent';
  fs.mkdirSync(stateDir, { recursive: true });
  const logFiles = new LogFiles(`${stateDir}/log`);
  const log = new Log('WARNING', [], (line) => {
    process.stderr.write(line);
    logFiles.append(line);
  });
  const opened = Hosting.open({ config, stateDir, program: process.argv[1]!, log, logFiles });
  process.on('message', (order: Order) => {
    void opened
      .then((hosting) => act(hosting, order))
      .then(
        (answer) => process.send!({ id: order.id, ...answer }),
        (error: Error) => process.send!({ id: order.id, outcome: 'unknown', code: '', value: {}, message: error.stack, body: null }),
      );
  });
}

function act(hosting: Hosting, order: Order): Promise<object> {
  return done(hosting, order).catch((error: unknown) => ({ value: {}, body: null, ...failureOf(error) }));
}

async function done(hosting: Hosting, { action, site, args, body, kill, stopAt = '' }: Order): Promise<object> {
  const none = { value: {}, code: '', message: '', body: null };
  if (action === 'nothing') return { ...none, outcome: 'ok' };
  if (action === 'tick') {
    hosting.tick(AbortSignal.timeout(60_000));
    await hosting.idle();
    return { ...none, outcome: 'ok' };
  }
  let sent: string | null = null;
  const spool = body === undefined ? null : await hosting.spool();
  try {
    if (spool) fs.writeFileSync(spool.file, Buffer.from(body!, 'base64'), { mode: 0o600 });
  } catch (error) {
    await spool?.drop();
    throw error;
  }
  const stop = new AbortController();
  // The panel gives it up as soon as that is there.
  const given = setInterval(() => fs.existsSync(stopAt) && stop.abort(new HostRefusal('LATE', 'The panel cancelled the task.')), 2);
  beginSteps(kill);
  const { secrets, open } = split(args);
  const report: ActionReport = await hosting.run(
    { action, payload: { site, args: open }, secrets },
    {
      stop: stop.signal,
      leftMs: 60_000,
      progress: () => undefined,
      body: spool && { file: spool.file, bytes: fs.statSync(spool.file).size },
      send: async ({ content }) => void (sent = Buffer.from(await text(content.setEncoding('latin1')), 'latin1').toString('base64')),
    },
  );
  clearInterval(given);
  const steps = stepsSoFar();
  killAt = Number.POSITIVE_INFINITY;
  await spool?.drop();
  return { ...none, ...report, body: sent, steps };
}

/** A secret comes in a field of its own, as the panel seals it. */
function split({ secret = {}, ...open }: Record<string, unknown>): { secrets: Record<string, unknown>; open: Record<string, unknown> } {
  return { secrets: secret as Record<string, unknown>, open };
}

function beginSteps(kill = Number.POSITIVE_INFINITY): void {
  [killAt, ownSteps] = [kill, 0];
  fs.writeFileSync(STEPS, '');
  fs.chmodSync(STEPS, 0o666);
}

function stepsSoFar(): number {
  return ownSteps + fs.statSync(STEPS).size;
}

function stepOfAgent(): void {
  if (stepsSoFar() >= killAt) process.kill(process.pid, 'SIGKILL');
  ownSteps += 1;
}

function stepOfWork(): void {
  if (fs.statSync(STEPS).size >= Number(process.env[KILL_AT])) {
    fs.appendFileSync(STEPS, KILLED);
    process.kill(process.pid, 'SIGKILL');
  }
  fs.appendFileSync(STEPS, '.');
}

/** Every program that is started and every change of a folder is a step; `step` is called before it. */
function countSteps(step: () => void): void {
  const counted = <Args extends unknown[], Result>(work: (...args: Args) => Result): ((...args: Args) => Result) => {
    return (...args) => {
      step();
      return work(...args);
    };
  };
  const promises = fs.promises as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of ['rename', 'unlink', 'mkdir', 'rm', 'rmdir', 'symlink', 'truncate', 'writeFile'])
    promises[name] = counted(promises[name]!);
  childProcess.spawn = counted(follow(childProcess.spawn)) as never;
  syncBuiltinESMExports();
}

/** Starts processes that work for sites with what they are to do; the agent does not outlive one that is killed. */
function follow(spawn: typeof childProcess.spawn): (...args: unknown[]) => childProcess.ChildProcess {
  return (program, args, options) => {
    const isWork = (args as string[]).includes('--site-work');
    const { env } = options as { env?: object };
    const how = isWork ? { ...(options as object), env: { ...env, [KILL_AT]: String(killAt - ownSteps) } } : options;
    const child = spawn(program as string, args as string[], how as childProcess.SpawnOptions);
    const isKilled = (): boolean => fs.readFileSync(STEPS, 'utf8').endsWith(KILLED);
    if (isWork) child.once('disconnect', () => isKilled() && process.kill(process.pid, 'SIGKILL'));
    return child;
  };
}
