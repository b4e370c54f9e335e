import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import type { Readable } from 'node:stream';

import { HostRefusal } from '../refusal.js';
import type { SiteUser } from '../users/system-users.js';
import { SITE_WORK, type WorkMessage, type WorkOrder } from './work-order.js';

/** Options of a job. */
export interface WorkOptions {
  readonly stop?: AbortSignal;
  readonly leftMs?: number;
  readonly progress?: (done: number, total: number) => void;
  /** File readable by root only that becomes standard input. */
  readonly input?: string;
  /** Receives the response body; without it a body is an error. */
  readonly send?: (bytes: number | null, content: Readable) => Promise<void>;
}

/** Default time limit, in milliseconds. */
const DEFAULT_MS = 25_000;

/**
 * Worker processes: this program again, running as the site's user from its first instruction, without groups of root. Even if their input
 * exploits a bug, they have no more rights than the site's owner.
 */
export class SiteWorkers {
  /** @param program path of the agent's program, readable by everybody */
  constructor(
    private readonly program: string,
    private readonly home: (site: Pick<SiteUser, 'user'>) => string,
  ) {}

  /** Runs a job. @returns its result @throws HostRefusal with its code */
  async run(site: SiteUser, work: string, args: object, options: WorkOptions): Promise<Record<string, unknown>> {
    options.stop?.throwIfAborted();
    const leftMs = options.leftMs ?? DEFAULT_MS;
    const input = options.input === undefined ? null : await fs.open(options.input, 'r');
    let child: ChildProcess;
    try {
      child = this.start(site, input?.fd ?? null);
    } finally {
      await input?.close();
    }
    const end = (): void => {
      // Kills its whole process group.
      if (child.pid !== undefined) signal(-child.pid);
    };
    const timer = setTimeout(end, leftMs + 2_000);
    options.stop?.addEventListener('abort', end);
    try {
      const order: WorkOrder = { work, args: args as Record<string, unknown>, home: this.home(site), leftMs };
      return await this.communicate(child, order, options);
    } finally {
      clearTimeout(timer);
      options.stop?.removeEventListener('abort', end);
      end();
    }
  }

  private start({ uid }: SiteUser, input: number | null): ChildProcess {
    return spawn(process.execPath, ['--max-old-space-size=256', this.program, SITE_WORK], {
      shell: false,
      uid,
      gid: uid,
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/nonexistent' },
      stdio: [input ?? 'ignore', 'pipe', 'pipe', 'ipc'],
    });
  }

  private async communicate(child: ChildProcess, order: WorkOrder, options: WorkOptions): Promise<Record<string, unknown>> {
    let complaint = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-1_000)));
    let sent: Promise<void> = Promise.resolve();
    const answered = new Promise<Extract<WorkMessage, { is: 'end' | 'refused' }> | null>((resolve, reject) => {
      child.on('message', (message: WorkMessage) => {
        if (message.is === 'progress') options.progress?.(message.done, message.total);
        else if (message.is === 'body') {
          sent = options.send?.(message.bytes, child.stdout!) ?? Promise.reject(new Error('This action does not send a body.'));
          // The receiver may fail before the body is complete.
          sent.catch(reject);
        } else resolve(message);
      });
      // `exit` may come before the last message is read; `disconnect` comes after all messages.
      child.on('disconnect', () => resolve(null));
      child.on('error', () => resolve(null));
    });
    child.send(order, () => undefined);
    const answer = await answered;
    await sent;
    options.stop?.throwIfAborted();
    if (answer === null) throw new Error(`The worker process of the site ended unexpectedly: ${complaint}`);
    if (answer.is === 'end') return answer.value;
    if (answer.code === '') throw new Error(answer.message);
    throw new HostRefusal(answer.code, answer.message, answer.params);
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited already.
  }
}
