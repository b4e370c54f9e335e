import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { PACKAGE_ROOT } from '../../src/common/index.js';

import type { TestPlace } from './database.js';

/** Server process as a supervisor starts it, ready or not: `node dist/src/main.js`. */
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
        // No load balancer has to notice the shutdown first.
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

  /**
   * Starts a process on free ports, or on the given ones.
   *
   * @param root folder of another installation of the package
   */
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

  /**
   * Waits until `/readyz` answers 200.
   *
   * @throws Error with the output if the process exits, or after a minute
   */
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

  /** Returns the resident memory, in bytes; read from `/proc` because starting `ps` twenty times a second is too slow. */
  memory(): number {
    const status = `/proc/${this.pid}/status`;
    if (existsSync(status)) return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]) * 1_024;
    const pages = execFileSync('ps', ['-o', 'rss=', '-p', String(this.child.pid)], { encoding: 'utf8' });
    return Number(pages) * 1_024;
  }

  /** Sends a signal without waiting. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends a signal and waits for the exit. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> {
    this.child.kill(signal);
    return this.ended;
  }
}

/**
 * Returns a free port below the ephemeral range (32768 and up): the system could give a port of that range to another process before the
 * server binds it.
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
