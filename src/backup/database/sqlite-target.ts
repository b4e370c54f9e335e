import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

import Sqlite from 'better-sqlite3';
import type { DataSourceOptions } from 'typeorm';

import { makeFolders } from '../../common/index.js';
import { quotedName } from '../../database/index.js';
import type { Cell, SchemaStatement } from '../archive/manifest.js';

import { createTables, type TablesToCreate } from './create-tables.js';
import type { RestoredNote, RestoreTarget } from './restore-target.js';

const COMPANIONS = ['', '-wal', '-shm'];

/** A new file next to the database, which replaces it at the end. */
export class SqliteTarget implements RestoreTarget {
  readonly engine = 'sqlite';
  private readonly staged: string;
  private handle: Sqlite.Database | null = null;
  private rest: readonly SchemaStatement[] = [];
  /** Whether the staged file belongs to this restore; one of an interrupted restore marks that restore as unfinished. */
  private isStarted = false;

  constructor(
    private readonly path: string,
    private readonly options: DataSourceOptions,
  ) {
    this.staged = `${path}.restoring`;
  }

  isUsed(): Promise<boolean> {
    return Promise.resolve(existsSync(this.path));
  }

  begin(schema: readonly SchemaStatement[]): Promise<void> {
    this.isStarted = true;
    this.clear();
    this.start();
    for (const { sql } of schema.filter(({ kind }) => kind === 'table')) this.open.exec(sql);
    this.rest = schema.filter(({ kind }) => kind === 'rest');
    return Promise.resolve();
  }

  async beginConversion(tables: TablesToCreate): Promise<void> {
    this.isStarted = true;
    this.clear();
    // Durability is not needed before the file replaces the database.
    const prepareDatabase = (handle: Sqlite.Database): void => void handle.pragma('synchronous = OFF');
    await createTables(
      { ...this.options, database: this.staged, enableWAL: false, prepareDatabase } as DataSourceOptions,
      this.engine,
      tables,
    );
    this.start();
  }

  async insert(table: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Promise<void> {
    // SQLite already created counters for the new tables.
    if (table === 'sqlite_sequence') this.open.exec('DELETE FROM sqlite_sequence');
    const insert = this.open.prepare(
      `INSERT INTO ${quotedName(table)} (${columns.map(quotedName).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of rows) insert.run(...row.map(valueOf));
    await turn();
  }

  count(table: string): Promise<number> {
    return Promise.resolve(
      this.open
        .prepare(`SELECT COUNT(*) FROM ${quotedName(table)}`)
        .pluck()
        .get() as number,
    );
  }

  countFrom(table: string, next: bigint): Promise<void> {
    this.open.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
    this.open.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, next - 1n);
    return Promise.resolve();
  }

  finish({ madeAt, restoredAt, panel }: RestoredNote): Promise<void> {
    for (const { sql } of this.rest) this.open.exec(sql);
    this.open.prepare('INSERT INTO SVC_restored (made_at, restored_at, panel) VALUES (?, ?, ?)').run(madeAt, restoredAt, panel);
    this.open.exec('COMMIT');
    const wrong = this.open.pragma('integrity_check(3)', { simple: true });
    if (wrong !== 'ok') throw new Error(`The integrity check of the restored database failed: ${String(wrong)}`);
    this.open.close();
    this.handle = null;
    const aside = `${this.path}.before-restore-${Date.now()}`;
    for (const end of COMPANIONS) if (existsSync(this.path + end)) renameSync(this.path + end, aside + end);
    try {
      renameSync(this.staged, this.path);
    } catch (error) {
      for (const end of COMPANIONS) if (existsSync(aside + end)) renameSync(aside + end, this.path + end);
      throw error;
    }
    return Promise.resolve();
  }

  isInterrupted(): Promise<boolean> {
    return Promise.resolve(existsSync(this.staged));
  }

  /** Existing data is not touched before {@link finish}. */
  undo(): Promise<boolean> {
    const isBegun = existsSync(this.staged);
    this.handle?.close();
    this.handle = null;
    this.clear();
    return Promise.resolve(isBegun);
  }

  close(): Promise<void> {
    this.handle?.close();
    if (this.isStarted) this.clear();
    return Promise.resolve();
  }

  private clear(): void {
    makeFolders(dirname(this.path), 0o700);
    // Leftovers of an interrupted restore.
    for (const end of ['', '-journal']) rmSync(this.staged + end, { force: true });
  }

  private start(): void {
    this.handle = new Sqlite(this.staged);
    this.handle.pragma('foreign_keys = OFF');
    this.handle.exec('BEGIN');
  }

  private get open(): Sqlite.Database {
    if (!this.handle) throw new Error('The restore has not begun.');
    return this.handle;
  }
}

function valueOf(cell: Cell): unknown {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? BigInt(cell) : cell;
  if (cell === null || typeof cell === 'string') return cell;
  return 'base64' in cell ? Buffer.from(cell.base64, 'base64') : BigInt(cell.integer);
}
