import type { ImportContext, ImportPart } from './import-part.js';
import { type LegacyRow, Left } from './legacy-row.js';

/** What `make` makes of each row; one that cannot be taken goes into the report, by its name. */
export function eachOf<T>(part: ImportPart, rows: readonly LegacyRow[], { report }: ImportContext, make: (row: LegacyRow) => T): T[] {
  return rows.flatMap((row) => {
    try {
      return [make(row)];
    } catch (error) {
      if (!(error instanceof Left)) throw error;
      report.left(part.what, error.message, part.nameOf(row));
      return [];
    }
  });
}

/** The number of a row. @throws Left for what is none */
export function idOf(row: LegacyRow): number {
  const id = row.integer('id');
  if (id < 1) throw new Left('it has no number');
  return id;
}
