import type { Database } from './database.js';
import { KeysetAnchors } from './keyset-anchors.js';
import { RowSelection } from './row-selection.js';
import type { RowQuery } from './row-query.js';

/** Lists kept in mind, over all conditions and orders; the one not asked for longest is forgotten. */
const MAX_KEPT = 200;

/**
 * Pages of a table of any size: each costs about what the first one does, and the total is not counted anew while nothing changed.
 *
 * What this process writes is seen at once. What another process writes is seen at once where the list has no condition and is
 * sorted by id and rows were only added; otherwise a total, or how far a page lies from the start, may be two seconds old, and
 * ten where it takes long to count ({@link KeysetAnchors}). The rows themselves are always read anew.
 *
 * @example
 * ```ts
 * const list = new Paginator(database, 'Order', columns);
 * const alices = { conditions: ['{Order.user} = ?'], params: ['alice'] };
 * const { total, rows } = await list.page({ ...alices, sort: null, direction: 'desc', offset: 0, limit: 20 });
 * ```
 */
export class Paginator<Row> {
  private readonly kept = new Map<string, KeysetAnchors<Row>>();
  private readonly table: string;

  /**
   * @param entity name of the entity; it has the property `id`
   * @param columns of the rows, for a `SELECT` whose `FROM` has the table under its own name
   */
  constructor(
    private readonly database: Database,
    private readonly entity: string,
    private readonly columns: string,
  ) {
    this.table = database.resolve(`{${entity}}`).replaceAll('`', '');
  }

  /** The rows of a page, in an order that ties cannot change, and how many there are in all. */
  async page(query: RowQuery): Promise<{ total: number; rows: Row[] }> {
    const selection = (): RowSelection<Row> => new RowSelection(this.database, this.entity, this.columns, query);
    // What is kept is of committed rows: a transaction sees its own as well.
    if (this.database.inTransaction) return selection().plainPage(query);
    const key = JSON.stringify([query.conditions, query.sort, query.params.map(String)]);
    let anchors = this.kept.get(key);
    if (anchors) this.kept.delete(key);
    else anchors = new KeysetAnchors(selection(), this.database.writes.of(this.table));
    this.kept.set(key, anchors);
    if (this.kept.size > MAX_KEPT) this.kept.delete(this.kept.keys().next().value!);
    return anchors.page(query);
  }
}
