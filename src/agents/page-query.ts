import type { Database, SqlValue } from '../database/index.js';

/** Which rows of a list, in which order. */
export interface PageQuery {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  /** Wire name of a column; an unknown one counts as not given. */
  readonly sort?: string;
  readonly sortOrder: 'asc' | 'desc';
}

/** Conditions of a list, all of which must hold. */
export class Conditions {
  readonly parts: string[] = [];
  readonly params: SqlValue[] = [];

  add(sql: string, ...values: SqlValue[]): void {
    this.parts.push(sql);
    this.params.push(...values);
  }

  toString(): string {
    return this.parts.length ? `WHERE ${this.parts.join(' AND ')}` : '';
  }
}

/** What a list reads. */
interface ListSource {
  readonly columns: string;
  /** `FROM` with its joins. */
  readonly from: string;
  readonly conditions: Conditions;
  /** Wire name to column; what is not in here cannot be sorted by. */
  readonly sorts: ReadonlyMap<string, string>;
  /** Column of the number that makes the order a total one. */
  readonly id: string;
}

/** One page of a list whose rows are of several tables, and how many there are in all; those of one table have a Paginator. */
export async function readPage<Row>(database: Database, query: PageQuery, source: ListSource): Promise<{ total: number; rows: Row[] }> {
  const direction = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
  const column = source.sorts.get(query.sort ?? '') ?? source.id;
  const order = column === source.id ? `${source.id} ${direction}` : `${column} ${direction}, ${source.id} ${direction}`;
  const { conditions } = source;
  const rows = database.statement<Row>(`SELECT ${source.columns} FROM ${source.from} ${conditions} ORDER BY ${order} LIMIT ? OFFSET ?`);
  const count = database.statement<{ total: number }>(`SELECT COUNT(*) AS total FROM ${source.from} ${conditions}`);
  const [counted, found] = await Promise.all([
    count.get(...conditions.params),
    rows.all(...conditions.params, query.limit, (query.page - 1) * query.limit),
  ]);
  return { total: Number(counted!.total), rows: found };
}

/** Whether a column contains a text, ignoring case: `LIKE` would read `%` and `_` in what people type. */
export function contains(column: string): string {
  return `INSTR(LOWER(${column}), LOWER(?)) > 0`;
}
