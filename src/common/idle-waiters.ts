/** Whoever waits until work that goes on by itself comes to rest. */
export class IdleWaiters {
  private waiting: (() => void)[] = [];

  /** @param isIdle whether the work rests now */
  constructor(private readonly isIdle: () => boolean) {}

  /** Resolves when the work rests. */
  async wait(): Promise<void> {
    while (!this.isIdle()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Called whenever something has ended: the work may rest now. */
  look(): void {
    if (!this.isIdle()) return;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
