import type { Connection } from 'mysql2/promise';
import type { DataSourceOptions } from 'typeorm';

import { quotedName } from '../../database/index.js';
import type { Cell, SchemaStatement } from '../archive/manifest.js';

import { createTables, type TablesToCreate } from './create-tables.js';
import type { RestoredNote, RestoreTarget } from './restore-target.js';
import { SetAside } from './set-aside.js';

/** Rows per statement, well below the server's packet limit. */
const BATCH = 100;

/**
 * A server database as restore target. Existing tables are set aside, and a marker table exists until the restore is complete, so that no
 * panel starts on a half-restored database.
 */
export class MysqlTarget implements RestoreTarget {
  readonly engine = 'mysql';
  private connected: Connection | null = null;
  /** Whether tables were set aside and the restore is not complete. */
  private isStarted = false;

  constructor(
    private readonly url: string,
    private readonly options: DataSourceOptions,
  ) {}

  async isUsed(): Promise<boolean> {
    return new SetAside(await this.open()).isUsed();
  }

  async begin(schema: readonly SchemaStatement[]): Promise<void> {
    const connection = await this.clear();
    for (const { sql } of schema) await connection.query(sql);
  }

  async beginConversion(tables: TablesToCreate): Promise<void> {
    await this.clear();
    await createTables(this.options, this.engine, tables);
  }

  async insert(table: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Promise<void> {
    const connection = await this.open();
    const into = `INSERT INTO ${quotedName(table)} (${columns.map(quotedName).join(', ')}) VALUES ?`;
    for (let at = 0; at < rows.length; at += BATCH) {
      await connection.query(into, [rows.slice(at, at + BATCH).map((row) => row.map(valueOf))]);
    }
  }

  async count(table: string): Promise<number> {
    const [rows] = await (await this.open()).query(`SELECT COUNT(*) AS count FROM ${quotedName(table)}`);
    return Number((rows as { count: number }[])[0]!.count);
  }

  async countFrom(table: string, next: bigint): Promise<void> {
    await (await this.open()).query(`ALTER TABLE ${quotedName(table)} AUTO_INCREMENT = ${next}`);
  }

  async finish({ madeAt, restoredAt, panel }: RestoredNote): Promise<void> {
    const connection = await this.open();
    await connection.query('INSERT INTO SVC_restored (made_at, restored_at, panel) VALUES (?, ?, ?)', [madeAt, restoredAt, panel]);
    this.isStarted = false;
    await new SetAside(connection).end();
  }

  async isInterrupted(): Promise<boolean> {
    return new SetAside(await this.open()).isInterrupted();
  }

  async undo(): Promise<boolean> {
    this.isStarted = false;
    return new SetAside(await this.open()).rollBack();
  }

  async close(): Promise<void> {
    try {
      if (this.isStarted) await this.undo();
    } finally {
      await this.connected?.end().catch(() => undefined);
      this.connected = null;
    }
  }

  private async clear(): Promise<Connection> {
    const connection = await this.open();
    this.isStarted = true;
    await new SetAside(connection).begin();
    return connection;
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

function valueOf(cell: Cell): string | number | Buffer | null {
  if (typeof cell !== 'object' || cell === null) return cell;
  return 'base64' in cell ? Buffer.from(cell.base64, 'base64') : cell.integer;
}
