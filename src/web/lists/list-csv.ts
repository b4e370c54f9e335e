import { Readable } from 'node:stream';

import { CSV_MARK, csvLine, translate, type Locale } from '../../common/index.js';
import type { Translate } from '../../sdk/index.js';

import { cellText, type ShownColumn } from './list-cells.js';
import type { FoundRows, ShownList } from './list-view.js';

/** Maximum rows of a file: if there are more, the last line of a CSV file says so; `total` of a JSON file counts all. */
const MAX_ROWS = 50_000;

/** Returns the columns of a list's file; a list without any has no file. */
export const fileColumns = ({ file, columns }: Pick<ShownList, 'file' | 'columns'>): readonly ShownColumn[] => file ?? columns;

/**
 * Yields the rows of a file in parts; the first part is given.
 *
 * @param size rows of a full part
 * @param read returns the part of a page
 */
export async function* partsFrom<Part extends FoundRows>(
  first: Part,
  size: number,
  read: (page: number) => Promise<Part>,
): AsyncGenerator<Part> {
  let sent = 0;
  for (let page = 1, part = first; ; part = await read(page)) {
    yield part;
    sent += part.rows.length;
    page += 1;
    if (part.rows.length < size || sent >= MAX_ROWS) return;
  }
}

/** Yields rows as CSV (RFC 4180, UTF-8 with a byte order mark, which spreadsheets need to read Chinese). */
export async function* csvOf(
  columns: readonly ShownColumn[],
  parts: AsyncIterable<FoundRows>,
  locale: Locale,
  say: Translate,
): AsyncGenerator<string> {
  yield CSV_MARK + csvLine(columns.map(({ title }) => say(title)));
  let sent = 0;
  let all = 0;
  for await (const { total, rows } of parts) {
    yield rows.map((row) => csvLine(columns.map((column) => cellText(column, row, say)))).join('');
    sent += rows.length;
    all = total;
  }
  if (sent >= MAX_ROWS && all > sent) yield csvLine([translate(locale, 'web.csv_cut', { most: MAX_ROWS, total: all })]);
}

/** A file that is generated while it is sent. */
export interface FileReply {
  readonly headers: Record<string, string>;
  readonly body: Readable;
}

/** Returns a file download. @param kind file extension */
export function fileReply(name: string, kind: 'csv' | 'json', body: AsyncIterable<string>): FileReply {
  return {
    headers: {
      'Content-Type': `${kind === 'csv' ? 'text/csv' : 'application/json'}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}.${kind}"`,
    },
    body: Readable.from(body),
  };
}
