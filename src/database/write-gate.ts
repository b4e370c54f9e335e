/**
 * First-in-first-out lock around SQLite's one writer handle. Transactions hold it from BEGIN to COMMIT, plain writes for
 * one statement, so neither can end up inside somebody else's transaction (measured: without it both are lost when one
 * of two overlapping transactions rolls back).
 */
export class WriteGate {
  private held = false;
  private readonly queue: (() => void)[] = [];

  /** Takes the gate at once if it is free; the fast path of plain writes. */
  tryAcquire(): boolean {
    if (this.held) return false;
    this.held = true;
    return true;
  }

  /** Waits for the gate, in the order of asking. */
  acquire(): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve();
    return new Promise((resolve) => this.queue.push(resolve));
  }

  /** Hands the gate to whoever waits longest. */
  release(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.held = false;
  }
}
