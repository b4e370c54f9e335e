/** Lets callers wait until background work becomes idle. */
export class IdleWaiters {
  private waiting: (() => void)[] = [];

  /** @param isIdle returns whether the work is idle now */
  constructor(private readonly isIdle: () => boolean) {}

  /** Resolves when the work is idle. */
  async wait(): Promise<void> {
    while (!this.isIdle()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Call whenever a piece of work has ended; resolves the waiters if the work is idle. */
  check(): void {
    if (!this.isIdle()) return;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
