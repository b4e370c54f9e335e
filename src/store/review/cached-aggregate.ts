import type { Database } from '../../database/index.js';

/** Writes to a table after which a figure is another one. */
export interface AggregateSource {
  /** Entity name. */
  readonly entity: string;
  readonly kinds: readonly ('inserted' | 'updated' | 'deleted')[];
}

/**
 * A figure that takes a walk over a whole index: kept until this process writes something it is made of, and for a few seconds at
 * most against what other processes write. Whoever asks meanwhile waits for the same walk.
 */
export class CachedAggregate<T, Question extends readonly string[] = []> {
  private kept: { readonly basis: string; readonly madeAt: number; readonly figure: Promise<T> } | null = null;

  /**
   * @param trustedMs how long it is kept whatever others write, in milliseconds
   * @param read makes it anew
   */
  constructor(
    private readonly database: Database,
    private readonly sources: readonly AggregateSource[],
    private readonly trustedMs: number,
    private readonly read: (...question: Question) => Promise<T>,
  ) {}

  /** The figure. @param question what else it depends on, such as the day */
  get(...question: Question): Promise<T> {
    const basis = [...question, this.basis()].join(' ');
    const now = performance.now();
    if (this.kept?.basis !== basis || now - this.kept.madeAt > this.trustedMs) {
      const figure = this.read(...question);
      const kept = { basis, madeAt: now, figure };
      this.kept = kept;
      figure.catch(() => {
        if (this.kept === kept) this.kept = null;
      });
    }
    return this.kept.figure;
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
