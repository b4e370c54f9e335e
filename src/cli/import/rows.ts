import type { ImportContext, ImportPart } from './import-part.js';
import { type LegacyRow, SkippedRow } from './legacy-row.js';

/** Converts each row with `make`; rows that cannot be imported are reported by name. */
export function convertRows<T>(part: ImportPart, rows: readonly LegacyRow[], { report }: ImportContext, make: (row: LegacyRow) => T): T[] {
  return rows.flatMap((row) => {
    try {
      return [make(row)];
    } catch (error) {
      if (!(error instanceof SkippedRow)) throw error;
      report.skip(part.what, error.message, part.nameOf(row));
      return [];
    }
  });
}

/** Returns the id of a row. @throws SkippedRow if it is invalid */
export function idOf(row: LegacyRow): number {
  const id = row.integer('id');
  if (id < 1) throw new SkippedRow('it has no id');
  return id;
}
