import { Injectable } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { AppError, translate } from '../../common/index.js';
import { OperationPipeline, RawReply, SuccessReply, type ListReply, type RequestContext } from '../../operations/index.js';
import type { ListDeclaration, ListRow, RowAction, Scope } from '../../sdk/index.js';
import { ThemeRenderer } from '../../theme/index.js';
import { PageAccess } from '../page-access.js';

import { ListAddress, type ListState } from './list-state.js';
import { cachedTranslate, listView, readPart, type FoundRows, type ListView, type OfferedChoices } from './list-view.js';

/** Builds lists on the server: the rows come from an operation, everything else from the URL. */
@Injectable()
export class Lists {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly themes: ThemeRenderer,
    private readonly access: PageAccess,
  ) {}

  /** Returns the template variable `lists`: each by its id. */
  async buildAll(lists: readonly ListDeclaration[], side: Scope, call: RequestContext): Promise<Record<string, ListView>> {
    return Object.fromEntries(await Promise.all(lists.map(async (list) => [list.id, await this.build(list, side, call)] as const)));
  }

  /** Builds the part of a list named by the URL. A page beyond the end shows the last one. */
  async build(list: ListDeclaration, side: Scope, call: RequestContext): Promise<ListView> {
    const address = new ListAddress(list, call.path, call.query);
    const say = cachedTranslate(this.themes.translator(side, call.locale));
    const csv = address.with({ export: list.id, page: undefined });
    try {
      const { state, found } = await readPart(address.state, (requested) => this.read(list, side, call, requested, requested.size));
      const offered = await this.choicesOf(list, side, call);
      const sums = found.total > 0 ? await this.sumsOf(list, side, call, state) : null;
      return listView(this.usable(list, side, call), address, state, found, say, { offered, csv, sums });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const shown = side === 'user' ? error.forOwner : error;
      const problem = translate(call.locale, shown.shape.text, shown.params);
      return listView(list, address, address.state, { total: 0, rows: [] }, say, { problem, csv });
    }
  }

  /**
   * Returns rows in the order of the list, `limit` from page `state.page` on.
   *
   * @throws AppError of the operation; AuthFailure for a caller without permission
   */
  async read(list: ListDeclaration, side: Scope, call: RequestContext, state: ListState, limit: number): Promise<FoundRows> {
    const fields = {
      ...wantedOf(list, call, state),
      page: String(state.page),
      limit: String(limit),
      sort: state.sort.replace(/^-/, ''),
      sortOrder: state.sort.startsWith('-') ? 'desc' : 'asc',
    };
    const answer = await this.pipeline.show(side, list.operation, fields, call);
    const { total, rows } = ((answer instanceof RawReply ? answer.body : answer) ?? {}) as Partial<ListReply>;
    if (!Array.isArray(rows)) throw new Error(`The operation "${list.operation}" returned no rows.`);
    return { total: Number(total ?? rows.length), rows: rows as ListRow[] };
  }

  /** Returns the totals of all rows; null for a list without totals, or without permission. */
  private async sumsOf(list: ListDeclaration, side: Scope, call: RequestContext, state: ListState): Promise<ListRow | null> {
    if (!list.totals) return null;
    try {
      const answer = await this.pipeline.show(side, list.totals.operation, wantedOf(list, call, state), call);
      return answer instanceof SuccessReply ? answer.extras : ((answer instanceof RawReply ? answer.body : answer) as unknown as ListRow);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  /** Returns the choices that filters load from operations. */
  private async choicesOf({ filters = [] }: ListDeclaration, side: Scope, call: RequestContext): Promise<OfferedChoices> {
    const offered: Record<string, [string, string][]> = {};
    for (const { field, from } of filters) {
      if (!from) continue;
      try {
        const answer = await this.pipeline.show(side, from.operation, { ...from.fields, page: '1', limit: '200' }, call);
        const { rows = [] } = ((answer instanceof RawReply ? answer.body : answer) ?? {}) as Partial<ListReply>;
        offered[field] = (rows as ListRow[]).map((row) => [String(row[from.value] ?? ''), String(row[from.title] ?? '')]);
      } catch (error) {
        // Without permission for the operation, the filter has no such choices.
        if (!(error instanceof AppError)) throw error;
      }
    }
    return offered;
  }

  /** Returns the list without actions and columns that the reader has no permission for. */
  private usable(list: ListDeclaration, side: Scope, { admin }: RequestContext): ListDeclaration {
    const access = accessOf(admin);
    if (side === 'user' || access.isFull) return list;
    const may = ({ operation }: { readonly operation?: string }): boolean =>
      operation === undefined || this.access.mayUse(access, operation);
    const leading = ({ href, when, ...action }: RowAction): RowAction =>
      href === undefined
        ? { ...action, when }
        : { ...action, href, when: (row) => (when?.(row) ?? true) && this.access.mayUse(access, href(row)) };
    return {
      ...list,
      actions: list.actions?.filter(may).map(leading),
      bulk: list.bulk?.filter((action) => may(action) && may({ operation: action.needs })),
    };
  }
}

/** Returns the operation's fields that select rows, regardless of the page. */
function wantedOf(list: ListDeclaration, { query }: RequestContext, state: ListState): Record<string, string> {
  return {
    ...Object.fromEntries((list.given ?? []).map((name) => [name, query[name] ?? ''])),
    ...state.filters,
    ...textField(list, state),
  };
}

/** Returns the operation's field for the search text. */
function textField({ keyword }: ListDeclaration, { text, column }: ListState): Record<string, string> {
  if (text === '') return {};
  return keyword === undefined ? { where: JSON.stringify({ name: column, type: '2', value: text }) } : { [keyword]: text };
}
