import { SEALED_MARK } from '../../config/index.js';
import type { Database, SqlValue } from '../../database/index.js';

/** A column with encrypted values. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly rows: number;
}

interface TextColumn extends Omit<SealedColumn, 'rows'> {
  readonly keys: readonly string[];
  readonly nullable: boolean;
}

const SEALED = `LIKE '${SEALED_MARK}%'`;
const SEALED_WITHIN = `LIKE '%"${SEALED_MARK}%'`;

/** Returns the columns with encrypted values, plain or within JSON, sorted by name. */
export async function sealedColumns(database: Database): Promise<SealedColumn[]> {
  const found: SealedColumn[] = [];
  for (const { table, column } of textColumns(database)) {
    const [row] = await database.query<{ rows: number }>(
      `SELECT COUNT(*) AS \`rows\` FROM \`${table}\` WHERE \`${column}\` ${SEALED} OR \`${column}\` ${SEALED_WITHIN}`,
    );
    if (Number(row!.rows) > 0) found.push({ table, column, rows: Number(row!.rows) });
  }
  return found.sort((a, b) => (`${a.table}.${a.column}` < `${b.table}.${b.column}` ? -1 : 1));
}

/** Clears all encrypted values after the key was lost; other data within JSON stays. Runs within the current transaction. */
export async function clearSealed(database: Database): Promise<void> {
  for (const { table, column, keys, nullable } of textColumns(database)) {
    await database.run(`UPDATE \`${table}\` SET \`${column}\` = ${nullable ? 'NULL' : "''"} WHERE \`${column}\` ${SEALED}`);
    const selected = [...keys, column].map((name) => `\`${name}\``).join(', ');
    const rows = await database.query<Record<string, SqlValue>>(
      `SELECT ${selected} FROM \`${table}\` WHERE \`${column}\` ${SEALED_WITHIN}`,
    );
    for (const row of rows) {
      const cleared = String(row[column]).replace(new RegExp(`"${SEALED_MARK}[\\w-]*"`, 'g'), '""');
      const same = keys.map((name) => `\`${name}\` = ?`).join(' AND ');
      await database.run(`UPDATE \`${table}\` SET \`${column}\` = ? WHERE ${same}`, [cleared, ...keys.map((name) => row[name]!)]);
    }
  }
}

/** Text columns of the panel's own tables, except {@link SiteConfig.secretCheck}, which is not a user's secret. */
function textColumns(database: Database): TextColumn[] {
  return database.dataSource.entityMetadatas.flatMap((entity) =>
    entity.columns
      .filter((column) => ['varchar', 'text'].includes(String(column.type)) && column.databaseName !== 'secret_check')
      .map((column) => ({
        table: entity.tableName,
        column: column.databaseName,
        keys: entity.primaryColumns.map((key) => key.databaseName),
        nullable: column.isNullable,
      })),
  );
}
