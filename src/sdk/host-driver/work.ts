/**
 * Tracks the space an account uses, across all writers: a driver reserves space before it writes.
 *
 * @example
 * ```ts
 * const mayWrite = (space: HostDriverSpace, bytes: number): Promise<boolean> => space.take(bytes);
 * ```
 * @since 1.84.0
 */
export interface HostDriverSpace {
  /** Reserves bytes. Returns false, and reserves nothing, if that would exceed the account's limit. */
  take: (bytes: number) => Promise<boolean>;
  /** Releases bytes that are no longer used. */
  giveBack: (bytes: number) => Promise<void>;
  /** Returns whether so many bytes could be reserved now. */
  fits: (bytes: number) => Promise<boolean>;
}

/**
 * The context of long-running work with files.
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
  /** Id of the work: the leftovers of an interrupted attempt are removed by the next one with the same id. */
  readonly id: string;
  readonly signal: AbortSignal;
  /** `total` is 0 if unknown. */
  readonly progress: (done: number, total: number) => void;
}
