import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The agent's program, as it is built. */
export const AGENT_FILE = fileURLToPath(new URL('../../dist/agent/svc-agent.mjs', import.meta.url));

/** A folder with an agent's config, state and sites, and the agent in a process of its own, as a server runs it. */
export class AgentPlace {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-agent-'));
  readonly sites = join(this.folder, 'sites');
  readonly state = join(this.folder, 'state');
  readonly configFile = join(this.folder, 'agent.json');
  private readonly children: ChildProcess[] = [];

  /** @param config what the panel's `addnode` answered, or a text that is none */
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

  /** A file of the state folder, or '' when it is not there. */
  stateFile(name: string): Promise<string> {
    return readFile(join(this.state, name), 'utf8').catch(() => '');
  }

  /** Ends what still runs and removes the folder. */
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

/** An agent that was started. */
export class RunningAgent {
  output = '';
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;

  constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal ?? 0)));
  }

  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Looks again and again until something is so. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2));
}
