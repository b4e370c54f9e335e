import { Injectable } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { AppError, pagesNear, translate } from '../../common/index.js';
import { OperationPipeline, RawReply, type ListReply, type RequestContext } from '../../operations/index.js';
import type { ListDeclaration, ListRow, RowAction, Scope, Translate } from '../../sdk/index.js';
import { ThemeRenderer } from '../../theme/index.js';
import { PageAccess } from '../page-access.js';

import { actionViews, cellView, type ActionView, type CellView } from './list-cells.js';
import { ListAddress, PAGE_SIZES, type ListState } from './list-state.js';

/** What the partial `list` shows; see docs/themes.md "Lists". */
export interface ListView {
  readonly id: string;
  readonly columns: readonly { title: string; href?: string; sorted?: 'ascending' | 'descending' }[];
  readonly rows: readonly { id: string; cells: readonly CellView[]; actions: readonly ActionView[] }[];
  readonly total: number;
  readonly pages: readonly { number: number; href: string; current: boolean }[];
  readonly page: number;
  readonly page_count: number;
  readonly sizes: readonly { size: number; href: string; current: boolean }[];
  /** That only some rows are shown because the address says which, and the address of all; null where it does not. */
  readonly narrowed: { readonly text: string; readonly href: string } | null;
  /** Null for lists nobody searches or filters. */
  readonly search: SearchView | null;
  readonly bulk: readonly {
    label: string;
    operation: string;
    field: string;
    confirm: string;
    tone: string;
    /** JSON; empty where there are none. */
    fields: string;
    dialog: string;
  }[];
  readonly has_actions: boolean;
  /** What stands in place of rows: nothing there, nothing found, or why the list cannot be shown. */
  readonly message: string;
  /** Address of the rows as a file. */
  readonly csv: string;
  readonly refresh: string;
}

/** Choices of filters that come from an operation, by field: value and title. */
type OfferedChoices = Readonly<Record<string, readonly (readonly [string, string])[]>>;

interface SearchView {
  readonly path: string;
  readonly kept: readonly { name: string; value: string }[];
  /** Whether it looks for a text, or only filters. */
  readonly has_text: boolean;
  readonly text: string;
  readonly text_name: string;
  readonly column: string;
  readonly column_name: string;
  readonly columns: readonly { value: string; title: string }[];
  readonly filters: readonly { name: string; label: string; value: string; choices: readonly { value: string; title: string }[] }[];
  /** Whether anything is looked for. */
  readonly active: boolean;
  readonly reset: string;
}

/** Builds the lists of pages on the server: rows of an operation, everything else of the address. */
@Injectable()
export class Lists {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly themes: ThemeRenderer,
    private readonly access: PageAccess,
  ) {}

  /** What a view sees as `lists`: each by its id. */
  async buildAll(lists: readonly ListDeclaration[], side: Scope, call: RequestContext): Promise<Record<string, ListView>> {
    return Object.fromEntries(await Promise.all(lists.map(async (list) => [list.id, await this.build(list, side, call)] as const)));
  }

  /** The part of a list that the address names. A page behind the last one shows the last one. */
  async build(list: ListDeclaration, side: Scope, call: RequestContext): Promise<ListView> {
    const address = new ListAddress(list, call.path, call.query);
    const say = sayOnce(this.themes.translator(side, call.locale));
    try {
      let { state } = address;
      let found = await this.read(list, side, call, state, state.size);
      if (found.rows.length === 0 && found.total > 0 && state.page > 1) {
        state = { ...state, page: Math.ceil(found.total / state.size) };
        found = await this.read(list, side, call, state, state.size);
      }
      const offered = await this.choicesOf(list, side, call);
      return this.view(this.usable(list, side, call), address, state, found, say, '', offered);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return this.view(list, address, address.state, { total: 0, rows: [] }, say, translate(call.locale, error.shape.text, error.params));
    }
  }

  /**
   * Rows in the order of the list, `limit` from page `state.page` on.
   *
   * @throws AppError what the operation refuses; AuthFailure for who may not call it
   */
  async read(
    list: ListDeclaration,
    side: Scope,
    call: RequestContext,
    state: ListState,
    limit: number,
  ): Promise<{ total: number; rows: readonly ListRow[] }> {
    const fields = {
      ...Object.fromEntries((list.given ?? []).map((name) => [name, call.query[name] ?? ''])),
      ...state.filters,
      ...textField(list, state),
      page: String(state.page),
      limit: String(limit),
      sort: state.sort.replace(/^-/, ''),
      sortOrder: state.sort.startsWith('-') ? 'desc' : 'asc',
    };
    const answer = await this.pipeline.show(side, list.operation, fields, call);
    const { total, rows } = ((answer instanceof RawReply ? answer.body : answer) ?? {}) as Partial<ListReply>;
    if (!Array.isArray(rows)) throw new Error(`The operation "${list.operation}" answers without rows.`);
    return { total: Number(total ?? rows.length), rows: rows as ListRow[] };
  }

  /** What filters offer besides their own choices. */
  private async choicesOf({ filters = [] }: ListDeclaration, side: Scope, call: RequestContext): Promise<OfferedChoices> {
    const offered: Record<string, [string, string][]> = {};
    for (const { field, from } of filters) {
      if (!from) continue;
      try {
        const answer = await this.pipeline.show(side, from.operation, { page: '1', limit: '200' }, call);
        const { rows = [] } = ((answer instanceof RawReply ? answer.body : answer) ?? {}) as Partial<ListReply>;
        offered[field] = (rows as ListRow[]).map((row) => [String(row[from.value] ?? ''), String(row[from.title] ?? '')]);
      } catch (error) {
        // Who may not run it has no choice there.
        if (!(error instanceof AppError)) throw error;
      }
    }
    return offered;
  }

  /** The list without what the reader may not do with its rows, or see of them. */
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

  private view(
    list: ListDeclaration,
    address: ListAddress,
    state: ListState,
    { total, rows }: { total: number; rows: readonly ListRow[] },
    say: Translate,
    problem: string,
    offered: OfferedChoices = {},
  ): ListView {
    const size = list.whole ? Math.max(1, total) : state.size;
    const pageCount = Math.max(1, Math.ceil(total / size));
    const search = searchView(list, address, state, say, offered);
    return {
      id: list.id,
      columns: list.columns.map(({ field, title, sortable }) => ({
        title: say(title),
        ...(sortable ? sortView(field, address, state) : {}),
      })),
      rows: rows.map((row) => ({
        id: String(row.id ?? ''),
        cells: list.columns.map((column) => cellView(column, row, say)),
        actions: actionViews(list.actions ?? [], row, say),
      })),
      total,
      page: state.page,
      page_count: pageCount,
      pages: pagesNear(state.page, pageCount, 1).map((number) => ({
        number,
        href: address.with({ page: number === 1 ? undefined : number }),
        current: number === state.page,
      })),
      sizes:
        list.whole || total <= PAGE_SIZES[0]
          ? []
          : PAGE_SIZES.map((choice) => ({
              size: choice,
              href: address.with({ size: choice === PAGE_SIZES[0] ? undefined : choice, page: undefined }),
              current: choice === state.size,
            })),
      narrowed: narrowedView(list, address, say),
      search,
      bulk: (list.bulk ?? []).map(({ label, operation, field, confirm, tone, fields, dialog }) => ({
        label: say(label),
        operation,
        field,
        confirm: say(confirm),
        tone: tone ?? '',
        fields: fields ? JSON.stringify(fields) : '',
        dialog: dialog ?? '',
      })),
      has_actions: (list.actions ?? []).length > 0,
      message: problem || (rows.length > 0 ? '' : say(search?.active ? 'script.no_match' : list.empty)),
      csv: address.with({ export: list.id, page: undefined }),
      refresh: address.with({}),
    };
  }
}

/** Looks a text without parameters up once: the heading of a column is said for every row. */
function sayOnce(say: Translate): Translate {
  const said = new Map<string, string>();
  return (key, params) => {
    if (params !== undefined) return say(key, params);
    let text = said.get(key);
    if (text === undefined) said.set(key, (text = say(key)));
    return text;
  };
}

/** How the operation is told what to look for. */
function textField({ keyword }: ListDeclaration, { text, column }: ListState): Record<string, string> {
  if (text === '') return {};
  return keyword === undefined ? { where: JSON.stringify({ name: column, type: '2', value: text }) } : { [keyword]: text };
}

function narrowedView({ narrowed, given = [] }: ListDeclaration, address: ListAddress, say: Translate): ListView['narrowed'] {
  return narrowed && address.names(given) ? { text: say(narrowed), href: address.without(given) } : null;
}

function searchView(
  list: ListDeclaration,
  address: ListAddress,
  state: ListState,
  say: Translate,
  offered: OfferedChoices,
): SearchView | null {
  const { search = [], filters = [] } = list;
  const hasText = search.length > 0 || list.keyword !== undefined;
  if (!hasText && filters.length === 0) return null;
  const cleared = Object.fromEntries(['q', 'in', 'page', ...filters.map(({ field }) => field)].map((name) => [name, undefined]));
  return {
    path: address.with({}).split('?', 1)[0]!,
    kept: address.kept(),
    has_text: hasText,
    text: state.text,
    text_name: address.nameOf('q'),
    column: state.column,
    column_name: address.nameOf('in'),
    columns: search.map(([value, title]) => ({ value, title: say(title) })),
    filters: filters
      .map(({ field, label, choices }) => {
        const value = state.filters[field] ?? '';
        const own = choices.map(([one, title]) => ({ value: one, title: say(title) }));
        const all = [...own, ...(offered[field] ?? []).map(([one, title]) => ({ value: one, title }))];
        // What the address names and nobody offers any more still narrows the list: it is shown, so that it can be taken away.
        if (value !== '' && !all.some((choice) => choice.value === value)) all.push({ value, title: value });
        return { name: address.nameOf(field), label: say(label), value, choices: all };
      })
      .filter(({ choices }) => choices.length > 0),
    active: state.text !== '' || Object.keys(state.filters).length > 0,
    reset: address.with(cleared),
  };
}

function sortView(field: string, address: ListAddress, state: ListState): { href: string; sorted?: 'ascending' | 'descending' } {
  const chosen = state.sort.replace(/^-/, '') === field;
  const ascending = chosen && !state.sort.startsWith('-');
  const href = address.with({ sort: ascending ? `-${field}` : field, page: undefined });
  return chosen ? { href, sorted: ascending ? 'ascending' : 'descending' } : { href };
}
