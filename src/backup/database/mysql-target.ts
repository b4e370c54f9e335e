import type { Connection } from 'mysql2/promise';
import type { DataSourceOptions } from 'typeorm';

import { RESTORING_TABLE } from '../../database/index.js';
import type { Cell, SchemaStatement } from '../archive/manifest.js';

import { makeAnew, type TablesToMake } from './made-anew.js';
import type { RestoredNote, RestoreTarget } from './restore-target.js';

/** Rows in one statement: far from what a server takes at once. */
const BATCH = 100;

/** The database of a server. A table that says so stands in it until all is there: no panel starts on half of a database. */
export class MysqlTarget implements RestoreTarget {
  readonly engine = 'mysql';
  private connected: Connection | null = null;

  constructor(
    private readonly url: string,
    private readonly options: DataSourceOptions,
  ) {}

  async isUsed(): Promise<boolean> {
    const names = await this.tables();
    // What a restore left that was interrupted is nobody's data.
    return names.length > 0 && !names.includes(RESTORING_TABLE);
  }

  async begin(schema: readonly SchemaStatement[]): Promise<void> {
    const connection = await this.clear();
    for (const { sql } of schema) await connection.query(sql);
  }

  async beginAnew(tables: TablesToMake): Promise<void> {
    await this.clear();
    await makeAnew(this.options, this.engine, tables);
  }

  async insert(table: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Promise<void> {
    const connection = await this.open();
    const into = `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES ?`;
    for (let at = 0; at < rows.length; at += BATCH) {
      await connection.query(into, [rows.slice(at, at + BATCH).map((row) => row.map(valueOf))]);
    }
  }

  async count(table: string): Promise<number> {
    const [rows] = await (await this.open()).query(`SELECT COUNT(*) AS count FROM ${quoted(table)}`);
    return Number((rows as { count: number }[])[0]!.count);
  }

  async countFrom(table: string, next: bigint): Promise<void> {
    await (await this.open()).query(`ALTER TABLE ${quoted(table)} AUTO_INCREMENT = ${next}`);
  }

  async finish({ madeAt, restoredAt, panel }: RestoredNote): Promise<void> {
    const connection = await this.open();
    await connection.query('INSERT INTO SVC_restored (made_at, restored_at, panel) VALUES (?, ?, ?)', [madeAt, restoredAt, panel]);
    await connection.query(`DROP TABLE ${quoted(RESTORING_TABLE)}`);
  }

  async close(): Promise<void> {
    await this.connected?.end();
    this.connected = null;
  }

  private async clear(): Promise<Connection> {
    const connection = await this.open();
    await connection.query(`CREATE TABLE IF NOT EXISTS ${quoted(RESTORING_TABLE)} (id INT)`);
    for (const name of await this.tables()) if (name !== RESTORING_TABLE) await connection.query(`DROP TABLE ${quoted(name)}`);
    return connection;
  }

  private async tables(): Promise<string[]> {
    const [rows] = await (
      await this.open()
    ).query("SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'");
    return (rows as { name: string }[]).map(({ name }) => name);
  }

  private async open(): Promise<Connection> {
    if (this.connected) return this.connected;
    const { createConnection } = await import('mysql2/promise');
    this.connected = await createConnection({ uri: this.url.replace(/^mariadb:/, 'mysql:'), charset: 'utf8mb4', timezone: 'Z' });
    await this.connected.query(
      "SET SESSION time_zone = '+00:00', foreign_key_checks = 0, unique_checks = 0, sql_mode = 'NO_AUTO_VALUE_ON_ZERO,STRICT_ALL_TABLES'",
    );
    return this.connected;
  }
}

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

function valueOf(cell: Cell): string | number | Buffer | null {
  if (typeof cell !== 'object' || cell === null) return cell;
  return 'base64' in cell ? Buffer.from(cell.base64, 'base64') : cell.integer;
}
