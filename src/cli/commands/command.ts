import type { ParseArgsConfig } from 'node:util';

/** How a command of `svc` reaches the outside: tests give it their own. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  /** Writes a line for people, or for the program that reads the answer. */
  say(line: string): void;
  /** Asks for a yes; always false where nobody is there to answer. */
  confirm(question: string): Promise<boolean>;
  /** Everything that comes on standard input, such as a password. */
  readInput(): Promise<string>;
}

/** The options of a command as they were given. */
export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** One command of `svc`. */
export interface Command {
  /** Its words, such as `admin create`. */
  readonly name: string;
  /** What follows them, such as `<name> [--password-stdin]`. */
  readonly usage: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** What else is good to know; shown by `svc help <name>`. */
  readonly details: readonly string[];
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** How many words it takes besides its name. */
  readonly words: { readonly min: number; readonly max: number };
  /** @returns the exit code */
  run(terminal: Terminal, words: readonly string[], options: Options): Promise<number>;
}

/** Something the person at the terminal has to know; shown without a stack. */
export class CommandError extends Error {}
