import type { Engine } from './database.js';
import { rowMaker, type RowMaker } from './row-maker.js';

/** What is read, and as which property of the row. */
export type SelectedColumn = readonly [expression: string, property: string];

/** One row as SQLite hands it over. */
interface Packed {
  readonly packed: string;
}

/**
 * Columns of a list whose values are short: numbers, names, dates. On SQLite a row comes as one JSON text, because every value that is handed over by itself costs
 * as much as writing and reading some dozen characters: a page of twenty hosts takes half the time. Long texts are slower this way, and bytes are no JSON.
 *
 * @example
 * ```ts
 * const columns = database.shortColumns<Named>([['{Order.id}', 'id'], ['{Order.name}', 'name']]);
 * const rows = columns.read(await database.statement(`SELECT ${columns.sql} FROM {Order} LIMIT 20`).all());
 * ```
 */
export class ShortColumns<Row> {
  /** What stands behind `SELECT`. */
  readonly sql: string;
  private readonly rowOf: RowMaker | null;

  constructor(engine: Engine, columns: readonly SelectedColumn[]) {
    const expressions = columns.map(([expression]) => expression);
    const isPacked = engine === 'sqlite';
    this.sql = isPacked
      ? `json_array(${expressions.join(', ')}) AS packed`
      : columns.map(([expression, property]) => `${expression} AS \`${property}\``).join(', ');
    this.rowOf = isPacked ? rowMaker(columns.map(([, property]) => property)) : null;
  }

  /** The rows of a statement with {@link sql}. */
  read(found: readonly unknown[]): Row[] {
    const { rowOf } = this;
    if (!rowOf) return found as Row[];
    const texts = (found as readonly Packed[]).map(({ packed }) => packed);
    return (JSON.parse(`[${texts.join(',')}]`) as unknown[][]).map(rowOf) as Row[];
  }
}
