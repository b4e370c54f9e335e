/** Which limit was reached: the overall one (`all`) or the caller's own. */
export type ReachedLimit = 'all' | 'own';

/** Limits concurrent work in this process, overall and per caller. A caller over the limit is rejected immediately; nothing queues. */
export class AdmissionLimiter {
  private all = 0;
  private readonly own = new Map<string, number>();

  constructor(private readonly limits: { readonly all: number; readonly each: number }) {}

  /** Whether the overall limit is reached. */
  get full(): boolean {
    return this.all >= this.limits.all;
  }

  /**
   * Runs `work` in a slot.
   *
   * @param key the caller that the slot counts against
   * @param refusal creates the error for a limit that is reached
   */
  async take<T>(key: string, refusal: (taken: ReachedLimit) => Error, work: () => Promise<T>): Promise<T> {
    const own = this.own.get(key) ?? 0;
    if (own >= this.limits.each) throw refusal('own');
    if (this.all >= this.limits.all) throw refusal('all');
    this.all += 1;
    this.own.set(key, own + 1);
    try {
      return await work();
    } finally {
      this.all -= 1;
      const remaining = this.own.get(key)! - 1;
      if (remaining > 0) this.own.set(key, remaining);
      else this.own.delete(key);
    }
  }
}
