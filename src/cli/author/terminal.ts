/** Where a command runs and writes its output. */
export interface Terminal {
  /** The working folder of commands. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  say(line: string): void;
  /** For errors and progress, separate from the output. */
  warn(line: string): void;
  /** Stops commands that run until interrupted; without it, Ctrl+C does. */
  readonly stop?: AbortSignal;
}

/** A command of `svc-plugin`. */
export interface AuthorCommand {
  /** What follows the name, such as `NAME --kind KIND`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** @returns the exit code. @throws AuthorError for mistakes the author can fix */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
