import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { PACKAGE_ROOT } from '../../src/common/index.js';

import type { TestPlace } from './database.js';

/** The bare server process as a supervisor sees it, ready or not: `node dist/src/main.js` in a process of its own. */
export class ServerProcess {
  output = '';
  private readonly child: ChildProcess;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;

  private constructor(
    place: TestPlace,
    readonly port: number,
    readonly sitesPort: number,
    env: NodeJS.ProcessEnv,
    root: string,
  ) {
    this.child = spawn(process.execPath, [join(root, 'dist/src/main.js')], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        DATA_DIR: place.dataDir,
        DATABASE_URL: place.databaseUrl,
        PORT: String(port),
        SITES_PORT: String(sitesPort),
        CAPTCHA: 'off',
        LOG_LEVEL: 'warn',
        // No balancer sends anything here that it could be told of first.
        SHUTDOWN_DRAIN_SECONDS: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.ended = new Promise((resolve) => this.child.on('close', (code, signal) => resolve(code ?? signal ?? 0)));
  }

  /** Starts one on free ports, or on the given ones. @param root folder of the package, where it is another one */
  static async start(
    place: TestPlace,
    env: NodeJS.ProcessEnv = {},
    ports?: [number, number],
    root: string = PACKAGE_ROOT,
  ): Promise<ServerProcess> {
    const [port, sitesPort] = ports ?? [await freePort(), await freePort()];
    return new ServerProcess(place, port, sitesPort, env, root);
  }

  get pid(): number {
    return this.child.pid!;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves once `/readyz` says so. @throws Error with the output when the process ends before, or after a minute */
  async ready(): Promise<this> {
    const deadline = Date.now() + 60_000;
    let end: number | NodeJS.Signals | undefined;
    void this.ended.then((code) => (end = code));
    for (;;) {
      if (end !== undefined) throw new Error(`The panel ended with ${end}:\n${this.output}`);
      if (Date.now() > deadline) throw new Error(`The panel is not ready:\n${this.output}`);
      const response = await fetch(`${this.url}/readyz`).catch(() => null);
      if (response?.status === 200) return this;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Memory it has in use, in bytes; read twenty times a second, for which starting `ps` each time is too much. */
  memory(): number {
    const status = `/proc/${this.pid}/status`;
    if (existsSync(status)) return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]) * 1_024;
    const pages = execFileSync('ps', ['-o', 'rss=', '-p', String(this.child.pid)], { encoding: 'utf8' });
    return Number(pages) * 1_024;
  }

  /** Sends a signal and goes on. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> {
    this.child.kill(signal);
    return this.ended;
  }
}

/**
 * A port nobody listens on right now. From below those the system gives to whoever asks for any (32768 and up): another process would get
 * it before the server that was told to take it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await new Promise<boolean>((resolve) => server.on('listening', () => resolve(true)).on('error', () => resolve(false)));
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
