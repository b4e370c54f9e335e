import type { Database, SqlValue } from '../database/index.js';

/** Page and order of a list. */
export interface PageQuery {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  /** Wire name of a column; an unknown one is ignored. */
  readonly sort?: string;
  readonly sortOrder: 'asc' | 'desc';
}

/** SQL conditions of a list, joined with AND. */
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

/** Source of a list. */
interface ListSource {
  readonly columns: string;
  /** `FROM` with its joins. */
  readonly from: string;
  readonly conditions: Conditions;
  /** Maps wire names to columns; only these can be sorted by. */
  readonly sorts: ReadonlyMap<string, string>;
  /** Unique column that makes the order total. */
  readonly id: string;
}

/** Reads one page and the total of a list that joins several tables; single tables use a Paginator. */
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

/** Returns the SQL for a case-insensitive substring search; `LIKE` would interpret `%` and `_` in user input. */
export function contains(column: string): string {
  return `INSTR(LOWER(${column}), LOWER(?)) > 0`;
}
