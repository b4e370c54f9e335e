import { Table, TableColumn, type QueryRunner, type TableColumnOptions } from 'typeorm';

/** A default as SQL text: `'0'`, `"''"`. */
type ColumnExtras = Pick<TableColumnOptions, 'isNullable' | 'default'>;

const isMysql = (runner: QueryRunner): boolean => runner.dataSource.options.type !== 'better-sqlite3';

/** The `id` every table has. */
export const id = (): TableColumnOptions => ({
  name: 'id',
  type: 'int',
  isPrimary: true,
  isGenerated: true,
  generationStrategy: 'increment',
});
export const string = (name: string, length: number, extras: ColumnExtras = {}): TableColumnOptions => ({
  name,
  type: 'varchar',
  length: String(length),
  ...extras,
});
export const text = (name: string, extras: ColumnExtras = {}): TableColumnOptions => ({ name, type: 'text', ...extras });
export const integer = (name: string, extras: ColumnExtras = {}): TableColumnOptions => ({ name, type: 'int', ...extras });
export const bigint = (name: string, extras: ColumnExtras = {}): TableColumnOptions => ({ name, type: 'bigint', ...extras });
export const fraction = (name: string, extras: ColumnExtras = {}): TableColumnOptions => ({ name, type: 'double', ...extras });
export const flag = (name: string, extras: ColumnExtras = {}): TableColumnOptions => ({ name, type: 'boolean', ...extras });
export const time = (name: string, extras: ColumnExtras = {}): TableColumnOptions => ({
  name,
  type: 'datetime',
  precision: 3,
  ...extras,
});
export const day = (name: string, extras: ColumnExtras = {}): TableColumnOptions => ({ name, type: 'date', ...extras });
export const money = (name: string, extras: ColumnExtras = {}): TableColumnOptions => ({
  name,
  type: 'decimal',
  precision: 12,
  scale: 2,
  ...extras,
});

/** The column as this engine has it. */
function forEngine(runner: QueryRunner, column: TableColumnOptions): TableColumnOptions {
  const mysql = isMysql(runner);
  const text = mysql && (column.type === 'varchar' || column.type === 'text') ? { charset: 'utf8mb4', collation: 'utf8mb4_bin' } : {};
  if (column.type === 'int') return { ...column, type: mysql ? 'int' : 'integer' };
  if (column.type === 'boolean') return { ...column, type: mysql ? 'tinyint' : 'boolean' };
  return { ...column, ...text };
}

/** A column for a table that is there. */
export function columnOf(runner: QueryRunner, column: TableColumnOptions): TableColumn {
  return new TableColumn(forEngine(runner, column));
}

/** What a table has besides its columns. */
export interface TableParts {
  uniques?: Record<string, string[]>;
  indexes?: Record<string, string[]>;
  foreignKeys?: {
    name: string;
    column: string;
    table: string;
    references: string;
    onDelete: 'CASCADE' | 'RESTRICT' | 'SET NULL';
  }[];
}

/**
 * Makes a table that is the same on both engines. On MySQL text compares by its bytes (`utf8mb4_bin`), as SQLite does,
 * so that a unique key means the same on both; booleans are `tinyint`, as the entity says.
 */
export async function createTable(
  runner: QueryRunner,
  name: string,
  columns: TableColumnOptions[],
  parts: TableParts = {},
): Promise<void> {
  await runner.createTable(
    new Table({
      name,
      columns: columns.map((column) => forEngine(runner, column)),
      uniques: Object.entries(parts.uniques ?? {}).map(([constraint, columnNames]) => ({ name: constraint, columnNames })),
      indices: Object.entries(parts.indexes ?? {}).map(([index, columnNames]) => ({ name: index, columnNames })),
      foreignKeys: (parts.foreignKeys ?? []).map((key) => ({
        name: key.name,
        columnNames: [key.column],
        referencedTableName: key.table,
        referencedColumnNames: [key.references],
        onDelete: key.onDelete,
        onUpdate: 'RESTRICT',
      })),
    }),
  );
}
