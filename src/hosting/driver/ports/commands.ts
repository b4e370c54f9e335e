import type { DriverAccount, DriverResult } from '../driver-types.js';

import type { DriverTurn } from './files.js';

/**
 * Why something cannot be done with a command.
 * - `COMMAND_MISSING` the site has no such command; `COMMAND_RUNNING` it runs at this moment
 * - `COMMAND_LIMIT` the site has as many as it may: `most`
 * - `COMMAND_SCHEDULE` the server cannot read the schedule
 */
export type CommandProblemCode = 'COMMAND_MISSING' | 'COMMAND_RUNNING' | 'COMMAND_LIMIT' | 'COMMAND_SCHEDULE';

/** Most commands of one site. */
export const MOST_COMMANDS = 10;
/** Longest a command may run, in seconds. */
export const MOST_COMMAND_SECONDS = 3_600;

/** A command that runs by itself, as the system user of its site and without a shell. */
export interface ScheduledCommand {
  /** `[a-z0-9]{1,32}`, given by the panel; never another one's of the site. */
  readonly id: string;
  /** Five fields of cron (minute, hour, day, month, weekday), of numbers, `*`, `-`, `,` and `/`. */
  readonly schedule: string;
  /**
   * Program and arguments, 1 to 32 of at most 1,000 characters. One without `/` is `php` of the site's version, or a program of the system.
   */
  readonly argv: readonly string[];
  /** What it runs in: a folder below the web root without slashes around it, empty for the web root. */
  readonly folder: string;
  /** Seconds after which it is ended, at most {@link MOST_COMMAND_SECONDS}. */
  readonly seconds: number;
  /** Whether it runs by itself. */
  readonly enabled: boolean;
}

/** Result of a run. */
export interface CommandRun {
  /** Milliseconds since 1970. */
  readonly began: number;
  /** How long it took, in whole seconds. */
  readonly seconds: number;
  /** What the program ended with; below 0: it was ended by a signal. 127: there is no such program. */
  readonly exit: number;
  /** The last of what it said. */
  readonly output: string;
}

/** The commands of a site. */
export interface CommandList {
  readonly commands: readonly (ScheduledCommand & { readonly last: Omit<CommandRun, 'output'> | null })[];
  /** Schedules are read in it, such as `Asia/Shanghai`. */
  readonly zone: string;
}

/**
 * Commands that run by themselves, as the system user of a site: with its rights and no others, one after another, and not while the
 * account is suspended. Refusals carry a {@link CommandProblemCode}.
 */
export interface CommandsPort {
  /** In the order they were added. */
  list(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<CommandList>>;
  /** Adds a command, or replaces the one of its id. The same again is `already`. */
  put(account: DriverAccount, command: ScheduledCommand, deadline: AbortSignal): Promise<DriverResult>;
  /** Removes a command and what is known of its runs; one there is not is `already`. */
  remove(account: DriverAccount, id: string, deadline: AbortSignal): Promise<DriverResult>;
  /** Runs one now, enabled or not, and waits for its end. */
  run(account: DriverAccount, id: string, turn: DriverTurn): Promise<DriverResult<CommandRun>>;
  /**
   * Waits until no command of the site runs, and ends those that still do after so many seconds, at most 590. Answers how many these were.
   */
  drain?(account: DriverAccount, seconds: number, signal: AbortSignal): Promise<DriverResult<number>>;
  /** What the last runs came to, newest first, at most 20. */
  runs(account: DriverAccount, id: string, deadline: AbortSignal): Promise<DriverResult<readonly CommandRun[]>>;
}
