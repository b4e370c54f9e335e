import type { ParseArgsConfig } from 'node:util';

/** I/O of a `svc` command; replaced in tests. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  /** Prints a line, for a user or for a program that parses the output. */
  print(line: string): void;
  /** Asks for confirmation; always false without an interactive terminal. */
  confirm(question: string): Promise<boolean>;
  /** Reads all of standard input, such as a password. */
  readInput(): Promise<string>;
}

/** Parsed options of a command. */
export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** A command of `svc`. */
export interface Command {
  /** Name, such as `admin create`. */
  readonly name: string;
  /** Usage after the name, such as `<name> [--password-stdin]`. */
  readonly usage: string;
  /** One-line summary. */
  readonly summary: string;
  /** Further help; shown by `svc help <name>`. */
  readonly details: readonly string[];
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Number of positional arguments. */
  readonly positionals: { readonly min: number; readonly max: number };
  /** @returns the exit code */
  run(terminal: Terminal, positionals: readonly string[], options: Options): Promise<number>;
}

/** An error for the user; shown without a stack trace. */
export class CommandError extends Error {}
