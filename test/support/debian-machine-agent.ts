/** The agent's part of a Debian machine: the same code as in the agent, told by messages in place of a panel. */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { text } from 'node:stream/consumers';

import { failureOf } from '../../agent/src/host/actions/failures.js';
import type { ActionReport } from '../../agent/src/host/actions/run-action.js';
import { Hosting } from '../../agent/src/host/hosting.js';
import { readHosting } from '../../agent/src/host/hosting-config.js';
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
}

/** Steps until it is killed; none where it is not to be. */
let stepsLeft = Number.POSITIVE_INFINITY;

/** Does orders until it is ended. */
export async function agentPart(): Promise<void> {
  if (process.argv[2] === '--site-work') {
    process.exitCode = await siteWork();
    return;
  }
  countSteps();
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

async function done(hosting: Hosting, { action, site, args, body, kill }: Order): Promise<object> {
  const none = { value: {}, code: '', message: '', body: null };
  if (action === 'nothing') return { ...none, outcome: 'ok' };
  if (action === 'tick') {
    await hosting.tick(AbortSignal.timeout(60_000));
    return { ...none, outcome: 'ok' };
  }
  let sent: string | null = null;
  const spool = body === undefined ? null : await hosting.spool();
  if (spool) fs.writeFileSync(spool.file, Buffer.from(body!, 'base64'), { mode: 0o600 });
  const stop = new AbortController();
  if (kill !== undefined) stepsLeft = kill;
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
  stepsLeft = Number.POSITIVE_INFINITY;
  await spool?.drop();
  return { ...none, ...report, body: sent };
}

/** A secret comes in a field of its own, as the panel seals it. */
function split({ secret = {}, ...open }: Record<string, unknown>): { secrets: Record<string, unknown>; open: Record<string, unknown> } {
  return { secrets: secret as Record<string, unknown>, open };
}

/** Every program that is started and every change of a file is a step; before the so many-th it is killed. */
function countSteps(): void {
  const counted = <Args extends unknown[], Result>(work: (...args: Args) => Result): ((...args: Args) => Result) => {
    return (...args) => {
      if (--stepsLeft < 0) process.kill(process.pid, 'SIGKILL');
      return work(...args);
    };
  };
  const promises = fs.promises as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of ['rename', 'unlink', 'mkdir', 'rm', 'symlink']) promises[name] = counted(promises[name]!);
  childProcess.spawn = counted(childProcess.spawn as never) as never;
  syncBuiltinESMExports();
}
