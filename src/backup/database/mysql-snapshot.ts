import type { Connection, RowDataPacket } from 'mysql2';

import { isOfRestore, quotedName } from '../../database/index.js';
import type { Cell, SchemaStatement, TableDescription } from '../archive/manifest.js';

import type { DatabaseSnapshot, TableShape } from './snapshot.js';

/** Rows per batch. */
const SLICE = 200;
/** How long the server waits for a slow reader, in seconds. */
const WRITE_TIMEOUT_SECONDS = 86_400;
/** The server's description of a generated column. */
const COMPUTED = /\b(VIRTUAL|STORED|PERSISTENT) GENERATED\b|^(VIRTUAL|STORED|PERSISTENT)\b/i;
const BINARY = new Set(['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob', 'bit', 'geometry']);

/** A read transaction with InnoDB's consistent snapshot. */
export class MysqlSnapshot implements DatabaseSnapshot {
  readonly engine = 'mysql';
  private readonly binary = new Map<string, ReadonlySet<string>>();
  private isMariadb = false;

  private constructor(private readonly connection: Connection) {}

  static async open(url: string): Promise<MysqlSnapshot> {
    const { createConnection } = await import('mysql2');
    const snapshot = new MysqlSnapshot(
      createConnection({ uri: url.replace(/^mariadb:/, 'mysql:'), charset: 'utf8mb4', timezone: 'Z', dateStrings: true }),
    );
    // A connection error fails the running query; without a listener it would crash the process.
    snapshot.connection.on('error', () => undefined);
    try {
      await snapshot.query("SET SESSION time_zone = '+00:00', net_write_timeout = ?, sql_quote_show_create = 1", [WRITE_TIMEOUT_SECONDS]);
      const [server] = await snapshot.query<{ version: string }>('SELECT VERSION() AS version');
      snapshot.isMariadb = /mariadb/i.test(server!.version);
      await snapshot.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await snapshot.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
      return snapshot;
    } catch (error) {
      snapshot.connection.destroy();
      throw error;
    }
  }

  async schema(): Promise<readonly SchemaStatement[]> {
    const statements: SchemaStatement[] = [];
    for (const { name } of await this.tables()) {
      const [row] = await this.query<Record<'Create Table', string>>(`SHOW CREATE TABLE ${quotedName(name)}`);
      const sql = row!['Create Table'];
      statements.push({ kind: 'table', sql, table: await this.describe(name, sql) });
    }
    return statements;
  }

  async tables(): Promise<readonly TableShape[]> {
    const rows = await this.query<{ t: string; c: string; d: string; e: string }>(
      `SELECT c.table_name AS t, c.column_name AS c, c.data_type AS d, c.extra AS e FROM information_schema.columns c
       JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
       WHERE c.table_schema = DATABASE() ORDER BY c.table_name, c.ordinal_position`,
    );
    const tables = new Map<string, string[]>();
    for (const { t, c, d, e } of rows.filter(({ t: name }) => !isOfRestore(name))) {
      const columns = tables.get(t) ?? [];
      tables.set(t, columns);
      // Generated columns are computed by the server and not inserted.
      if (!COMPUTED.test(e)) columns.push(c);
      if (BINARY.has(d.toLowerCase())) this.binary.set(t, new Set([...(this.binary.get(t) ?? []), c]));
    }
    return [...tables].map(([name, columns]) => ({ name, columns }));
  }

  async *rows({ name, columns }: TableShape): AsyncGenerator<readonly (readonly Cell[])[]> {
    const binary = this.binary.get(name) ?? new Set<string>();
    const stream = this.connection
      .query({
        sql: `SELECT ${columns.map(quotedName).join(', ')} FROM ${quotedName(name)}`,
        rowsAsArray: true,
        typeCast: (field) => {
          if (!binary.has(field.name)) return field.string('utf8');
          const bytes = field.buffer();
          return bytes && { base64: bytes.toString('base64') };
        },
      })
      .stream({ highWaterMark: SLICE });
    let slice: Cell[][] = [];
    for await (const row of stream as AsyncIterable<Cell[]>) {
      slice.push(row);
      if (slice.length < SLICE) continue;
      yield slice;
      slice = [];
    }
    if (slice.length > 0) yield slice;
  }

  close(): Promise<void> {
    // Does not wait for a pending query.
    this.connection.destroy();
    return Promise.resolve();
  }

  /** Describes a table independently of the engine. @param sql its CREATE statement */
  private async describe(name: string, sql: string): Promise<TableDescription> {
    const of = 'WHERE table_schema = DATABASE() AND table_name = ?';
    const columns = await this.query<{ n: string; t: string; nullable: string; d: string | null; e: string; k: string }>(
      `SELECT column_name AS n, column_type AS t, is_nullable AS nullable, column_default AS d, extra AS e, column_key AS k
       FROM information_schema.columns ${of} ORDER BY ordinal_position`,
      [name],
    );
    const parts = await this.query<{ i: string; c: string | null; other: number; part: number | null }>(
      `SELECT index_name AS i, column_name AS c, non_unique AS other, sub_part AS part FROM information_schema.statistics
       ${of} AND index_name <> 'PRIMARY' ORDER BY index_name, seq_in_index`,
      [name],
    );
    const triggers = await this.query<{ n: string }>(
      'SELECT trigger_name AS n FROM information_schema.triggers WHERE trigger_schema = DATABASE() AND event_object_table = ?',
      [name],
    );
    return {
      name,
      columns: columns
        .filter(({ e }) => !COMPUTED.test(e))
        .map(({ n, t, nullable, d, e, k }) => ({
          name: n,
          type: t,
          isNullable: nullable === 'YES',
          default: defaultOf(d, e, this.isMariadb),
          isPrimary: k === 'PRI',
          isCounted: /auto_increment/i.test(e),
        })),
      indexes: [...new Set(parts.map(({ i }) => i))].map((index) => {
        const all = parts.filter(({ i }) => i === index);
        return { name: index, columns: all.map(({ c }) => c ?? ''), isUnique: Number(all[0]!.other) === 0 };
      }),
      peculiar: [
        // MariaDB adds one for each JSON column.
        ...(/\bCHECK\s*\(/i.test(sql.replace(/CHECK \(json_valid\([^)]*\)\)/gi, '')) ? ['a CHECK'] : []),
        ...(/\bFOREIGN KEY\s*\(/.test(sql) ? ['a foreign key'] : []),
        ...columns.filter(({ e }) => COMPUTED.test(e)).map(({ n }) => `the computed column ${n}`),
        ...columns.filter(({ e }) => /on update/i.test(e)).map(({ n }) => `the column ${n}, which has ON UPDATE`),
        // A unique key over a prefix is not equivalent to one over the whole text.
        ...parts.filter(({ c, part, other }) => c === null || (part !== null && Number(other) === 0)).map(({ i }) => `the index ${i}`),
        ...triggers.map(({ n }) => `the trigger ${n}`),
      ],
    };
  }

  private query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.connection.query<RowDataPacket[]>(sql, [...values], (error, rows) =>
        error ? reject(error) : resolve(rows as unknown as Row[]),
      );
    });
  }
}

/** Default as SQL: MariaDB returns it quoted, MySQL without quotes. */
function defaultOf(value: string | null, extra: string, isMariadb: boolean): string | null {
  if (value === null || isMariadb || /DEFAULT_GENERATED/i.test(extra)) return value;
  return `'${value.replaceAll("'", "''")}'`;
}
