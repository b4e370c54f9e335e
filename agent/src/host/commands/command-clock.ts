import { messageOf } from '../../errors.js';
import type { Log } from '../../log.js';
import { parseCron } from '../../cron.js';
import { HostRefusal } from '../refusal.js';
import { isOpen, type SiteRecord } from '../records/site-record.js';
import type { SiteRecords } from '../records/site-records.js';
import type { SiteWorkers } from '../work/site-workers.js';
import type { CommandRun, CommandRuns } from './command-runs.js';

type Command = SiteRecord['commands'][number];

/** Maximum number of scheduled commands running at a time on this server; commands of one site run one after another. */
const MAX_CONCURRENT = 4;
/** Error code and exit status of a command that was stopped early; the status is that of SIGKILL. */
const ENDED = 'COMMAND_ENDED';
const KILLED = -9;
/** How long a stopped command may take to exit, in milliseconds. */
const END_MS = 5_000;
/** Exit status for a missing program, as in shells. */
const NOT_FOUND = 127;

/** Runs the scheduled commands of sites as the sites' own users. Minutes in which the agent was not running are not made up for. */
export class CommandClock {
  private lastMinute: number;
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** Running commands by key, with their abort controllers. */
  private readonly busy = new Map<string, AbortController>();
  /** Callbacks invoked whenever a command has ended. */
  private readonly draining = new Set<() => void>();
  /** Keys of due commands, until they have ended. */
  private readonly due = new Set<string>();
  /** By system user: resolves when all due commands of the site have ended. */
  private readonly queues = new Map<string, Promise<void>>();

  constructor(
    private readonly records: SiteRecords,
    private readonly workers: SiteWorkers,
    private readonly runs: CommandRuns,
    private readonly endOrphans: (uid: number) => Promise<void>,
    private readonly log: Log,
    private readonly now: () => number,
  ) {
    this.lastMinute = Math.floor(now() / 60_000);
  }

  /** Starts the due commands; called at least once a minute. @returns when all of them have ended */
  tick(stop: AbortSignal): Promise<unknown> {
    const minute = Math.floor(this.now() / 60_000);
    if (minute === this.lastMinute) return Promise.resolve();
    this.lastMinute = minute;
    const date = new Date(minute * 60_000);
    const due = this.records
      .all()
      .filter(isOpen)
      .flatMap((site) =>
        site.commands.filter((command) => command.enabled && matches(command, date)).map((command) => ({ site, command })),
      );
    return Promise.all(due.map(({ site, command }) => this.enqueue(site, command, stop)));
  }

  /** Waits until all due commands have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.queues.values());
  }

  /**
   * Runs a command immediately. A missing program counts as a finished run with an exit status.
   *
   * @throws HostRefusal `COMMAND_RUNNING` if it is already running
   */
  async run(site: SiteRecord, command: Command, stop: AbortSignal): Promise<CommandRun> {
    const key = keyOf(site, command);
    if (this.busy.has(key)) throw new HostRefusal('COMMAND_RUNNING', 'The command is already running.');
    const end = new AbortController();
    const onStop = (): void => end.abort(stop.reason);
    stop.addEventListener('abort', onStop);
    if (stop.aborted) onStop();
    this.busy.set(key, end);
    const began = this.now();
    try {
      const { argv, folder, seconds } = command;
      const options = { stop: end.signal, leftMs: (seconds + 5) * 1_000 };
      const ended = await this.workers.run(site, 'command', { argv, folder, seconds, php: site.php }, options);
      return await this.record(site, command, began, Number(ended.exit), String(ended.output));
    } catch (error) {
      if (!(error instanceof HostRefusal)) throw error;
      return await this.record(site, command, began, error.code === ENDED ? KILLED : NOT_FOUND, `${error.message}\n`);
    } finally {
      stop.removeEventListener('abort', onStop);
      this.busy.delete(key);
      for (const check of this.draining) check();
      // Background processes it started have no time limit; they are killed when the last command of the site has ended.
      if (![...this.busy.keys()].some((other) => other.startsWith(`${site.user}/`))) await this.endOrphans(site.uid);
    }
  }

  /** Waits until no command of a site runs and stops those still running after the timeout. @returns how many were stopped */
  async drain({ user }: SiteRecord, ms: number): Promise<number> {
    const running = (): AbortController[] => [...this.busy].flatMap(([key, end]) => (key.startsWith(`${user}/`) ? [end] : []));
    if (await this.waitUntil(() => running().length === 0, ms)) return 0;
    const late = running();
    for (const end of late) end.abort(new HostRefusal(ENDED, 'The command was stopped because its site is moving to another server.'));
    await this.waitUntil(() => running().length === 0, END_MS);
    return late.length;
  }

  /** @returns whether the condition was met in time */
  private async waitUntil(condition: () => boolean, ms: number): Promise<boolean> {
    if (condition()) return true;
    return new Promise((resolve) => {
      const check = (): void => {
        if (condition()) finish(true);
      };
      const finish = (isMet: boolean): void => {
        clearTimeout(timer);
        this.draining.delete(check);
        resolve(isMet);
      };
      const timer = setTimeout(() => finish(condition()), ms);
      this.draining.add(check);
    });
  }

  private async record(site: SiteRecord, { id }: Command, began: number, exit: number, output: string): Promise<CommandRun> {
    const run = { began, seconds: Math.min(3_600, Math.max(0, Math.round((this.now() - began) / 1_000))), exit, output };
    await this.runs.add(site, id, run);
    return run;
  }

  /** Queues a command behind the others of its site; skipped if it is still running or queued. */
  private async enqueue(site: SiteRecord, command: Command, stop: AbortSignal): Promise<void> {
    const key = keyOf(site, command);
    if (this.due.has(key) || this.busy.has(key)) return;
    this.due.add(key);
    const queued = (this.queues.get(site.user) ?? Promise.resolve())
      .then(() => this.withSlot(() => this.runCurrent(site, command, stop)))
      .catch((error: unknown) =>
        this.log.warning(`A command of a site failed: ${messageOf(error)}`, { site: site.name, command: command.id }),
      )
      .finally(() => this.due.delete(key));
    this.queues.set(site.user, queued);
    await queued;
    if (this.queues.get(site.user) === queued) this.queues.delete(site.user);
  }

  /** Reloads site and command: while queued, the site may have been suspended and the command changed or removed. */
  private async runCurrent({ user }: SiteRecord, { id }: Command, stop: AbortSignal): Promise<void> {
    const site = this.records.find((one) => one.user === user);
    const command = site?.commands.find((one) => one.id === id);
    if (site && command?.enabled && isOpen(site) && !stop.aborted) await this.run(site, command, stop);
  }

  private async withSlot(work: () => Promise<void>): Promise<void> {
    if (this.running >= MAX_CONCURRENT) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

function matches({ schedule }: Command, date: Date): boolean {
  return parseCron(schedule)(date);
}

function keyOf({ user }: SiteRecord, { id }: Command): string {
  return `${user}/${id}`;
}
