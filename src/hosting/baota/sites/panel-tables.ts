import { Injectable } from '@nestjs/common';

import type { DriverNode } from '../../driver/index.js';
import { messageOf, PanelClient, PanelProblem, type PanelRecord, requireData, rowsOf } from '../client/index.js';

/** Rows per page of a query. */
const PAGE = 100;
/** Maximum number of pages per query. */
const MAX_PAGES = 100;

/** Tables of a server panel that are queried. */
export type PanelTable = 'sites' | 'ftps' | 'databases' | 'domain' | 'backup';

/** Queries tables of a server panel. Its search matches parts of names and notes, so results are always compared exactly. */
@Injectable()
export class PanelTables {
  constructor(private readonly client: PanelClient) {}

  /** Returns the first matching row among those that contain a text; null if none matches. @throws PanelProblem */
  async find(
    node: DriverNode,
    table: PanelTable,
    search: string,
    fits: (row: PanelRecord) => boolean,
    signal: AbortSignal,
  ): Promise<PanelRecord | null> {
    for await (const row of this.all(node, table, { search }, signal)) if (fits(row)) return row;
    return null;
  }

  /** Yields all rows, page by page. @throws PanelProblem */
  async *all(
    node: DriverNode,
    table: PanelTable,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): AsyncGenerator<PanelRecord> {
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const rows = await this.page(node, table, page, more, signal);
      yield* rows;
      if (rows.length < PAGE) return;
    }
    throw new PanelProblem({ outcome: 'unknown', message: `The list of ${table} has too many pages.` });
  }

  /** Returns one page, counted from 1; the last one has fewer than {@link PanelTables.pageSize} rows. @throws PanelProblem */
  async page(
    node: DriverNode,
    table: PanelTable,
    page: number,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<PanelRecord[]> {
    const fields = { table, limit: PAGE, p: page, order: 'id asc', ...(table === 'sites' ? { type: '-1' } : {}), ...more };
    const answer = await this.client.call(node, '/data?action=getData', fields, signal);
    if (Array.isArray(answer)) return rowsOf(answer);
    const { data } = requireData(answer);
    if (!Array.isArray(data)) throw new PanelProblem({ outcome: 'unknown', message: messageOf(requireData(answer)) });
    return rowsOf(data);
  }

  get pageSize(): number {
    return PAGE;
  }
}
