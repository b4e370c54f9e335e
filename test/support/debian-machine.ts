import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type IpcNetConnectOpts, type Server, type TcpNetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { build, type Plugin } from 'esbuild';

/** What a program came to in a machine. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An answer over HTTP in a machine. */
export interface Fetched {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** A request in a machine: to its nginx, by the name of a host. */
export interface Asking {
  readonly host: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly secure?: boolean;
}

const SCRIPT = fileURLToPath(new URL('./debian-machine.sh', import.meta.url));
/** Node of machines: this one, or another whose path is given, such as Debian's. */
const NODE = process.env.MACHINE_NODE ?? process.execPath;
const BUNDLE = new URL('../../src/cli/bundle.mjs', import.meta.url).href;
const RUNNER = fileURLToPath(new URL('./debian-machine-runner.ts', import.meta.url));

/**
 * A Debian machine of its own, with the programs that are installed here: file systems, users, processes and network are copies that live
 * in memory and end with it. What runs in it sees `/etc`, `/srv` and every port as on a server, and this machine's own stay as they are.
 */
export class DebianMachine {
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  private readonly ways: Server[] = [];
  private last = 0;
  private noise = '';

  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.noise = (this.noise + text).slice(-4_000)));
    createInterface({ input: child.stdout! }).on('line', (line) => this.hear(line));
    void once(child, 'exit').then(() => {
      for (const { reject } of this.waiting.values()) reject(new Error(`The machine has ended: ${this.noise}`));
      this.waiting.clear();
    });
  }

  /** Starts one. @param size of everything that is written in it, such as `64m` */
  static async start({ size = '1g', database = true }: { size?: string; database?: boolean } = {}): Promise<DebianMachine> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-machine-'));
    // Plain JavaScript, which has no types.
    const { panelParts } = (await import(BUNDLE)) as { panelParts: Plugin };
    const bundle = await build({
      entryPoints: [RUNNER],
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      target: 'node18',
      plugins: [panelParts],
      banner: { js: "import { createRequire as r } from 'node:module'; const require = r('/');" },
    });
    const child = spawn(
      'unshare',
      ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child', 'sh', SCRIPT, folder, size, NODE],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
    const machine = new DebianMachine(folder, child);
    const code = bundle.outputFiles[0]!.text;
    child.stdin!.write(`${String(Buffer.byteLength(code)).padStart(12, '0')}${code}`);
    await machine.ask('ready', { database });
    return machine;
  }

  /** Runs a program in it. */
  run(argv: readonly string[], { user, input }: { user?: string; input?: string } = {}): Promise<Ran> {
    return this.ask('run', { argv, user, input }) as Promise<Ran>;
  }

  /** The same, of one that must succeed; what it said. */
  async must(argv: readonly string[], how: { user?: string; input?: string } = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(argv, how);
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${stderr || stdout}`);
    return stdout;
  }

  /**
   * Does an action as an agent does; `kill` ends the agent with SIGKILL before its so many-th step, `stopAt` the action once such a file is
   * there.
   */
  act(action: string, site: object | null, args: object = {}, how: { body?: string; kill?: number; stopAt?: string } = {}): Promise<Acted> {
    return this.ask('act', { action, site, args, ...how }) as Promise<Acted>;
  }

  /** Starts the agent's part anew, as after a crash or a boot. */
  restart(): Promise<void> {
    return this.ask('restart', {}) as Promise<void>;
  }

  /** Asks its nginx something. */
  fetch(asking: Asking): Promise<Fetched> {
    return this.ask('fetch', asking) as Promise<Fetched>;
  }

  /** Makes what listens on a port of this machine's loopback, now or later, answer on the same port of its own. */
  async reach(port: number): Promise<void> {
    const socket = `/run/outside-${port}.sock`;
    const way = this.way({ port, host: '127.0.0.1' });
    await new Promise<void>((resolve, reject) => void way.on('error', reject).listen(this.outside(socket), resolve));
    await this.ask('reach', { port, socket });
  }

  /** Makes what listens on a port of its loopback answer on one of this machine's, to browsers for example. @returns which */
  async open(port: number): Promise<number> {
    const socket = `/run/inside-${port}.sock`;
    await this.ask('open', { port, socket });
    const way = this.way({ path: this.outside(socket) });
    await new Promise<void>((resolve, reject) => void way.on('error', reject).listen(0, '127.0.0.1', resolve));
    return (way.address() as AddressInfo).port;
  }

  /** A file of it as this machine sees it; with one of its sockets a path shorter than any below {@link folder}. */
  private outside(file: string): string {
    const pid = readFileSync(`/proc/${this.child.pid}/task/${this.child.pid}/children`, 'utf8').trim();
    return `/proc/${pid}/root${file}`;
  }

  /** A server that leads on whoever comes. */
  private way(to: TcpNetConnectOpts | IpcNetConnectOpts): Server {
    const way = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect({ ...to, allowHalfOpen: true });
      for (const [from, into] of [
        [near, far],
        [far, near],
      ] as const)
        from.on('error', () => into.destroy()).pipe(into);
    });
    this.ways.push(way);
    return way;
  }

  /** Starts a program that goes on; what it says is in `/run/NAME.log`, which no full disk keeps from being written. */
  launch(name: string, argv: readonly string[]): Promise<void> {
    return this.ask('launch', { name, argv }) as Promise<void>;
  }

  /** Ends one that was launched. @returns its exit code, or the signal that ended it */
  end(name: string, signal: NodeJS.Signals): Promise<string> {
    return this.ask('end', { name, signal }) as Promise<string>;
  }

  /** A file of it. */
  async read(file: string): Promise<string> {
    return readFile(`${this.folder}/root${file}`, 'utf8');
  }

  /** The same, of a file that is no text. */
  async readBytes(file: string): Promise<Buffer> {
    return readFile(this.outside(file.trim()));
  }

  /** Ends it; nothing is left. */
  async dispose(): Promise<void> {
    for (const way of this.ways) way.close();
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    rmdirSync(this.folder);
  }

  private ask(what: string, about: object): Promise<unknown> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.child.stdin!.write(`${JSON.stringify({ id, what, about })}\n`);
    });
  }

  private hear(line: string): void {
    const { id, value, error } = JSON.parse(line) as { id: number; value?: unknown; error?: string };
    const one = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) one?.resolve(value);
    else one?.reject(new Error(error));
  }
}

/** What an action came to: `outcome` as the panel is told, or `killed`. */
export interface Acted {
  readonly outcome: 'ok' | 'already' | 'not_found' | 'refused' | 'unknown' | 'killed';
  readonly value: Record<string, unknown>;
  readonly code: string;
  readonly message: string;
  /** What was sent as a body. */
  readonly body: string | null;
  /** How many steps it took, of one that was not killed: programs that were started, changes of folders. */
  readonly steps?: number;
}

/** Programs that sites are made with. */
const PROGRAMS = ['nginx', 'php-fpm8.2', 'mariadbd', 'sshd', 'ip', 'systemd-analyze'];

/**
 * Whether machines can be made here: by root, in namespaces, and with Debian's programs. CI has them installed, and fails where it has not.
 */
export const hasDebianMachine =
  process.env.CI === 'true' ||
  (process.getuid?.() === 0 &&
    PROGRAMS.every((name) => ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].some((folder) => existsSync(join(folder, name)))) &&
    existsSync('/usr/share/adminer/adminer.php') &&
    spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'true']).status === 0);
