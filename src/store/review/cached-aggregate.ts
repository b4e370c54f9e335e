import type { Database } from '../../database/index.js';

/** Writes to a table that invalidate the value. */
export interface AggregateSource {
  /** Entity name. */
  readonly entity: string;
  readonly kinds: readonly ('inserted' | 'updated' | 'deleted')[];
}

/**
 * Caches an aggregate that needs a full index scan: until this process writes to one of its sources, and at most a few seconds because of
 * writes by other processes. Concurrent callers share one query.
 */
export class CachedAggregate<T, Question extends readonly string[] = []> {
  private cached: { readonly basis: string; readonly madeAt: number; readonly figure: Promise<T> } | null = null;

  /**
   * @param maxAgeMs maximum age regardless of other processes' writes, in milliseconds
   * @param read computes the value
   */
  constructor(
    private readonly database: Database,
    private readonly sources: readonly AggregateSource[],
    private readonly maxAgeMs: number,
    private readonly read: (...question: Question) => Promise<T>,
  ) {}

  /** Returns the value. @param question further cache keys, such as the day */
  get(...question: Question): Promise<T> {
    const basis = [...question, this.basis()].join(' ');
    const now = performance.now();
    if (this.cached?.basis !== basis || now - this.cached.madeAt > this.maxAgeMs) {
      const figure = this.read(...question);
      const cached = { basis, madeAt: now, figure };
      this.cached = cached;
      figure.catch(() => {
        if (this.cached === cached) this.cached = null;
      });
    }
    return this.cached.figure;
  }

  private basis(): string {
    return this.sources
      .map(({ entity, kinds }) => {
        const writes = this.database.writes.of(this.database.resolve(`{${entity}}`).replaceAll('`', ''));
        return kinds.map((kind) => writes[kind]).join('.');
      })
      .join(' ');
  }
}
