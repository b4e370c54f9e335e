import { Injectable } from '@nestjs/common';

import type { DriverNode } from '../../driver/index.js';
import { messageOf, PanelClient, PanelProblem, type PanelRecord, requireData, rowsOf } from '../client/index.js';

/** Rows of one page of a look-up. */
const PAGE = 100;
/** Pages one look-up goes through. */
const MOST_PAGES = 100;

/** Tables of a server panel that are looked things up in. */
export type PanelTable = 'sites' | 'ftps' | 'databases' | 'domain' | 'backup';

/** Rows of a server panel. It searches for parts of names and of notes, so what is looked for is always compared as a whole. */
@Injectable()
export class PanelTables {
  constructor(private readonly client: PanelClient) {}

  /** The first row that fits, among those in which a text occurs; null for none. @throws PanelProblem */
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

  /** Every row, page after page. @throws PanelProblem */
  async *all(
    node: DriverNode,
    table: PanelTable,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): AsyncGenerator<PanelRecord> {
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const rows = await this.page(node, table, page, more, signal);
      yield* rows;
      if (rows.length < PAGE) return;
    }
    throw new PanelProblem({ outcome: 'unknown', message: `The list of ${table} does not end.` });
  }

  /** One page, counted from 1; the last one has fewer than {@link PanelTables.pageSize} rows. @throws PanelProblem */
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
