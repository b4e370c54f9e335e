/**
 * Counts what an account uses, whoever does it: a driver asks before it writes.
 *
 * @example
 * ```ts
 * const mayWrite = (space: HostDriverSpace, bytes: number): Promise<boolean> => space.take(bytes);
 * ```
 * @since 1.84.0
 */
export interface HostDriverSpace {
  /** Takes so many bytes. False, and takes nothing, where the account may not use as many. */
  take: (bytes: number) => Promise<boolean>;
  /** Gives bytes back that are not used any more. */
  giveBack: (bytes: number) => Promise<void>;
  /** Whether so many bytes could be taken now. */
  fits: (bytes: number) => Promise<boolean>;
}

/**
 * What long work with files runs with.
 *
 * @example
 * ```ts
 * const step = ({ signal, progress }: HostDriverTurn, done: number): void => {
 *   signal.throwIfAborted();
 *   progress(done, 0);
 * };
 * ```
 * @since 1.84.0
 */
export interface HostDriverTurn {
  /** Names the work: an attempt that was interrupted is cleared away by the next one of the same name. */
  readonly id: string;
  readonly signal: AbortSignal;
  /** `total` is 0 where it is not known. */
  readonly progress: (done: number, total: number) => void;
}
