import { readFile } from 'node:fs/promises';

import type { Cell, RowsHead } from '../archive/manifest.js';

/** Rows put in at once. */
const SLICE = 500;

/** Some rows of a table, in the order of its columns. */
export interface RowsOfTable extends RowsHead {
  readonly rows: readonly (readonly Cell[])[];
}

/** Reads an unpacked entry of rows. Parts are small: it is in memory whole. */
export async function* rowsOf(part: string): AsyncGenerator<RowsOfTable> {
  let head: RowsHead | null = null;
  let rows: Cell[][] = [];
  // By lines of the format, not by every character that may end one in a text.
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
