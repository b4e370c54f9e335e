import type { Database } from './database.js';
import type { SqlValue } from './driver-values.js';
import type { RowQuery } from './row-query.js';
import type { Statement } from './statement.js';

/** Rows that are read and thrown away sooner than their ids are read first: MariaDB sorts what such a join gives once more. */
const READ_OVER = 100;

/** A place in a list: its row and, where it is sorted by more than the id, what it is sorted by. */
export interface KeysetAnchor {
  readonly id: number;
  readonly value: SqlValue;
}

type Slice = Pick<RowQuery, 'direction' | 'offset' | 'limit'>;

/** The rows under some conditions in the ascending order of one column, as statements. */
export class RowSelection<Row> {
  private readonly id: string;
  private readonly sort: string | null;
  /** What ends the order: nothing where no two rows can be equal, because MariaDB then sorts what an index has in order. */
  private readonly ties: string;
  /** What reads rows: as texts they are long, and lists are asked for on every request. */
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

  /** Whether new rows come last: every row, by id. */
  get grows(): boolean {
    return this.sort === null && this.query.conditions.length === 0;
  }

  /** Whether rows can be read on from a place without sorting the rest again: an index has a condition or an order, seldom both. */
  get orderly(): boolean {
    return this.sort === null || this.query.conditions.length === 0;
  }

  /** Counts every row. */
  async count(): Promise<number> {
    return this.countWhere([], []);
  }

  /** Counts the rows from `anchor` on, of a list sorted by id. */
  countFrom(anchor: KeysetAnchor): Promise<number> {
    return this.countWhere([`${this.id} >= ?`], [anchor.id]);
  }

  /** Counts every row and those from `anchor` on, as of the same moment. */
  async countWithRowsFrom(anchor: KeysetAnchor | undefined): Promise<{ total: number; since: number }> {
    if (!anchor) return { total: await this.count(), since: 0 };
    const count = (conditions: readonly string[]): string => `(SELECT COUNT(*) FROM {${this.entity}} ${this.where(conditions)})`;
    const sql = `SELECT ${count([])} AS total, ${count([`${this.id} >= ?`])} AS since`;
    const counted = await this.database
      .statement<{ total: number; since: number }>(sql)
      .get(...this.query.params, ...this.query.params, anchor.id);
    return { total: Number(counted!.total), since: Number(counted!.since) };
  }

  /** The page the engine's own way: it walks over everything before it. */
  async plainPage(slice: Slice): Promise<{ total: number; rows: Row[] }> {
    const [total, rows] = await Promise.all([this.count(), this.plainRows(slice)]);
    return { total, rows };
  }

  /** Rows from the start or the end. */
  plainRows({ direction, offset, limit }: Slice): Promise<Row[]> {
    return this.rows([], [], direction, offset, limit);
  }

  /**
   * Rows in ascending order, `offset` rows after `anchor`.
   *
   * @param tied whether many rows have the value of `anchor`
   */
  async rowsFrom(anchor: KeysetAnchor, tied: boolean, offset: number, limit: number): Promise<Row[]> {
    const parts = this.partsFrom(anchor, tied);
    const rows = await this.rows(...parts[0]!, 'asc', offset, limit);
    if (rows.length === limit || !parts[1]) return rows;
    const passed = rows.length ? offset : await this.countWhere(...parts[0]!);
    return [...rows, ...(await this.rows(...parts[1], 'asc', offset - passed, limit - rows.length))];
  }

  /** Places of the next `limit` rows after `anchor`, or after the start, `anchor` itself being the first. */
  async places(anchor: KeysetAnchor | undefined, tied: boolean, limit: number): Promise<KeysetAnchor[]> {
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
   * The rows from `anchor` on as conditions an index answers, one part after the other. Source: docs/architecture.md "Lists".
   * Where many rows have one value, those are a part of their own: an index finds no id among them otherwise. So are
   * those without a value, which both engines sort first and compare with nothing.
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
    const far = offset > READ_OVER;
    const key = `${direction} ${far} ${conditions.join(' ')}`;
    let statement = this.statements.get(key);
    if (!statement) this.statements.set(key, (statement = this.rowStatement(this.where(conditions), this.order(direction), far)));
    return statement.all(...this.query.params, ...params, limit, offset);
  }

  private rowStatement(where: string, order: string, far: boolean): Statement<Row> {
    const { database, columns, entity, id } = this;
    if (!far) return database.statement(`SELECT ${columns} FROM {${entity}} ${where} ORDER BY ${order} LIMIT ? OFFSET ?`);
    // The ids of what is passed over come from an index alone; only the page's own rows are read in full. CROSS JOIN,
    // because SQLite keeps its order: left to choose, it walks the whole table and looks every row up in the page.
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
