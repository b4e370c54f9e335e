import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { CSV_MARK, csvLine, translate } from '../../common/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { HttpReply, ListDeclaration, Scope, Translate } from '../../sdk/index.js';
import { ThemeRenderer } from '../../theme/index.js';

import { cellText } from './list-cells.js';
import { ListAddress } from './list-state.js';
import { Lists } from './lists.js';

/** Rows of a file at most: the last line of a CSV file says so where there were more, `total` of a JSON file is of all. */
const MAX_ROWS = 50_000;
/** Rows read at once: the most a list operation gives. */
const BATCH = 200;

/** Lists as files: all rows that are filtered, in the order of the page. */
@Injectable()
export class ListFile {
  constructor(
    private readonly lists: Lists,
    private readonly themes: ThemeRenderer,
  ) {}

  /**
   * The rows of the list the address names: as CSV (RFC 4180, UTF-8 with a byte order mark, which spreadsheets need to read Chinese), with
   * the columns of the page, or those the list has for files; or as JSON where the address says `as=json`, with the fields of the
   * operation. They are read as they are sent, so nothing large is held.
   *
   * @throws AppError what the operation refuses, before anything is sent
   */
  async reply(list: ListDeclaration, side: Scope, call: RequestContext): Promise<HttpReply> {
    const first = await this.batch(list, side, call, 1);
    const [kind, type, body] =
      call.query.as === 'json'
        ? ['json', 'application/json', this.records(list, side, call, first)]
        : ['csv', 'text/csv', this.lines(list, side, call, this.themes.translator(side, call.locale), first)];
    return {
      headers: {
        'Content-Type': `${type}; charset=utf-8`,
        'Content-Disposition': `attachment; filename="${list.id}.${kind}"`,
      },
      body: Readable.from(body),
    };
  }

  private async *lines(list: ListDeclaration, side: Scope, call: RequestContext, say: Translate, first: Batch): AsyncGenerator<string> {
    const columns = list.file ?? list.columns;
    yield CSV_MARK + csvLine(columns.map(({ title }) => say(title)));
    let sent = 0;
    let all = 0;
    for await (const { total, rows } of this.batches(list, side, call, first)) {
      yield rows.map((row) => csvLine(columns.map((column) => cellText(column, row, say)))).join('');
      sent += rows.length;
      all = total;
    }
    if (sent >= MAX_ROWS && all > sent) yield csvLine([translate(call.locale, 'web.csv_cut', { most: MAX_ROWS, total: all })]);
  }

  /** In the shape of a list operation. */
  private async *records(list: ListDeclaration, side: Scope, call: RequestContext, first: Batch): AsyncGenerator<string> {
    yield `{"total":${first.total},"rows":[`;
    let comma = '';
    for await (const { rows } of this.batches(list, side, call, first)) {
      for (const row of rows) {
        yield comma + JSON.stringify(row);
        comma = ',';
      }
    }
    yield ']}';
  }

  /** Part after part, from the first one on, which is there already. */
  private async *batches(list: ListDeclaration, side: Scope, call: RequestContext, first: Batch): AsyncGenerator<Batch> {
    let sent = 0;
    for (let page = 1, batch = first; ; batch = await this.batch(list, side, call, page)) {
      yield batch;
      sent += batch.rows.length;
      page += 1;
      if (list.whole || batch.rows.length < BATCH || sent >= MAX_ROWS) return;
    }
  }

  private batch(list: ListDeclaration, side: Scope, call: RequestContext, page: number): Promise<Batch> {
    const { state } = new ListAddress(list, call.path, call.query);
    return this.lists.read(list, side, call, { ...state, page }, BATCH);
  }
}

type Batch = Awaited<ReturnType<Lists['read']>>;
