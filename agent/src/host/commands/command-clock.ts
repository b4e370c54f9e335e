import { messageOf } from '../../errors.js';
import type { Log } from '../../log.js';
import { parseCron } from '../../schedule/cron.js';
import { HostRefusal } from '../refusal.js';
import { isOpen, type SiteRecord } from '../sites/site-record.js';
import type { SiteRecords } from '../sites/site-records.js';
import type { SiteWorkers } from '../work/site-workers.js';
import type { CommandRun, CommandRuns } from './command-runs.js';

type Command = SiteRecord['commands'][number];

/** Commands of one server that run at a time; those of one site run one after another. */
const AT_ONCE = 4;

/** Runs commands of sites in the minutes they are for, as the sites' own users. A minute the agent was away in is not made up for. */
export class CommandClock {
  private lastMinute: number;
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly busy = new Set<string>();

  constructor(
    private readonly records: SiteRecords,
    private readonly workers: SiteWorkers,
    private readonly runs: CommandRuns,
    private readonly log: Log,
    private readonly now: () => number,
  ) {
    this.lastMinute = Math.floor(now() / 60_000);
  }

  /** Begins what is due; called at least once a minute. @returns when all of it has ended */
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
    return Promise.all(due.map(({ site, command }) => this.inTurn(site, command, stop)));
  }

  /** Runs one now. @throws HostRefusal `BUSY` where it runs already */
  async run(site: SiteRecord, command: Command, stop: AbortSignal): Promise<CommandRun> {
    const key = `${site.user}/${command.id}`;
    if (this.busy.has(key)) throw new HostRefusal('BUSY', 'The command is running.');
    this.busy.add(key);
    const began = this.now();
    try {
      const { argv, folder, seconds } = command;
      const ended = await this.workers.run(
        site,
        'command',
        { argv, folder, seconds, php: site.php },
        { stop, leftMs: (seconds + 5) * 1_000 },
      );
      return await this.note(site, command, began, Number(ended.exit), String(ended.output));
    } catch (error) {
      if (error instanceof HostRefusal) await this.note(site, command, began, 127, `${error.message}\n`);
      throw error;
    } finally {
      this.busy.delete(key);
    }
  }

  private async note(site: SiteRecord, { id }: Command, began: number, exit: number, output: string): Promise<CommandRun> {
    const run = { began, seconds: Math.min(3_600, Math.round((this.now() - began) / 1_000)), exit, output };
    await this.runs.add(site, id, run);
    return run;
  }

  private async inTurn(site: SiteRecord, command: Command, stop: AbortSignal): Promise<void> {
    if (this.running >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      if (!stop.aborted) await this.run(site, command, stop);
    } catch (error) {
      this.log.warning(`A command of a site failed: ${messageOf(error)}`, { site: site.name, command: command.id });
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
