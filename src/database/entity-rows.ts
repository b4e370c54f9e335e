import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

import { fromSqlTime } from './sql-time.js';

type Conversion = (value: unknown) => unknown;

/**
 * Converts statement rows to entities with the same values as TypeORM at a fraction of the cost, because the conversion of each column is
 * determined once instead of per row.
 *
 * @example
 * ```ts
 * const orders = database.entityRows(Order);
 * const rows = await database.query(`SELECT ${orders.columns} FROM …`);
 * return rows.map((row) => orders.read(row));
 * ```
 */
export class EntityRows<Entity extends ObjectLiteral, Property extends keyof Entity = keyof Entity> {
  /** Columns for a `SELECT`, qualified with the table's own name and aliased to the properties. */
  readonly columns: string;
  private readonly conversions: readonly (readonly [property: string, convert: Conversion])[];

  /**
   * @param properties properties to read; default: all those a `SELECT` of the entity reads. Fewer properties are faster than fewer rows.
   * @throws Error if it is not an entity of `dataSource`
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

  /** Converts a row read with {@link columns} to an entity, in place: the row object becomes the entity. */
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
