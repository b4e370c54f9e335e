/** One attempt at a background task, passed to its handler. */
export interface TaskTurn {
  /** Id of the task; the same in every attempt. */
  readonly id: string;
  /** From 1. */
  readonly attempt: number;
  /**
   * Aborted if the task is cancelled, exceeds its timeout, loses its lease, or the process shuts down: throw `signal.reason` as soon as
   * nothing is left half done.
   */
  readonly signal: AbortSignal;
  /**
   * Reports progress; pages show it within a second or two. May be called at any frequency.
   *
   * @param done how many of `total`
   * @param total 0 if unknown
   * @param note at most 200 characters
   */
  progress(done: number, total: number, note?: string): void;
}

/** Thrown by a handler if another attempt would fail in the same way: the task fails immediately. Its `cause` is the reason, if any. */
export class FinalFailure extends Error {
  override readonly name = 'FinalFailure';
}
