/** One attempt at a background task, for its handler. */
export interface TaskTurn {
  /** Of the task; the same in every attempt. */
  readonly id: string;
  /** From 1. */
  readonly attempt: number;
  /**
   * Aborted when somebody cancelled the task, it takes too long, was taken for dead, or the process ends: throw `signal.reason` as soon as
   * nothing is left half done.
   */
  readonly signal: AbortSignal;
  /**
   * Says how far it is; pages show it within a second or two. May be called as often as is convenient.
   *
   * @param done how many of `total`
   * @param total 0 where it is not known
   * @param note at most 200 characters
   */
  progress(done: number, total: number, note?: string): void;
}

/** Thrown by a handler where another attempt would end the same way: the task fails at once. Why is its `cause`, where it has one. */
export class FinalFailure extends Error {
  override readonly name = 'FinalFailure';
}
