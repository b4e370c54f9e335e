import { DumpError } from './dump-error.js';
import { decoderOf, dumpText } from './dump-file.js';
import type { DumpEvent } from './dump-event.js';
import { DumpParser } from './dump-parser.js';
import { LegacyRow } from './legacy-row.js';

/** A table in a dump. */
export interface DumpTable {
  /** Name as in the dump. */
  readonly name: string;
  /** Lower case; empty if the dump has only data without column names. */
  readonly columns: readonly string[];
}

/** A dump file. It is read from the start each time; nothing is cached. */
export class Dump {
  constructor(private readonly path: string) {}

  /** Returns all tables created or filled by the dump, by lower-case name. @throws DumpError */
  async tables(): Promise<Map<string, DumpTable>> {
    const tables = new Map<string, DumpTable>();
    let encoding: string | null = null;
    for await (const event of eventsOf(this.path, (table) => !tables.get(table.toLowerCase())?.columns.length)) {
      if (event.kind === 'charset') {
        const decoder = decoderOf(event.name);
        if ((encoding ??= decoder) !== decoder)
          throw new DumpError(`The dump switches to the character set ${event.name} in the middle. Export it with a single character set.`);
        continue;
      }
      const columns = (event.columns ?? []).map((column) => column.toLowerCase());
      tables.set(event.table.toLowerCase(), { name: event.table, columns });
    }
    return tables;
  }

  /** Streams the rows of some tables. @throws DumpError if a row's number of values does not match the columns */
  async *rows(wanted: ReadonlyMap<string, DumpTable>): AsyncGenerator<{ table: string; row: LegacyRow }> {
    for await (const event of eventsOf(this.path, (table) => wanted.has(table.toLowerCase()))) {
      if (event.kind !== 'row') continue;
      const table = event.table.toLowerCase();
      const columns = event.columns?.map((column) => column.toLowerCase()) ?? wanted.get(table)!.columns;
      if (columns.length !== event.values.length)
        throw new DumpError(
          columns.length === 0
            ? `The dump has rows of ${event.table}, but neither its columns nor its CREATE TABLE. Export the dump with the ` +
                'structure of the tables.'
            : `A row of ${event.table} in the dump has ${event.values.length} values for ${columns.length} columns.`,
        );
      yield { table, row: new LegacyRow(columns, event.values) };
    }
  }
}

async function* eventsOf(path: string, isWanted: (table: string) => boolean): AsyncGenerator<DumpEvent> {
  const reading = new DumpParser(isWanted).read();
  let step = reading.next();
  const ready = function* (): Generator<DumpEvent> {
    for (; !step.done && step.value !== null; step = reading.next()) yield step.value;
  };
  yield* ready();
  for await (const text of dumpText(path)) {
    if (text === '') continue;
    step = reading.next(text);
    yield* ready();
  }
  if (!step.done) step = reading.next(null);
  yield* ready();
}
