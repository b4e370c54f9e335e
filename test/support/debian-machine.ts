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

/** Result of a program in a machine. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** HTTP response in a machine. */
export interface Fetched {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** HTTP request to the nginx of a machine, by host name. */
export interface Asking {
  readonly host: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly secure?: boolean;
}

const SCRIPT = fileURLToPath(new URL('./debian-machine.sh', import.meta.url));
/** Path of the Node of machines: this one, or another, such as Debian's. */
const NODE = process.env.MACHINE_NODE ?? process.execPath;
const BUNDLE = new URL('../../src/cli/bundle.mjs', import.meta.url).href;
const RUNNER = fileURLToPath(new URL('./debian-machine-runner.ts', import.meta.url));

/**
 * Isolated Debian machine with the programs installed here: file systems, users, processes and network are copies in memory that disappear
 * with it. Programs in it see `/etc`, `/srv` and every port as on a server; those of this machine stay unchanged.
 */
export class DebianMachine {
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  private readonly forwarders: Server[] = [];
  private last = 0;
  private errorOutput = '';

  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.errorOutput = (this.errorOutput + text).slice(-4_000)));
    createInterface({ input: child.stdout! }).on('line', (line) => this.receive(line));
    void once(child, 'exit').then(() => {
      for (const { reject } of this.waiting.values()) reject(new Error(`The machine has ended: ${this.errorOutput}`));
      this.waiting.clear();
    });
  }

  /**
   * Starts a machine.
   *
   * @param size limit of everything written in it, such as `64m`
   */
  static async start({ size = '1g', database = true }: { size?: string; database?: boolean } = {}): Promise<DebianMachine> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-machine-'));
    // The module is plain JavaScript without types.
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
    await machine.request('ready', { database });
    return machine;
  }

  /** Runs a program in the machine. */
  run(argv: readonly string[], { user, input }: { user?: string; input?: string } = {}): Promise<Ran> {
    return this.request('run', { argv, user, input }) as Promise<Ran>;
  }

  /** Like {@link run}, throws on a non-zero exit code, and returns the output. */
  async must(argv: readonly string[], how: { user?: string; input?: string } = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(argv, how);
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${stderr || stdout}`);
    return stdout;
  }

  /**
   * Runs an action as the agent does. `kill` kills the agent with SIGKILL before that step; the file `stopAt` stops the action as soon as
   * it exists.
   */
  act(action: string, site: object | null, args: object = {}, how: { body?: string; kill?: number; stopAt?: string } = {}): Promise<Acted> {
    return this.request('act', { action, site, args, ...how }) as Promise<Acted>;
  }

  /** Restarts the agent's part, as after a crash or a boot. */
  restart(): Promise<void> {
    return this.request('restart', {}) as Promise<void>;
  }

  /** Sends a request to the nginx of the machine. */
  fetch(asking: Asking): Promise<Fetched> {
    return this.request('fetch', asking) as Promise<Fetched>;
  }

  /** Forwards a port of the machine's loopback to the same port of this machine's. */
  async reach(port: number): Promise<void> {
    const socket = `/run/outside-${port}.sock`;
    const forwarder = this.forwarder({ port, host: '127.0.0.1' });
    await new Promise<void>((resolve, reject) => void forwarder.on('error', reject).listen(this.outerPath(socket), resolve));
    await this.request('reach', { port, socket });
  }

  /**
   * Forwards a port of this machine's loopback to the machine's, for browsers for example.
   *
   * @returns the port of this machine
   */
  async open(port: number): Promise<number> {
    const socket = `/run/inside-${port}.sock`;
    await this.request('open', { port, socket });
    const forwarder = this.forwarder({ path: this.outerPath(socket) });
    await new Promise<void>((resolve, reject) => void forwarder.on('error', reject).listen(0, '127.0.0.1', resolve));
    return (forwarder.address() as AddressInfo).port;
  }

  /** Returns the path of a file of the machine as seen from here; it is short enough for sockets, unlike a path below {@link folder}. */
  private outerPath(file: string): string {
    const pid = readFileSync(`/proc/${this.child.pid}/task/${this.child.pid}/children`, 'utf8').trim();
    return `/proc/${pid}/root${file}`;
  }

  /** Creates a server that forwards connections. */
  private forwarder(to: TcpNetConnectOpts | IpcNetConnectOpts): Server {
    const forwarder = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect({ ...to, allowHalfOpen: true });
      for (const [from, into] of [
        [near, far],
        [far, near],
      ] as const)
        from.on('error', () => into.destroy()).pipe(into);
    });
    this.forwarders.push(forwarder);
    return forwarder;
  }

  /** Starts a program in the background; its output is written to `/run/NAME.log`, even if the disk is full. */
  launch(name: string, argv: readonly string[]): Promise<void> {
    return this.request('launch', { name, argv }) as Promise<void>;
  }

  /**
   * Sends a signal to a launched program and waits for its exit.
   *
   * @returns its exit code, or the signal that ended it
   */
  end(name: string, signal: NodeJS.Signals): Promise<string> {
    return this.request('end', { name, signal }) as Promise<string>;
  }

  /** Returns the content of a file of the machine. */
  async read(file: string): Promise<string> {
    return readFile(`${this.folder}/root${file}`, 'utf8');
  }

  /** Like {@link read}, for a binary file. */
  async readBytes(file: string): Promise<Buffer> {
    return readFile(this.outerPath(file.trim()));
  }

  /** Kills the machine; nothing is left of it. */
  async dispose(): Promise<void> {
    for (const forwarder of this.forwarders) forwarder.close();
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    rmdirSync(this.folder);
  }

  private request(what: string, about: object): Promise<unknown> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.child.stdin!.write(`${JSON.stringify({ id, what, about })}\n`);
    });
  }

  private receive(line: string): void {
    const { id, value, error } = JSON.parse(line) as { id: number; value?: unknown; error?: string };
    const one = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) one?.resolve(value);
    else one?.reject(new Error(error));
  }
}

/** Result of an action: `outcome` as reported to the panel, or `killed`. */
export interface Acted {
  readonly outcome: 'ok' | 'already' | 'not_found' | 'refused' | 'unknown' | 'killed';
  readonly value: Record<string, unknown>;
  readonly code: string;
  readonly message: string;
  /** Body that was sent. */
  readonly body: string | null;
  /** Number of steps if it was not killed: started programs and changes of folders. */
  readonly steps?: number;
}

/** Programs that sites need. */
const PROGRAMS = ['nginx', 'php-fpm8.2', 'mariadbd', 'sshd', 'ip', 'systemd-analyze'];

/** Whether machines can run here: requires root, namespaces and Debian's programs. CI has them installed, and fails if they are missing. */
export const hasDebianMachine =
  process.env.CI === 'true' ||
  (process.getuid?.() === 0 &&
    PROGRAMS.every((name) => ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].some((folder) => existsSync(join(folder, name)))) &&
    existsSync('/usr/share/adminer/adminer.php') &&
    spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'true']).status === 0);
