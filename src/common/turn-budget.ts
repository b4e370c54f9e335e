import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of work in one turn of the event loop, in milliseconds. */
const TURN_MS = 1;

/**
 * Cuts long work into pieces with other requests in between. Everything that shares a budget has one millisecond of each
 * turn of the event loop together; what waits goes on in the order it came.
 *
 * @example
 * ```ts
 * for (const row of rows) {
 *   await budget.take();
 *   index.put(row);
 * }
 * ```
 */
export class TurnBudget {
  /** When the work of the present turn began; null before it does. */
  private begun: number | null = null;

  /** Whether the present turn has begun and has time left: {@link take} would not wait. Asking costs no promise. */
  get isLeft(): boolean {
    return this.begun !== null && performance.now() - this.begun <= TURN_MS;
  }

  /** Waits until the present turn has time left. */
  async take(): Promise<void> {
    while (this.begun !== null && performance.now() - this.begun > TURN_MS) await nextTurn();
    if (this.begun !== null) return;
    this.begun = performance.now();
    setImmediate(() => (this.begun = null));
  }
}
