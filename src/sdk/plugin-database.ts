/**
 * The result of a write statement of {@link PluginDatabase}.
 *
 * @example
 * ```ts
 * const { affected }: WriteResult = await svc.db.run('UPDATE {coupon} SET price = ? WHERE code = ?', [880, 'A1']);
 * if (affected === 0) svc.log.warn('there is no such coupon');
 * ```
 * @since 1.84.0
 */
export interface WriteResult {
  affected: number;
  insertId: number;
}

/**
 * A column of a plugin's table.
 *
 * @example
 * ```ts
 * const price: PluginColumn = { name: 'price', type: 'money', default: 0 };
 * await svc.db.migrate([{ id: '002', up: (schema) => schema.addColumn('coupon', price) }]);
 * ```
 * @since 1.84.0
 */
export interface PluginColumn {
  name: string;
  type: 'integer' | 'bigint' | 'string' | 'text' | 'boolean' | 'datetime' | 'money';
  /** Maximum length in characters, for `string`: 1 to 255. */
  length?: number;
  nullable?: boolean;
  default?: string | number | boolean | null;
}

/**
 * An index on columns of a table, in this order.
 *
 * @example
 * ```ts
 * const byCode: PluginIndex = { columns: ['code'], unique: true };
 * await svc.db.migrate([{ id: '003', up: (schema) => schema.addIndex('coupon', byCode) }]);
 * ```
 * @since 1.84.0
 */
export interface PluginIndex {
  columns: string[];
  unique?: boolean;
}

/**
 * A table of the plugin; its full name is `SVC_plg_<slug>_<name>`, and it gets an `id` column automatically.
 *
 * @example
 * ```ts
 * const coupon: PluginTable = {
 *   name: 'coupon',
 *   columns: [{ name: 'code', type: 'string', length: 32 }, { name: 'price', type: 'money' }],
 *   indexes: [{ columns: ['code'], unique: true }],
 * };
 * await svc.db.migrate([{ id: '001', up: (schema) => schema.createTable(coupon) }]);
 * ```
 * @since 1.84.0
 */
export interface PluginTable {
  name: string;
  columns: PluginColumn[];
  indexes?: PluginIndex[];
}

/**
 * The record that a change passed to {@link PluginDatabase.noteChange} belongs to.
 *
 * @example
 * ```ts
 * const coupon: ChangeSubject = { of: 'coupon', id: 12, secret: ['code'] };
 * svc.db.noteChange(coupon, { code: 'A1', price: '9.90' }, { code: 'B2', price: '8.80' });
 * ```
 * @since 1.84.0
 */
export interface ChangeSubject {
  /**
   * Kind of record, `[a-z][a-z0-9_]{0,31}`: the plugin's texts `subject.<of>` (with the placeholder `{id}`) and `changed.<field>` are the
   * display names of the record and its fields.
   */
  of: string;
  /** Id of the record, at most 60 characters; omit it if there is only one. */
  id?: string | number;
  /** Fields whose values are never logged, in addition to those named like a password, secret, token, hash or key. */
  secret?: readonly string[];
}

/**
 * The plugin's own tables. SQL refers to them as `{name}`, which becomes the full, quoted name; parameters are `?`. The class is also the
 * injection token.
 *
 * @example
 * ```ts
 * await svc.db.transaction(async () => {
 *   await svc.db.run('INSERT INTO {coupon} (code, price) VALUES (?, ?)', ['A1', 990]);
 *   await svc.db.run('UPDATE {coupon} SET price = price - 100 WHERE code = ?', ['B2']);
 * });
 * const cheap = await svc.db.query<{ code: string }>('SELECT code FROM {coupon} WHERE price < ?', [1_000]);
 * ```
 * @since 1.84.0
 */
export abstract class PluginDatabase {
  /**
   * Runs each step once, in the order of its id. A step that throws, or during which the process ends, leaves no changes behind: it is
   * undone, at the latest before it runs again.
   *
   * @throws Error naming the step, if it writes rows before it changes tables, or changes tables with SQL and has no `down`
   * @example
   * ```ts
   * await svc.db.migrate([
   *   { id: '001', up: (schema) => schema.createTable({ name: 'coupon', columns: [{ name: 'code', type: 'string', length: 32 }] }) },
   *   { id: '002', up: (schema) => schema.addColumn('coupon', { name: 'price', type: 'money', default: 0 }) },
   * ]);
   * ```
   * @since 1.84.0
   */
  abstract migrate(steps: MigrationStep[]): Promise<void>;
  /**
   * Returns the rows of a `SELECT`; inside a transaction it sees that transaction's writes.
   *
   * @example
   * ```ts
   * const rows = await svc.db.query<{ code: string; price: number }>('SELECT code, price FROM {coupon} WHERE price > ?', [100]);
   * for (const { code, price } of rows) svc.log.debug(code, { price: amountText(price) });
   * ```
   * @since 1.84.0
   */
  abstract query<T = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<T[]>;
  /**
   * Runs one statement that changes rows.
   *
   * @example
   * ```ts
   * const { insertId } = await svc.db.run('INSERT INTO {coupon} (code, price) VALUES (?, ?)', ['A1', 990]);
   * const { affected } = await svc.db.run('UPDATE {coupon} SET price = ? WHERE id = ?', [880, insertId]);
   * ```
   * @since 1.84.0
   */
  abstract run(sql: string, params?: unknown[]): Promise<WriteResult>;
  /**
   * Runs `work` in a transaction: commits everything or nothing. Keep network calls out of it.
   *
   * @example
   * ```ts
   * const isTaken = await svc.db.transaction(async () => {
   *   const { affected } = await svc.db.run('UPDATE {coupon} SET host_id = ? WHERE code = ? AND host_id IS NULL', [7, 'A1']);
   *   if (affected === 0) return false;
   *   await svc.db.run('INSERT INTO {taken} (code, host_id) VALUES (?, ?)', ['A1', 7]);
   *   return true;
   * });
   * ```
   * @since 1.84.0
   */
  abstract transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Records a change of a record, for the entry that the current operation or route writes to the operation log: it shows the old and new
   * value of each changed field. Does nothing if no log entry is written, or if the open transaction is rolled back. Pass the values read
   * in the transaction that writes.
   *
   * Values are strings, numbers, booleans and dates; others are logged as JSON. The log keeps 200 characters of a string, and 8 KB and 20
   * records per entry; of a secret it only says that it was changed.
   *
   * @param before the previous values, by field name; null for a new record
   * @param after the new values, or only the fields that were written; null for a deleted record
   * @throws Error for an invalid subject; never because of a value
   * @example
   * ```ts
   * await svc.db.transaction(async () => {
   *   const [before] = await svc.db.query('SELECT price FROM {coupon} WHERE code = ?', ['A1']);
   *   await svc.db.run('UPDATE {coupon} SET price = ? WHERE code = ?', [880, 'A1']);
   *   svc.db.noteChange({ of: 'coupon', id: 'A1' }, before ?? null, { price: 880 });
   * });
   * ```
   * @since 1.84.0
   */
  abstract noteChange(subject: ChangeSubject, before: object | null, after: object | null): void;
}

/**
 * One step in creating the tables of this version.
 *
 * @example
 * ```ts
 * const rename: MigrationStep = {
 *   id: '004',
 *   up: async () => void (await svc.db.run('ALTER TABLE {coupon} RENAME COLUMN price TO fen')),
 *   down: async () => void (await svc.db.run('ALTER TABLE {coupon} RENAME COLUMN fen TO price').catch(() => undefined)),
 * };
 * await svc.db.migrate([rename]);
 * ```
 * @since 1.84.0
 */
export interface MigrationStep {
  /** Id of 1 to 120 letters, digits, `_ . -`; steps run in order of id. */
  id: string;
  /** Changes tables first and writes rows afterwards: MySQL commits implicitly at each change of a table. */
  up: (schema: PluginSchema) => Promise<void>;
  /**
   * Undoes what `up` changed with SQL of its own, such as renaming a column; tables, columns and indexes created through the schema, and
   * rows, are undone automatically. Called if `up` did not complete, so it must work whether or not the change was made.
   */
  down?: (schema: PluginSchema) => Promise<void>;
}

/**
 * What a migration step may do.
 *
 * @example
 * ```ts
 * const addNotes = async (schema: PluginSchema): Promise<void> => {
 *   await schema.createTable({ name: 'note', columns: [{ name: 'text', type: 'text' }] });
 *   await schema.addColumn('note', { name: 'pinned', type: 'boolean', default: false });
 * };
 * await svc.db.migrate([{ id: '001', up: addNotes }]);
 * ```
 * @since 1.84.0
 */
export interface PluginSchema {
  /**
   * Creates a table with its indexes.
   *
   * @throws Error if the table already exists
   * @example
   * ```ts
   * const columns: PluginColumn[] = [{ name: 'code', type: 'string', length: 32 }, { name: 'price', type: 'money' }];
   * const coupon = { name: 'coupon', columns, indexes: [{ columns: ['code'], unique: true }] };
   * await svc.db.migrate([{ id: '001', up: (schema) => schema.createTable(coupon), down: (schema) => schema.dropTable('coupon') }]);
   * ```
   * @since 1.84.0
   */
  createTable(table: PluginTable): Promise<void>;
  /**
   * Adds a column to a table.
   *
   * @throws Error if the column already exists
   * @example
   * ```ts
   * await svc.db.migrate([
   *   { id: '002', up: (schema) => schema.addColumn('coupon', { name: 'used_at', type: 'datetime', nullable: true }) },
   * ]);
   * ```
   * @since 1.84.0
   */
  addColumn(table: string, column: PluginColumn): Promise<void>;
  /**
   * Adds an index to an existing table.
   *
   * @throws Error if an index on these columns exists, or if `unique` is set and rows have duplicate values
   * @example
   * ```ts
   * await svc.db.migrate([{ id: '003', up: (schema) => schema.addIndex('coupon', { columns: ['price'], unique: false }) }]);
   * ```
   * @since 1.84.0
   */
  addIndex(table: string, index: PluginIndex): Promise<void>;
  /**
   * Drops a table; does nothing if it does not exist. In `up` this runs after the step has completed, because a dropped table cannot be
   * restored.
   *
   * @example
   * ```ts
   * await svc.db.migrate([{ id: '009', up: (schema) => schema.dropTable('coupon_log') }]);
   * ```
   * @since 1.84.0
   */
  dropTable(table: string): Promise<void>;
}
