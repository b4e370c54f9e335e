import type { QueryRunner } from 'typeorm';

/** Number of writes to a table by this process, by type; counted at the commit. */
export interface TableWrites {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

type Kind = keyof TableWrites;

/** Effect of a statement text. */
interface Write {
  /** Null: possibly any table. */
  readonly table: string | null;
  readonly kinds: readonly Kind[];
}

const MAX_TEXTS = 2_000;
const EVERY_KIND: readonly Kind[] = ['inserted', 'updated', 'deleted'];
const HARMLESS = /^\s*(select|show|explain|pragma|begin|start|commit|rollback|savepoint|release|set|use|analyze)\b/i;
const INTO_TABLE = /^\s*(insert|replace|update|delete)\b[^`"]*?[`"]([^`"]+)[`"]/i;
const UPSERT = /\bon (conflict|duplicate key)\b/i;

/**
 * Observes all writes of this process, including TypeORM's, to invalidate data derived from tables. Does not see writes of other processes
 * or foreign key cascades.
 */
export class TableWriteCounter {
  private readonly tables = new Map<string, Record<Kind, number>>();
  private readonly texts = new Map<string, Write | null>();
  private readonly open = new WeakMap<object, Set<Write>>();

  /** Returns the live counters of a table; always the same object. */
  of(table: string): TableWrites {
    return this.numbersOf(table);
  }

  /** @param transaction the open transaction, if any */
  wrote(sql: string, transaction: object | null): void {
    const write = this.read(sql);
    if (!write) return;
    if (!transaction) return this.count(write);
    const writes = this.open.get(transaction);
    if (writes) writes.add(write);
    else this.open.set(transaction, new Set([write]));
  }

  committed(transaction: object): void {
    for (const write of this.open.get(transaction) ?? []) this.count(write);
    this.open.delete(transaction);
  }

  rolledBack(transaction: object): void {
    this.open.delete(transaction);
  }

  private count({ table, kinds }: Write): void {
    for (const numbers of table === null ? this.tables.values() : [this.numbersOf(table)]) {
      for (const kind of kinds) numbers[kind] += 1;
    }
  }

  private numbersOf(table: string): Record<Kind, number> {
    let numbers = this.tables.get(table);
    if (!numbers) this.tables.set(table, (numbers = { inserted: 0, updated: 0, deleted: 0 }));
    return numbers;
  }

  private read(sql: string): Write | null {
    let write = this.texts.get(sql);
    if (write === undefined) {
      write = readWrite(sql);
      if (this.texts.size >= MAX_TEXTS) this.texts.clear();
      this.texts.set(sql, write);
    }
    return write;
  }
}

function readWrite(sql: string): Write | null {
  if (HARMLESS.test(sql)) return null;
  const [, verb, table] = INTO_TABLE.exec(sql) ?? [];
  switch (verb?.toLowerCase()) {
    case 'insert':
      if (/^\s*insert or replace\b/i.test(sql)) return { table: table!, kinds: EVERY_KIND };
      return { table: table!, kinds: UPSERT.test(sql) ? ['inserted', 'updated'] : ['inserted'] };
    case 'update':
      return { table: table!, kinds: ['updated'] };
    case 'delete':
      return { table: table!, kinds: ['deleted'] };
    case 'replace':
      return { table: table!, kinds: EVERY_KIND };
    default:
      return { table: null, kinds: EVERY_KIND };
  }
}

/** Reports all writes through `runner` to `counter`. */
export function countWrites<Runner extends QueryRunner>(runner: Runner, counter: TableWriteCounter): Runner {
  const query = runner.query.bind(runner) as (sql: string, ...rest: unknown[]) => Promise<never>;
  const commit = runner.commitTransaction.bind(runner);
  const rollback = runner.rollbackTransaction.bind(runner);
  runner.query = async (sql: string, ...rest: unknown[]) => {
    const result = await query(sql, ...rest);
    counter.wrote(sql, runner.isTransactionActive ? runner : null);
    return result;
  };
  runner.commitTransaction = async () => {
    await commit();
    // A nested transaction ends with a savepoint; only the outer one decides.
    if (!runner.isTransactionActive) counter.committed(runner);
  };
  runner.rollbackTransaction = async () => {
    await rollback();
    if (!runner.isTransactionActive) counter.rolledBack(runner);
  };
  return runner;
}
