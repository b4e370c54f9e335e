import type { Connection } from 'mysql2/promise';

import { ASIDE_PREFIX, dropSetAside, isOfRestore, quotedName, RESTORED_TABLE, RESTORING_TABLE } from '../../database/index.js';

/** Journal of the old tables, written before any change. */
interface JournalEntry {
  /** `listed`: the journal is complete; `table`: a table and its temporary name; `key`: SQL that recreates a foreign key. */
  readonly kind: 'listed' | 'table' | 'key';
  readonly name: string;
  readonly other: string;
  readonly made: string;
}

/** A foreign key in `SHOW CREATE TABLE`: name, and the rest of the line. */
const FOREIGN_KEY = /^\s*CONSTRAINT `((?:[^`]|``)+)` (FOREIGN KEY .*?),?$/gm;

/**
 * Tables of a server database that a restore replaces. They are renamed, not dropped, until the restore is complete; if it ends earlier in
 * any way, including a killed process, {@link rollBack} recovers them.
 */
export class SetAside {
  constructor(private readonly connection: Connection) {}

  /** Returns the data tables, whoever created them. */
  async tables(): Promise<string[]> {
    return (await this.all()).filter((name) => !isOfRestore(name));
  }

  /** Whether a restore was started here and not completed. */
  async isInterrupted(): Promise<boolean> {
    return (await this.all()).some(isRestoring);
  }

  /** Whether the database contains user data, in place or set aside; tables created by an interrupted restore do not count. */
  async isUsed(): Promise<boolean> {
    if (!(await this.isInterrupted())) return (await this.tables()).length > 0;
    return (await this.journal()).some(({ kind }) => kind === 'table');
  }

  /** Renames all tables, after undoing an earlier interrupted restore. */
  async begin(): Promise<void> {
    await this.rollBack();
    await dropSetAside(await this.all(), (sql) => this.connection.query(sql));
    const tables = await this.tables();
    const keys: JournalEntry[] = [];
    for (const name of tables) keys.push(...(await this.keysOf(name)));
    const named = tables.map((name, index): JournalEntry => ({ kind: 'table', name, other: `${ASIDE_PREFIX}${index + 1}`, made: '' }));
    await this.connection.query(
      `CREATE TABLE ${quotedName(RESTORING_TABLE)} (kind VARCHAR(8), name VARCHAR(64), other VARCHAR(64),
        made TEXT) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`,
    );
    // One statement, so that the journal is either complete or nothing was changed.
    await this.connection.query(`INSERT INTO ${quotedName(RESTORING_TABLE)} (kind, name, other, made) VALUES ?`, [
      [...keys, ...named, { kind: 'listed', name: '', other: '', made: '' }].map(({ kind, name, other, made }) => [
        kind,
        name,
        other,
        made,
      ]),
    ]);
    // Foreign key names are unique per database; the restored tables need them.
    for (const { name, other } of keys)
      await this.connection.query(`ALTER TABLE ${quotedName(name)} DROP FOREIGN KEY ${quotedName(other)}`);
    if (named.length > 0)
      await this.connection.query(
        `RENAME TABLE ${named.map(({ name, other }) => `${quotedName(name)} TO ${quotedName(other)}`).join(', ')}`,
      );
  }

  /**
   * Recovers the state before {@link begin}, wherever the restore was interrupted.
   *
   * @returns whether there was anything to put back
   */
  async rollBack(): Promise<boolean> {
    if (!(await this.isInterrupted())) return false;
    const journal = await this.journal();
    // Without a complete journal nothing was changed.
    if (journal.some(({ kind }) => kind === 'listed')) await this.restore(journal);
    else if (await this.isOlder()) await this.dropAll(await this.tables());
    await this.connection.query(`DROP TABLE ${quotedName(RESTORING_TABLE)}`);
    return true;
  }

  /** Completes the restore and drops the old tables. */
  async end(): Promise<void> {
    // From here on a panel may start; it also drops leftovers.
    await this.connection.query(`RENAME TABLE ${quotedName(RESTORING_TABLE)} TO ${quotedName(RESTORED_TABLE)}`);
    await dropSetAside(await this.all(), (sql) => this.connection.query(sql));
  }

  private async restore(journal: readonly JournalEntry[]): Promise<void> {
    const existing = new Set(await this.all());
    const old = journal.filter(({ kind }) => kind === 'table');
    const made = (await this.tables()).filter((name) => !old.some((table) => table.name === name) || existing.has(asideOf(old, name)));
    await this.dropAll(made);
    const aside = old.filter(({ other }) => existing.has(other));
    for (const { name, other } of aside) await this.connection.query(`RENAME TABLE ${quotedName(other)} TO ${quotedName(name)}`);
    for (const { name, other, made: sql } of journal.filter(({ kind }) => kind === 'key')) {
      if ((await this.keysOf(name)).some((key) => key.other === other)) continue;
      await this.connection.query(`ALTER TABLE ${quotedName(name)} ADD CONSTRAINT ${quotedName(other)} ${sql}`);
    }
  }

  private async dropAll(tables: readonly string[]): Promise<void> {
    for (const name of tables) await this.connection.query(`DROP TABLE ${quotedName(name)}`);
  }

  /** Whether an older version started the restore: it dropped the old tables, so the existing ones are incomplete. */
  private async isOlder(): Promise<boolean> {
    const [columns] = await this.connection.query(`SHOW COLUMNS FROM ${quotedName(RESTORING_TABLE)}`);
    return !(columns as { Field: string }[]).some(({ Field }) => Field === 'kind');
  }

  private async journal(): Promise<JournalEntry[]> {
    if (await this.isOlder()) return [];
    const [rows] = await this.connection.query(`SELECT kind, name, other, made FROM ${quotedName(RESTORING_TABLE)}`);
    return rows as JournalEntry[];
  }

  private async keysOf(table: string): Promise<JournalEntry[]> {
    const [rows] = await this.connection.query(`SHOW CREATE TABLE ${quotedName(table)}`);
    const sql = (rows as Record<string, string>[])[0]!['Create Table'] ?? '';
    return [...sql.matchAll(FOREIGN_KEY)].map(([, name = '', made = '']): JournalEntry => ({
      kind: 'key',
      name: table,
      other: name.replaceAll('``', '`'),
      made,
    }));
  }

  private async all(): Promise<string[]> {
    const [rows] = await this.connection.query(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ' +
        "AND table_type = 'BASE TABLE' ORDER BY table_name",
    );
    return (rows as { name: string }[]).map(({ name }) => name);
  }
}

const isRestoring = (name: string): boolean => name.toLowerCase() === RESTORING_TABLE.toLowerCase();

const asideOf = (old: readonly JournalEntry[], name: string): string => old.find((table) => table.name === name)?.other ?? '';
