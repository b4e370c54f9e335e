import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the built agent. */
export const AGENT_FILE = fileURLToPath(new URL('../../dist/agent/svc-agent.mjs', import.meta.url));

/** Folder with an agent's config, state and sites; starts the agent as a process, as a server does. */
export class AgentPlace {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-agent-'));
  readonly sites = join(this.folder, 'sites');
  readonly state = join(this.folder, 'state');
  readonly configFile = join(this.folder, 'agent.json');
  private readonly children: ChildProcess[] = [];

  /** @param config answer of the panel's `addnode`, or an arbitrary text */
  constructor(config: Record<string, unknown> | string) {
    const text = typeof config === 'string' ? config : JSON.stringify({ state_dir: this.state, ...config });
    writeFileSync(this.configFile, text, { mode: 0o600 });
  }

  /** Starts the agent. */
  start(args: string[] = []): RunningAgent {
    const child = spawn(process.execPath, [AGENT_FILE, '--config', this.configFile, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    });
    this.children.push(child);
    return new RunningAgent(child);
  }

  /** Returns the content of a file in the state folder; '' if it does not exist. */
  stateFile(name: string): Promise<string> {
    return readFile(join(this.state, name), 'utf8').catch(() => '');
  }

  /** Kills all running processes and removes the folder. */
  async dispose(): Promise<void> {
    for (const child of this.children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Running agent process. */
export class RunningAgent {
  output = '';
  /** Exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>;

  constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal ?? 0)));
  }

  /** Sends a signal and waits for the exit. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Polls until the condition is true. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2));
}
