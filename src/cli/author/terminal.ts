/** Where a command is run, and where it says what it has to say. */
export interface Terminal {
  /** The folder commands work in. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  say(line: string): void;
  /** For what went wrong, and for progress: it does not mix with what is said. */
  warn(line: string): void;
  /** Ends what goes on until it is interrupted; without it that is Ctrl+C. */
  readonly stop?: AbortSignal;
}

/** A command of `svc-plugin`. */
export interface AuthorCommand {
  /** What follows the name, such as `NAME --kind KIND`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** @returns the exit code. @throws AuthorError for what its author can put right */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
