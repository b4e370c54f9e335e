import type { Database } from './database.js';
import type { SqlValue } from './driver-values.js';
import type { RowQuery } from './row-query.js';
import type { Statement } from './statement.js';

/**
 * Offset up to which skipped rows are simply read; beyond it the ids are selected first. Not always, because MariaDB sorts the result of
 * such a join again.
 */
const MAX_PLAIN_OFFSET = 100;

/** A position in a list: the id of its row and the value of the sort column, if any. */
export interface KeysetAnchor {
  readonly id: number;
  readonly value: SqlValue;
}

type Slice = Pick<RowQuery, 'direction' | 'offset' | 'limit'>;

/** Builds statements for rows under some conditions, in ascending order of one column. */
export class RowSelection<Row> {
  private readonly id: string;
  private readonly sort: string | null;
  /** Tie-breaker of the order; empty for a unique sort column, because MariaDB would otherwise sort although the index is ordered. */
  private readonly ties: string;
  /** Cached row statements, whose texts are long and requested often. */
  private readonly statements = new Map<string, Statement<Row>>();

  constructor(
    private readonly database: Database,
    private readonly entity: string,
    private readonly columns: string,
    private readonly query: Pick<RowQuery, 'conditions' | 'params' | 'sort'>,
  ) {
    this.id = `{${entity}.id}`;
    this.sort = query.sort === null ? null : `{${entity}.${query.sort}}`;
    this.ties = query.sort !== null && database.isUnique(entity, query.sort) ? '' : this.id;
  }

  /** Whether new rows are always last: all rows, by id. */
  get grows(): boolean {
    return this.sort === null && this.query.conditions.length === 0;
  }

  /** Whether rows can be read from an anchor without sorting: an index covers a condition or an order, rarely both. */
  get orderly(): boolean {
    return this.sort === null || this.query.conditions.length === 0;
  }

  /** Counts all rows. */
  async count(): Promise<number> {
    return this.countWhere([], []);
  }

  /** Counts the rows from `anchor` on in a list sorted by id. */
  countFrom(anchor: KeysetAnchor): Promise<number> {
    return this.countWhere([`${this.id} >= ?`], [anchor.id]);
  }

  /** Counts all rows and those from `anchor` on, in the same snapshot. */
  async countWithRowsFrom(anchor: KeysetAnchor | undefined): Promise<{ total: number; since: number }> {
    if (!anchor) return { total: await this.count(), since: 0 };
    const count = (conditions: readonly string[]): string => `(SELECT COUNT(*) FROM {${this.entity}} ${this.where(conditions)})`;
    const sql = `SELECT ${count([])} AS total, ${count([`${this.id} >= ?`])} AS since`;
    const counted = await this.database
      .statement<{ total: number; since: number }>(sql)
      .get(...this.query.params, ...this.query.params, anchor.id);
    return { total: Number(counted!.total), since: Number(counted!.since) };
  }

  /** Returns a page by OFFSET, which walks over all preceding rows. */
  async plainPage(slice: Slice): Promise<{ total: number; rows: Row[] }> {
    const [total, rows] = await Promise.all([this.count(), this.plainRows(slice)]);
    return { total, rows };
  }

  /** Returns rows counted from the start or the end. */
  plainRows({ direction, offset, limit }: Slice): Promise<Row[]> {
    return this.rows([], [], direction, offset, limit);
  }

  /**
   * Returns rows in ascending order, starting `offset` rows after `anchor`.
   *
   * @param tied whether many rows share the value of `anchor`
   */
  async rowsFrom(anchor: KeysetAnchor, tied: boolean, offset: number, limit: number): Promise<Row[]> {
    const parts = this.partsFrom(anchor, tied);
    const rows = await this.rows(...parts[0]!, 'asc', offset, limit);
    if (rows.length === limit || !parts[1]) return rows;
    const passed = rows.length ? offset : await this.countWhere(...parts[0]!);
    return [...rows, ...(await this.rows(...parts[1], 'asc', offset - passed, limit - rows.length))];
  }

  /** Returns the anchors of the next `limit` rows, starting with `anchor` itself, or from the start. */
  async anchorsFrom(anchor: KeysetAnchor | undefined, tied: boolean, limit: number): Promise<KeysetAnchor[]> {
    const columns = `${this.id} AS id, ${this.sort ?? 'NULL'} AS value`;
    const found: KeysetAnchor[] = [];
    for (const [conditions, params] of anchor ? this.partsFrom(anchor, tied) : [[[], []] as const]) {
      const sql = `SELECT ${columns} FROM {${this.entity}} ${this.where(conditions)} ORDER BY ${this.order('asc')} LIMIT ?`;
      found.push(...(await this.database.statement<KeysetAnchor>(sql).all(...this.query.params, ...params, limit - found.length)));
      if (found.length === limit) break;
    }
    return found;
  }

  /**
   * Conditions for the rows from `anchor` on, split into parts that an index can serve. Source: docs/architecture.md "Lists". Many rows
   * with the same value form a separate part, because otherwise the index cannot seek to an id among them. So do rows with NULL, which both
   * engines sort first and never compare as equal.
   */
  private partsFrom(anchor: KeysetAnchor, tied: boolean): (readonly [conditions: readonly string[], params: readonly SqlValue[]])[] {
    const { sort, id } = this;
    if (sort === null) return [[[`${id} >= ?`], [anchor.id]]];
    if (anchor.value === null) {
      return [
        [[`${sort} IS NULL`, `${id} >= ?`], [anchor.id]],
        [[`${sort} IS NOT NULL`], []],
      ];
    }
    if (!this.ties) return [[[`${sort} >= ?`], [anchor.value]]];
    if (!tied)
      return [
        [
          [`${sort} >= ?`, `(${sort} > ? OR ${id} >= ?)`],
          [anchor.value, anchor.value, anchor.id],
        ],
      ];
    return [
      [
        [`${sort} = ?`, `${id} >= ?`],
        [anchor.value, anchor.id],
      ],
      [[`${sort} > ?`], [anchor.value]],
    ];
  }

  private rows(
    conditions: readonly string[],
    params: readonly SqlValue[],
    direction: 'asc' | 'desc',
    offset: number,
    limit: number,
  ): Promise<Row[]> {
    const far = offset > MAX_PLAIN_OFFSET;
    const key = `${direction} ${far} ${conditions.join(' ')}`;
    let statement = this.statements.get(key);
    if (!statement) this.statements.set(key, (statement = this.rowStatement(this.where(conditions), this.order(direction), far)));
    return statement.all(...this.query.params, ...params, limit, offset);
  }

  private rowStatement(where: string, order: string, far: boolean): Statement<Row> {
    const { database, columns, entity, id } = this;
    if (!far) return database.statement(`SELECT ${columns} FROM {${entity}} ${where} ORDER BY ${order} LIMIT ? OFFSET ?`);
    // Skips rows by reading ids from the index only; just the page's rows are read in full. CROSS JOIN
    // forces SQLite's join order: otherwise it may scan the whole table and look up each row in the page.
    return database.statement(`SELECT ${columns} FROM (
        SELECT ${id} AS page_id FROM {${entity}} ${where} ORDER BY ${order} LIMIT ? OFFSET ?
      ) AS page CROSS JOIN {${entity}} ON {${entity}}.${id} = page.page_id ORDER BY ${order}`);
  }

  private order(direction: 'asc' | 'desc'): string {
    const way = direction === 'asc' ? 'ASC' : 'DESC';
    return [this.sort, this.ties]
      .filter(Boolean)
      .map((column) => `${column} ${way}`)
      .join(', ');
  }

  private async countWhere(conditions: readonly string[], params: readonly SqlValue[]): Promise<number> {
    const sql = `SELECT COUNT(*) AS total FROM {${this.entity}} ${this.where(conditions)}`;
    const counted = await this.database.statement<{ total: number }>(sql).get(...this.query.params, ...params);
    return Number(counted!.total);
  }

  private where(more: readonly string[]): string {
    const conditions = [...this.query.conditions, ...more];
    return conditions.length ? `WHERE ${conditions.join(' AND ')}` : '';
  }
}
