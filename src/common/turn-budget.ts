import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum work per event loop tick, in milliseconds. */
const TURN_MS = 1;

/**
 * Splits long work so that other requests run in between. Everything that shares a budget has one millisecond per event loop tick
 * together; waiting work continues in the order it came.
 * @example
 * ```ts
 * for (const row of rows) {
 *   await budget.take();
 *   index.put(row);
 * }
 * ```
 */
export class TurnBudget {
  /** When the work of the current tick began; null before it begins. */
  private begun: number | null = null;

  /** Whether the current tick has time left, so that {@link take} would not wait. Checking costs no promise. */
  get isLeft(): boolean {
    return this.begun !== null && performance.now() - this.begun <= TURN_MS;
  }

  /** Waits for a tick with time left. */
  async take(): Promise<void> {
    while (this.begun !== null && performance.now() - this.begun > TURN_MS) await nextTurn();
    if (this.begun !== null) return;
    this.begun = performance.now();
    setImmediate(() => (this.begun = null));
  }
}
