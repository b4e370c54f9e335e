import { Injectable } from '@nestjs/common';

import { localeOf } from '../../common/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { HttpReply, ListDeclaration, Scope } from '../../sdk/index.js';
import { ThemeRenderer } from '../../theme/index.js';

import { csvOf, fileColumns, fileReply, partsFrom } from './list-csv.js';
import { ListAddress } from './list-state.js';
import type { FoundRows } from './list-view.js';
import { Lists } from './lists.js';

/** Rows read per batch: the maximum of a list operation. */
const BATCH = 200;

/** Exports lists as files: all rows matching the filters, in the order of the page. */
@Injectable()
export class ListFile {
  constructor(
    private readonly lists: Lists,
    private readonly themes: ThemeRenderer,
  ) {}

  /**
   * Returns the rows of the list named by the URL: as CSV (RFC 4180, UTF-8 with a byte order mark, which spreadsheets need to read
   * Chinese),
   * with the columns of the page or the list's own file columns; or, with `as=json`, as JSON with the fields of the operation.
   * Rows are streamed, so memory use is small.
   *
   * @throws AppError of the operation, before anything is sent
   */
  async reply(list: ListDeclaration, side: Scope, call: RequestContext): Promise<HttpReply> {
    const first = await this.batch(list, side, call, 1);
    const parts = partsFrom(first, list.whole ? Infinity : BATCH, (page) => this.batch(list, side, call, page));
    return call.query.as === 'json'
      ? fileReply(list.id, 'json', recordsOf(first.total, parts))
      : fileReply(list.id, 'csv', csvOf(fileColumns(list), parts, localeOf(call.locale), this.themes.translator(side, call.locale)));
  }

  private batch(list: ListDeclaration, side: Scope, call: RequestContext, page: number): Promise<FoundRows> {
    const { state } = new ListAddress(list, call.path, call.query);
    return this.lists.read(list, side, call, { ...state, page }, BATCH);
  }
}

/** In the format of a list operation. */
async function* recordsOf(total: number, parts: AsyncIterable<FoundRows>): AsyncGenerator<string> {
  yield `{"total":${total},"rows":[`;
  let comma = '';
  for await (const { rows } of parts) {
    for (const row of rows) {
      yield comma + JSON.stringify(row);
      comma = ',';
    }
  }
  yield ']}';
}
