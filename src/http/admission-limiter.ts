/** Why there is no place: everybody together has all of them, or who asks has as many as one may. */
export type PlacesTaken = 'all' | 'own';

/** How much of something this process does at once: of everybody, and of each. Who finds no place is told so and does not wait. */
export class AdmissionLimiter {
  private all = 0;
  private readonly own = new Map<string, number>();

  constructor(private readonly most: { readonly all: number; readonly each: number }) {}

  /** Whether all are taken. */
  get full(): boolean {
    return this.all >= this.most.all;
  }

  /**
   * Runs `work` with a place.
   *
   * @param who whose place it is
   * @param refusal makes the error where there is none
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
