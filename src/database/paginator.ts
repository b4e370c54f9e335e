import type { Database } from './database.js';
import { KeysetAnchors } from './keyset-anchors.js';
import { RowSelection } from './row-selection.js';
import type { RowQuery } from './row-query.js';

/** Maximum cached lists, over all conditions and orders; evicts the least recently used. */
const MAX_CACHED = 200;

/**
 * Pages of a table of any size: each page costs about as much as the first one, and the total is cached while nothing changed.
 *
 * Writes of this process are visible immediately. Writes of other processes are visible immediately for a list without conditions, sorted
 * by id, to which rows were only added; otherwise the total or a page's position may be two seconds old, or ten if counting is slow
 * ({@link KeysetAnchors}). The rows themselves are always read fresh.
 *
 * @example
 * ```ts
 * const list = new Paginator(database, 'Order', columns);
 * const alices = { conditions: ['{Order.user} = ?'], params: ['alice'] };
 * const { total, rows } = await list.page({ ...alices, sort: null, direction: 'desc', offset: 0, limit: 20 });
 * ```
 */
export class Paginator<Row> {
  private readonly cached = new Map<string, KeysetAnchors<Row>>();
  private readonly table: string;

  /**
   * @param entity name of an entity with the property `id`
   * @param columns columns of the rows, for a `SELECT` whose `FROM` has the table under its own name
   */
  constructor(
    private readonly database: Database,
    private readonly entity: string,
    private readonly columns: string,
  ) {
    this.table = database.resolve(`{${entity}}`).replaceAll('`', '');
  }

  /** Returns the rows of a page in a stable order, and the total. */
  async page(query: RowQuery): Promise<{ total: number; rows: Row[] }> {
    const selection = (): RowSelection<Row> => new RowSelection(this.database, this.entity, this.columns, query);
    // Cached data reflects committed rows only, while a transaction also sees its own.
    if (this.database.inTransaction) return selection().plainPage(query);
    const key = JSON.stringify([query.conditions, query.sort, query.params.map(String)]);
    let anchors = this.cached.get(key);
    if (anchors) this.cached.delete(key);
    else anchors = new KeysetAnchors(selection(), this.database.writes.of(this.table));
    this.cached.set(key, anchors);
    if (this.cached.size > MAX_CACHED) this.cached.delete(this.cached.keys().next().value!);
    return anchors.page(query);
  }
}
