import type { DriverAccount, DriverResult } from '../driver-types.js';

import type { DriverTurn } from './files.js';

/**
 * Why an operation on a command fails.
 * - `COMMAND_MISSING` the site has no such command; `COMMAND_RUNNING` it is running
 * - `COMMAND_LIMIT` the site has the maximum number of commands: `most`
 * - `COMMAND_SCHEDULE` the server cannot parse the schedule
 */
export type CommandProblemCode = 'COMMAND_MISSING' | 'COMMAND_RUNNING' | 'COMMAND_LIMIT' | 'COMMAND_SCHEDULE';

/** Maximum number of commands per site. */
export const MAX_COMMANDS = 10;
/** Maximum runtime of a command, in seconds. */
export const MAX_COMMAND_SECONDS = 3_600;

/** A scheduled command, run as the system user of its site and without a shell. */
export interface ScheduledCommand {
  /** `[a-z0-9]{1,32}`, assigned by the panel and never reused for the site. */
  readonly id: string;
  /** Five cron fields (minute, hour, day, month, weekday), of numbers, `*`, `-`, `,` and `/`. */
  readonly schedule: string;
  /**
   * Program and arguments, 1 to 32 of at most 1,000 characters. A program without `/` is `php` in the site's version, or a program of the
   * system.
   */
  readonly argv: readonly string[];
  /** Working directory: a folder below the web root without leading or trailing slashes, empty for the web root. */
  readonly folder: string;
  /** Seconds after which it is ended, at most {@link MAX_COMMAND_SECONDS}. */
  readonly seconds: number;
  /** Whether it runs on its schedule. */
  readonly enabled: boolean;
}

/** Result of a run. */
export interface CommandRun {
  /** Milliseconds since 1970. */
  readonly began: number;
  /** Duration in whole seconds. */
  readonly seconds: number;
  /** Exit code; negative if ended by a signal; 127 if the program does not exist. */
  readonly exit: number;
  /** The end of its output. */
  readonly output: string;
}

/** The commands of a site. */
export interface CommandList {
  readonly commands: readonly (ScheduledCommand & { readonly last: Omit<CommandRun, 'output'> | null })[];
  /** Time zone of the schedules, such as `Asia/Shanghai`. */
  readonly zone: string;
}

/**
 * Scheduled commands of a site. They run as its system user with only that user's rights, one after another, and not while the account is
 * suspended. Refusals carry a {@link CommandProblemCode}.
 */
export interface CommandsPort {
  /** In the order they were added. */
  list(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<CommandList>>;
  /** Adds a command, or replaces the one with its id. `already` if unchanged. */
  put(account: DriverAccount, command: ScheduledCommand, deadline: AbortSignal): Promise<DriverResult>;
  /** Removes a command and its recorded runs; `already` if it does not exist. */
  remove(account: DriverAccount, id: string, deadline: AbortSignal): Promise<DriverResult>;
  /** Runs a command now, enabled or not, and waits for its end. */
  run(account: DriverAccount, id: string, turn: DriverTurn): Promise<DriverResult<CommandRun>>;
  /** Waits until no command of the site runs, and ends those that still run after `seconds`, at most 590. Returns how many were ended. */
  drain?(account: DriverAccount, seconds: number, signal: AbortSignal): Promise<DriverResult<number>>;
  /** The last runs, newest first, at most 20. */
  runs(account: DriverAccount, id: string, deadline: AbortSignal): Promise<DriverResult<readonly CommandRun[]>>;
}
