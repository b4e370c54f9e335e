/**
 * FIFO lock of SQLite's single writer handle. Transactions hold it from BEGIN to COMMIT, single writes for one statement, so that neither
 * ends up inside another caller's transaction (measured: otherwise both are lost when one of two overlapping transactions rolls back).
 */
export class WriteGate {
  private held = false;
  private readonly queue: (() => void)[] = [];

  /** Acquires the gate if it is free; the fast path of single writes. */
  tryAcquire(): boolean {
    if (this.held) return false;
    this.held = true;
    return true;
  }

  /** Waits for the gate, first come, first served. */
  acquire(): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve();
    return new Promise((resolve) => this.queue.push(resolve));
  }

  /** Hands the gate to the longest waiting caller. */
  release(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.held = false;
  }
}
