import { readFile } from 'node:fs/promises';

import type { Cell, RowsHead } from '../archive/manifest.js';

/** Rows per batch. */
const SLICE = 500;

/** Rows of a table, in column order. */
export interface RowsOfTable extends RowsHead {
  readonly rows: readonly (readonly Cell[])[];
}

/** Reads an unpacked rows entry; parts are small and read into memory. */
export async function* rowsOf(part: string): AsyncGenerator<RowsOfTable> {
  let head: RowsHead | null = null;
  let rows: Cell[][] = [];
  // Splits only at the format's line feeds, not at other Unicode line separators within texts.
  for (const line of (await readFile(part, 'utf8')).split('\n')) {
    if (line === '') continue;
    if (!head) head = JSON.parse(line) as RowsHead;
    else if (rows.push(JSON.parse(line) as Cell[]) >= SLICE) {
      yield { ...head, rows };
      rows = [];
    }
  }
  if (head && rows.length > 0) yield { ...head, rows };
}
