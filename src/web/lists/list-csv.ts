import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { translate } from '../../common/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { HttpReply, ListDeclaration, Scope, Translate } from '../../sdk/index.js';
import { ThemeRenderer } from '../../theme/index.js';

import { cellText } from './list-cells.js';
import { ListAddress } from './list-state.js';
import { Lists } from './lists.js';

/** Rows of a file at most; its last line says so where there were more. */
const MAX_CSV_ROWS = 50_000;
/** Rows read at once: the most a list operation gives. */
const BATCH = 200;

/** Lists as files: all rows that are filtered, in the order of the page. */
@Injectable()
export class ListCsv {
  constructor(
    private readonly lists: Lists,
    private readonly themes: ThemeRenderer,
  ) {}

  /**
   * The rows of the list the address names, as CSV (RFC 4180, UTF-8 with a byte order mark, which spreadsheets need to read Chinese).
   * They are read as they are sent, so nothing large is held.
   *
   * @throws AppError what the operation refuses, before anything is sent
   */
  async reply(list: ListDeclaration, side: Scope, call: RequestContext): Promise<HttpReply> {
    const say = this.themes.translator(side, call.locale);
    const first = await this.batch(list, side, call, 1);
    return {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${list.id}.csv"`,
      },
      body: Readable.from(this.lines(list, side, call, say, first)),
    };
  }

  private async *lines(list: ListDeclaration, side: Scope, call: RequestContext, say: Translate, first: Batch): AsyncGenerator<string> {
    yield `\uFEFF${csvLine(list.columns.map(({ title }) => say(title)))}`;
    let sent = 0;
    for (let page = 1, { total, rows } = first; ; { total, rows } = await this.batch(list, side, call, page)) {
      yield rows.map((row) => csvLine(list.columns.map((column) => cellText(column, row, say)))).join('');
      sent += rows.length;
      page += 1;
      if (list.whole || rows.length < BATCH) return;
      if (sent < MAX_CSV_ROWS) continue;
      if (total > sent) yield csvLine([translate(call.locale, 'web.csv_cut', { most: MAX_CSV_ROWS, total })]);
      return;
    }
  }

  private batch(list: ListDeclaration, side: Scope, call: RequestContext, page: number): Promise<Batch> {
    const { state } = new ListAddress(list, call.path, call.query);
    return this.lists.read(list, side, call, { ...state, page }, BATCH);
  }
}

type Batch = Awaited<ReturnType<Lists['read']>>;

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Spreadsheets run what begins like a formula: https://owasp.org/www-community/attacks/CSV_Injection */
function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
