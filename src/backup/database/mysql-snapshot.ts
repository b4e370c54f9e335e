import type { Connection, RowDataPacket } from 'mysql2';

import type { Cell, SchemaStatement } from '../archive/manifest.js';

import type { DatabaseSnapshot, TableShape } from './snapshot.js';

/** Rows handed on at once. */
const SLICE = 200;
/** How long the server waits for a reader that writes to a slow place, in seconds. */
const PATIENCE_SECONDS = 86_400;
const BINARY = new Set(['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob', 'bit', 'geometry']);

/** A transaction that sees the database as it was when it began (InnoDB's consistent snapshot). */
export class MysqlSnapshot implements DatabaseSnapshot {
  readonly engine = 'mysql';
  private readonly binary = new Map<string, ReadonlySet<string>>();

  private constructor(private readonly connection: Connection) {}

  static async open(url: string): Promise<MysqlSnapshot> {
    const { createConnection } = await import('mysql2');
    const snapshot = new MysqlSnapshot(
      createConnection({ uri: url.replace(/^mariadb:/, 'mysql:'), charset: 'utf8mb4', timezone: 'Z', dateStrings: true }),
    );
    // One that breaks fails the query under way; without a listener it would end the process.
    snapshot.connection.on('error', () => undefined);
    try {
      await snapshot.query("SET SESSION time_zone = '+00:00', net_write_timeout = ?, sql_quote_show_create = 1", [PATIENCE_SECONDS]);
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
      const [row] = await this.query<Record<'Create Table', string>>(`SHOW CREATE TABLE ${quoted(name)}`);
      statements.push({ kind: 'table', sql: row!['Create Table'] });
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
    for (const { t, c, d, e } of rows) {
      const columns = tables.get(t) ?? [];
      tables.set(t, columns);
      // The server computes the others itself.
      if (!/\b(VIRTUAL|STORED|PERSISTENT) GENERATED\b|^(VIRTUAL|STORED|PERSISTENT)\b/i.test(e)) columns.push(c);
      if (BINARY.has(d.toLowerCase())) this.binary.set(t, new Set([...(this.binary.get(t) ?? []), c]));
    }
    return [...tables].map(([name, columns]) => ({ name, columns }));
  }

  async *rows({ name, columns }: TableShape): AsyncGenerator<readonly (readonly Cell[])[]> {
    const binary = this.binary.get(name) ?? new Set<string>();
    const stream = this.connection
      .query({
        sql: `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)}`,
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
    // What is still being read is not waited for.
    this.connection.destroy();
    return Promise.resolve();
  }

  private query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.connection.query<RowDataPacket[]>(sql, [...values], (error, rows) =>
        error ? reject(error) : resolve(rows as unknown as Row[]),
      );
    });
  }
}

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
