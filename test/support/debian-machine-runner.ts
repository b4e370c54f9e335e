/**
 * First process of a {@link DebianMachine}: runs commands from standard input, one line of JSON each. The agent's part runs in a process of
 * its own, which may be killed at any step.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { connect, createServer, type IpcNetConnectOpts, type ListenOptions, type TcpNetConnectOpts } from 'node:net';
import { createInterface } from 'node:readline';

import type { Asking, Fetched, Ran } from './debian-machine.js';
import { agentPart } from './debian-machine-agent.js';
import { MACHINE_DATABASE } from './machine-database.js';

if (process.argv[2] === '--agent' || process.argv[2] === '--site-work') await agentPart();
else serve();

function serve(): void {
  let agent: ChildProcess | null = null;
  const waiting = new Map<number, (answer: unknown) => void>();
  const start = (): ChildProcess => {
    agent = spawn(process.execPath, ['/opt/svc-agent/svc-agent.mjs', '--agent'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    agent.on('message', (message: { id: number }) => waiting.get(message.id)?.(message));
    agent.on('exit', () => {
      agent = null;
      for (const [id, answer] of waiting) answer({ id, outcome: 'killed', value: {}, code: '', message: '', body: null });
      waiting.clear();
    });
    return agent;
  };
  const tell = (id: number, about: object): Promise<unknown> =>
    new Promise((resolve) => {
      waiting.set(id, (answer) => {
        waiting.delete(id);
        resolve(answer);
      });
      (agent ?? start()).send({ id, ...about });
    });
  const handlers: Record<string, (about: never, id: number) => Promise<unknown>> = {
    ready: async ({ database }: { database: boolean }) => {
      mkdirSync('/opt/svc-agent', { recursive: true });
      if (database) await startDatabase();
      return null;
    },
    run: (about: { argv: string[]; user?: string; input?: string }) => run(about),
    act: (about: object, id) => tell(id, about),
    restart: async (_about, id) => {
      agent?.kill('SIGKILL');
      while (agent !== null) await new Promise((resolve) => setTimeout(resolve, 5));
      return tell(id, { action: 'nothing' });
    },
    fetch: (about: Asking) => sendRequest(about),
    reach: ({ port, socket }: { port: number; socket: string }) => forward({ path: socket }, { port, host: '127.0.0.1' }),
    open: ({ port, socket }: { port: number; socket: string }) => forward({ port, host: '127.0.0.1' }, { path: socket }),
    launch: (about: { name: string; argv: string[] }) => launch(about),
    end: (about: { name: string; signal: NodeJS.Signals }) => end(about),
  };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, what, about } = JSON.parse(line) as { id: number; what: string; about: never };
    handlers[what]!(about, id).then(
      (value) => process.stdout.write(`${JSON.stringify({ id, value })}\n`),
      (error: Error) => process.stdout.write(`${JSON.stringify({ id, error: error.stack ?? error.message })}\n`),
    );
  });
}

function run({ argv: [program = '', ...args], user, input = '' }: { argv: string[]; user?: string; input?: string }): Promise<Ran> {
  const [file, all] =
    user === undefined
      ? [program, args]
      : ['/usr/bin/setpriv', [`--reuid=${user}`, `--regid=${user}`, '--init-groups', '--', program, ...args]];
  return new Promise((resolve, reject) => {
    const child = spawn(file, all, {
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 60_000,
      killSignal: 'SIGKILL',
      env: { PATH: process.env.PATH, HOME: '/root' },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin.on('error', () => undefined).end(input);
    child.on('error', reject);
    child.on('exit', (code) => {
      const end = (): void => resolve({ code: code ?? 137, stdout, stderr });
      // Processes that a program leaves behind keep its output open.
      const enough = setTimeout(end, 1_000);
      child.on('close', () => {
        clearTimeout(enough);
        end();
      });
    });
  });
}

function sendRequest({ host, path = '/', method = 'GET', headers = {}, body, secure = false }: Asking): Promise<Fetched> {
  const options = {
    host: '127.0.0.1',
    port: secure ? 443 : 80,
    path,
    method,
    headers: { Host: host, ...headers },
    agent: false,
    servername: host,
  };
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request({ ...options, rejectUnauthorized: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Forwards connections from one address to another. */
function forward(to: TcpNetConnectOpts | IpcNetConnectOpts, at: ListenOptions): Promise<null> {
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ ...to, allowHalfOpen: true });
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const)
      from.on('error', () => into.destroy()).pipe(into);
  });
  return new Promise((resolve, reject) => server.on('error', reject).listen(at, () => resolve(null)));
}

const launched = new Map<string, { child: ChildProcess; ended: Promise<string> }>();

/** Starts a program in the background; its output is written to a log. */
function launch({ name, argv: [program = '', ...args] }: { name: string; argv: string[] }): Promise<null> {
  const log = openSync(`/run/${name}.log`, 'a');
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' };
  const child = spawn(program, args, { stdio: ['ignore', log, log], env });
  const ended = new Promise<string>((resolve) => child.on('exit', (code, signal) => resolve(String(signal ?? code))));
  launched.set(name, { child, ended });
  return new Promise((resolve, reject) => child.on('error', reject).on('spawn', () => resolve(null)));
}

/** Sends a signal to the program and returns its exit code or the signal that ended it. */
async function end({ name, signal }: { name: string; signal: NodeJS.Signals }): Promise<string> {
  const { child, ended } = launched.get(name)!;
  child.kill(signal);
  return ended;
}

/** Starts MariaDB with an empty data folder and Debian's socket path. */
async function startDatabase(): Promise<void> {
  mkdirSync('/run/database', { recursive: true });
  const made = await run({ argv: ['chown', 'mysql:', '/run/database', '/run/mysqld'] });
  if (made.code !== 0) throw new Error(made.stderr);
  const install = [
    '--no-defaults',
    '--user=mysql',
    '--datadir=/run/database',
    '--skip-test-db',
    '--auth-root-authentication-method=socket',
  ];
  const installed = await run({ argv: ['mariadb-install-db', ...install, '--auth-root-socket-user=root'] });
  if (installed.code !== 0) throw new Error(installed.stderr || installed.stdout);
  await launch({ name: 'mariadb', argv: [...MACHINE_DATABASE] });
  for (let tries = 0; tries < 1_000; tries++) {
    if ((await run({ argv: ['mariadb', '--no-defaults', '--execute=SELECT 1'] })).code === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  writeFileSync('/dev/stderr', 'MariaDB does not start.\n');
  throw new Error('MariaDB does not start.');
}
