import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

import { fromSqlTime } from './sql-time.js';

type Conversion = (value: unknown) => unknown;

/**
 * Reads rows of a statement as entities: the same values TypeORM would give, at a fraction of its cost, because what a
 * column needs is decided once instead of for every row.
 *
 * @example
 * ```ts
 * const orders = database.entityRows(Order);
 * const rows = await database.query(`SELECT ${orders.columns} FROM …`);
 * return rows.map((row) => orders.read(row));
 * ```
 */
export class EntityRows<Entity extends ObjectLiteral, Property extends keyof Entity = keyof Entity> {
  /** Its columns, qualified with the table and named like its property; for a `SELECT` whose `FROM` has the table under its own name. */
  readonly columns: string;
  private readonly conversions: readonly (readonly [property: string, convert: Conversion])[];

  /**
   * @param properties those that are read; without it all that a `SELECT` of the entity reads. A value costs more to read than a row.
   * @throws Error for what is no entity of `dataSource`
   */
  constructor(dataSource: DataSource, target: EntityTarget<Entity>, properties?: readonly Property[]) {
    const metadata = dataSource.getMetadata(target);
    const columns = metadata.columns.filter(({ isSelect, propertyName }) => properties?.includes(propertyName as Property) ?? isSelect);
    this.columns = columns.map((column) => `\`${metadata.tableName}\`.\`${column.databaseName}\` AS \`${column.propertyName}\``).join(', ');
    this.conversions = columns.flatMap((column) => {
      const convert = conversionOf(column);
      return convert ? [[column.propertyName, convert] as const] : [];
    });
  }

  /** Turns a row that was read with {@link columns} into the entity: a plain object with these properties, and the row no more. */
  read(row: Record<string, unknown>): Pick<Entity, Property> {
    for (const [property, convert] of this.conversions) row[property] = convert(row[property]);
    return row as unknown as Pick<Entity, Property>;
  }
}

function conversionOf(column: ColumnMetadata): Conversion | null {
  const { transformer } = column;
  if (transformer && !Array.isArray(transformer)) return (value) => transformer.from(value);
  if (column.type === 'datetime') return (value) => fromSqlTime(value as string | null);
  if (column.type === 'boolean') return (value) => value === 1;
  return null;
}
