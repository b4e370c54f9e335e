/** Which limit was reached: the overall one (`all`) or the caller's own. */
export type PlacesTaken = 'all' | 'own';

/** Limits concurrent work in this process, overall and per caller. A caller over the limit is rejected immediately; nothing queues. */
export class AdmissionLimiter {
  private all = 0;
  private readonly own = new Map<string, number>();

  constructor(private readonly most: { readonly all: number; readonly each: number }) {}

  /** Whether the overall limit is reached. */
  get full(): boolean {
    return this.all >= this.most.all;
  }

  /**
   * Runs `work` in a slot.
   *
   * @param key the caller that the slot counts against
   * @param refusal creates the error for a limit that is reached
   */
  async take<T>(who: string, refusal: (taken: PlacesTaken) => Error, work: () => Promise<T>): Promise<T> {
    const own = this.own.get(who) ?? 0;
    if (own >= this.most.each) throw refusal('own');
    if (this.all >= this.most.all) throw refusal('all');
    this.all += 1;
    this.own.set(who, own + 1);
    try {
      return await work();
    } finally {
      this.all -= 1;
      const left = this.own.get(who)! - 1;
      if (left > 0) this.own.set(who, left);
      else this.own.delete(who);
    }
  }
}
