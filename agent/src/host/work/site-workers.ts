import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import type { Readable } from 'node:stream';

import { HostRefusal } from '../refusal.js';
import type { SiteUser } from '../users/system-users.js';
import { SITE_WORK, type WorkMessage, type WorkOrder } from './work-order.js';

/** How work runs. */
export interface WorkHow {
  readonly stop?: AbortSignal;
  readonly leftMs?: number;
  readonly progress?: (done: number, total: number) => void;
  /** A file only root reads, which becomes its standard input. */
  readonly input?: string;
  /** Takes the body it sends; without it there is none. */
  readonly send?: (bytes: number | null, content: Readable) => Promise<void>;
}

/** Milliseconds of work nobody said more of. */
const USUAL_MS = 25_000;

/**
 * Processes that work for sites: this program again, as the user of the site from its first instruction on, without groups of root.
 * Whatever is wrong with what they read, they can do no more than the site's owner.
 */
export class SiteWorkers {
  /** @param program file of the agent's program, which everybody may read */
  constructor(
    private readonly program: string,
    private readonly home: (site: Pick<SiteUser, 'user'>) => string,
  ) {}

  /** Does a piece of work. @returns what it says @throws HostRefusal with its code */
  async run(site: SiteUser, work: string, args: object, how: WorkHow): Promise<Record<string, unknown>> {
    how.stop?.throwIfAborted();
    const leftMs = how.leftMs ?? USUAL_MS;
    const input = how.input === undefined ? null : await fs.open(how.input, 'r');
    let child: ChildProcess;
    try {
      child = this.start(site, input?.fd ?? null);
    } finally {
      await input?.close();
    }
    const end = (): void => {
      // All it has started: it leads a group of its own.
      if (child.pid !== undefined) signal(-child.pid);
    };
    const timer = setTimeout(end, leftMs + 2_000);
    how.stop?.addEventListener('abort', end);
    try {
      const order: WorkOrder = { work, args: args as Record<string, unknown>, home: this.home(site), leftMs };
      return await this.follow(child, order, how);
    } finally {
      clearTimeout(timer);
      how.stop?.removeEventListener('abort', end);
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

  private async follow(child: ChildProcess, order: WorkOrder, how: WorkHow): Promise<Record<string, unknown>> {
    let complaint = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-1_000)));
    let sent: Promise<void> = Promise.resolve();
    const answered = new Promise<Extract<WorkMessage, { is: 'end' | 'refused' }> | null>((resolve, reject) => {
      child.on('message', (message: WorkMessage) => {
        if (message.is === 'progress') how.progress?.(message.done, message.total);
        else if (message.is === 'body') {
          sent = how.send?.(message.bytes, child.stdout!) ?? Promise.reject(new Error('Nobody takes a body.'));
          // Whoever takes it may give up before it has ended.
          sent.catch(reject);
        } else resolve(message);
      });
      // Its end may be known before the last it said is read; this comes behind all of that.
      child.on('disconnect', () => resolve(null));
      child.on('error', () => resolve(null));
    });
    child.send(order, () => undefined);
    const answer = await answered;
    await sent;
    how.stop?.throwIfAborted();
    if (answer === null) throw new Error(`The work for the site was ended: ${complaint}`);
    if (answer.is === 'end') return answer.value;
    if (answer.code === '') throw new Error(answer.message);
    throw new HostRefusal(answer.code, answer.message, answer.params);
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
