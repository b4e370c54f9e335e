import { Table, TableColumn, TableIndex, type QueryRunner, type TableColumnOptions } from 'typeorm';

import type { PluginColumn, PluginIndex, PluginSchema, PluginTable } from '../../sdk/index.js';

import { NAME_PATTERN, indexName, tableName } from './table-names.js';

/** Changes tables of one plugin immediately, on one query runner. */
export class TableSchema implements PluginSchema {
  constructor(
    private readonly slug: string,
    private readonly runner: QueryRunner,
  ) {}

  async createTable(table: PluginTable): Promise<void> {
    const name = tableName(this.slug, table.name);
    await this.runner.createTable(
      new Table({
        name,
        columns: [
          { name: 'id', type: this.isMysql ? 'int' : 'integer', isPrimary: true, isGenerated: true, generationStrategy: 'increment' },
          ...table.columns.map((column) => this.column(column)),
        ],
        indices: (table.indexes ?? []).map((index) => this.index(table.name, index)),
      }),
    );
  }

  async addColumn(table: string, column: PluginColumn): Promise<void> {
    await this.runner.addColumn(tableName(this.slug, table), new TableColumn(this.column(column)));
  }

  async addIndex(table: string, index: PluginIndex): Promise<void> {
    await this.runner.createIndex(tableName(this.slug, table), this.index(table, index));
  }

  async dropTable(table: string): Promise<void> {
    await this.runner.dropTable(tableName(this.slug, table), true);
  }

  private get isMysql(): boolean {
    return this.runner.dataSource.options.type !== 'better-sqlite3';
  }

  private index(table: string, { columns, unique }: PluginIndex): TableIndex {
    return new TableIndex({ name: indexName(this.slug, table, columns), columnNames: columns, isUnique: unique ?? false });
  }

  private column(column: PluginColumn): TableColumnOptions {
    if (!NAME_PATTERN.test(column.name))
      throw new Error(`A column's name must be lower-case letters, digits and _, not ${JSON.stringify(column.name)}.`);
    const options: TableColumnOptions = { name: column.name, type: 'text', isNullable: column.nullable ?? false };
    if (column.default !== undefined) options.default = sqlDefault(column.default);
    const text = this.isMysql ? { charset: 'utf8mb4', collation: 'utf8mb4_bin' } : {};
    switch (column.type) {
      case 'integer':
        return { ...options, type: this.isMysql ? 'int' : 'integer' };
      case 'bigint':
        return { ...options, type: 'bigint' };
      case 'string':
        return { ...options, ...text, type: 'varchar', length: String(Math.min(column.length ?? 255, 255)) };
      case 'text':
        return { ...options, ...text };
      case 'boolean':
        return { ...options, type: this.isMysql ? 'tinyint' : 'boolean' };
      case 'datetime':
        return { ...options, type: 'datetime', precision: 3 };
      case 'money':
        return { ...options, type: 'bigint' };
    }
  }
}

function sqlDefault(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return `'${Number(value)}'`;
}
