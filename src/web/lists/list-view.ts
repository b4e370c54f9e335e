import { pagesNear } from '../../common/index.js';
import type { ListRow, Translate } from '../../sdk/index.js';
import type { TrustedHtml } from '../../theme/index.js';

import { actionsView, type ActionView, type RowActions, type ShownAction } from './list-actions.js';
import { cellText, cellView, type CellView, type ShownColumn } from './list-cells.js';
import { PAGE_SIZES, type ListAddress, type ListShape, type ListState } from './list-state.js';

/** Declaration of a list, independent of the source of its rows. */
export interface ShownList extends ListShape {
  readonly columns: readonly ShownColumn[];
  /** Columns of the CSV file, if different from those of the page. */
  readonly file?: readonly ShownColumn[];
  readonly actions?: readonly ShownAction[];
  /** Text key of a line below the message of an empty list. */
  readonly hint?: string;
  /** Text key of the message if nothing matches. */
  readonly nothing?: string;
  /** Link below the message of an empty list, to where its first row is created: path and text key. */
  readonly first?: { readonly href: string; readonly label: string };
  /**
   * Name of a partial that renders a row, available to it as `row`, as an `<li>` instead of a table row, for rows with more content than
   * columns. Cards (`class="card"`) are placed side by side if there is room.
   */
  readonly card?: string;
}

/** Rows of one page, and the total number. */
export interface FoundRows {
  readonly total: number;
  readonly rows: readonly ListRow[];
  /** Choices of filters declared as `offered`. */
  readonly offered?: OfferedChoices;
}

/** Data of the partial `list`; see docs/themes.md "Lists". */
export interface ListView {
  readonly id: string;
  readonly columns: readonly { title: string; href?: string; sorted?: 'ascending' | 'descending' }[];
  /** Sort form for screens without table headings; null for lists without sorting. */
  readonly sorting: SortingView | null;
  /** Name of the partial that renders each row; empty: a table is used. */
  readonly card: string;
  /** Rows for cards have `values`, the original row, instead of cells. */
  readonly rows: readonly ({ readonly id: string; readonly cells: readonly CellView[]; readonly values?: ListRow } & RowActions)[];
  /** All entries of row menus, each once. */
  readonly menu: readonly ActionView[];
  /** Row data for the script; null if none is needed. */
  readonly row_values: TrustedHtml | null;
  readonly total: number;
  readonly pages: readonly { number: number; href: string; current: boolean }[];
  readonly page: number;
  readonly page_count: number;
  readonly sizes: readonly { size: number; href: string; current: boolean }[];
  /** Set if the URL restricts the rows: a text that says so, and the URL of all rows; otherwise null. */
  readonly narrowed: { readonly text: string; readonly href: string } | null;
  /** Totals of all matching rows; empty for most lists. */
  readonly totals: readonly { readonly title: string; readonly text: string }[];
  /** Null for lists without search and filters. */
  readonly search: SearchView | null;
  readonly bulk: readonly {
    label: string;
    operation: string;
    field: string;
    confirm: string;
    tone: string;
    /** JSON; empty if there are none. */
    fields: string;
    dialog: string;
  }[];
  readonly has_actions: boolean;
  /** Shown in place of rows: list empty, nothing found, or why the list cannot be shown. */
  readonly message: string;
  /** A line below that; empty for none. */
  readonly hint: string;
  /** Link below an empty list, to where its first row is created; null for none. */
  readonly first: { readonly href: string; readonly label: string } | null;
  /** URL of the rows as a file; empty if there is none. */
  readonly csv: string;
  readonly refresh: string;
}

/** Choices of filters from an operation, by field: value and title. */
export type OfferedChoices = Readonly<Record<string, readonly (readonly [string, string])[]>>;

interface SortingView {
  readonly path: string;
  readonly kept: readonly { name: string; value: string }[];
  readonly name: string;
  /** Two per sortable column. */
  readonly choices: readonly { value: string; title: string; ascending: boolean; chosen: boolean }[];
}

interface SearchView {
  readonly path: string;
  readonly kept: readonly { name: string; value: string }[];
  /** Whether there is a search text, or only filters. */
  readonly has_text: boolean;
  readonly text: string;
  readonly text_name: string;
  /** What can be searched; empty for a generic hint. */
  readonly text_hint: string;
  /** Maximum length of the text. */
  readonly text_most: number;
  readonly column: string;
  readonly column_name: string;
  readonly columns: readonly { value: string; title: string }[];
  readonly filters: readonly {
    name: string;
    label: string;
    value: string;
    choices: readonly { value: string; title: string }[];
    /** Whether an amount is entered instead. */
    amount: boolean;
  }[];
  /** Whether a search or filter is active. */
  readonly active: boolean;
  readonly reset: string;
}

/** Reads the requested rows. A page beyond the end returns the last page: rows may have been removed, or the URL was typed. */
export async function readPart<Found extends FoundRows>(
  requested: ListState,
  read: (state: ListState) => Promise<Found>,
): Promise<{ state: ListState; found: Found }> {
  const found = await read(requested);
  if (found.rows.length > 0 || found.total === 0 || requested.page === 1) return { state: requested, found };
  const state = { ...requested, page: Math.ceil(found.total / requested.size) };
  return { state, found: await read(state) };
}

/** Returns a list for the template. */
export function listView(
  list: ShownList,
  address: ListAddress,
  state: ListState,
  { total, rows }: FoundRows,
  say: Translate,
  {
    problem = '',
    offered = {},
    csv = '',
    sums,
  }: {
    problem?: string;
    offered?: OfferedChoices;
    csv?: string;
    /** Result of {@link ListDeclaration.totals}. */
    sums?: ListRow | null;
  } = {},
): ListView {
  const size = list.whole ? Math.max(1, total) : state.size;
  const pageCount = Math.max(1, Math.ceil(total / size));
  const search = searchView(list, address, state, say, offered);
  const actions = actionsView(list.actions ?? [], rows, say);
  const narrowed = narrowedView(list, address, say);
  const isPart = narrowed !== null || (search?.active ?? false);
  const isEmpty = problem === '' && rows.length === 0 && !isPart;
  return {
    id: list.id,
    columns: list.columns.map(({ field, title, sortable }) => ({
      title: say(title),
      ...(sortable ? sortView(field, address, state) : {}),
    })),
    sorting: sortingView(list, address, state, say),
    card: list.card ?? '',
    rows: rows.map((row, at) => ({
      id: String(row.id ?? ''),
      ...(list.card ? { cells: [], values: row } : { cells: list.columns.map((column) => cellView(column, row, say)) }),
      ...actions.rows[at]!,
    })),
    menu: actions.menu,
    row_values: actions.values,
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
    narrowed,
    totals: totalsView(list, sums, say),
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
    message: problem || (rows.length > 0 ? '' : say(emptyText(list, search?.active ?? false, isPart))),
    hint: isEmpty && list.hint ? say(list.hint) : '',
    first: isEmpty && list.first ? { href: list.first.href, label: say(list.first.label) } : null,
    csv,
    refresh: address.with({}),
  };
}

/** Returns the message shown in place of rows. @param isPart whether rows are restricted, by the search or by the page's URL */
function emptyText({ empty, nothing }: ShownList, isSearched: boolean, isPart: boolean): string {
  if (isPart && nothing !== undefined) return nothing;
  return isSearched ? 'script.no_match' : empty;
}

/** Caches texts without parameters: the heading of a column is needed for every row. */
export function cachedTranslate(say: Translate): Translate {
  const cache = new Map<string, string>();
  return (key, params) => {
    if (params !== undefined) return say(key, params);
    let text = cache.get(key);
    if (text === undefined) cache.set(key, (text = say(key)));
    return text;
  };
}

function narrowedView({ narrowed, given = [] }: ShownList, address: ListAddress, say: Translate): ListView['narrowed'] {
  return narrowed && address.names(given) ? { text: say(narrowed), href: address.without(given) } : null;
}

function totalsView({ totals }: ShownList, sums: ListRow | null | undefined, say: Translate): ListView['totals'] {
  if (!totals || !sums) return [];
  return totals.figures
    .map((figure) => ({ title: say(figure.title), text: cellText(figure, sums, say) }))
    .filter(({ text }) => text !== '');
}

function searchView(list: ShownList, address: ListAddress, state: ListState, say: Translate, offered: OfferedChoices): SearchView | null {
  const { search = [], filters = [] } = list;
  const hasText = search.length > 0 || list.keyword !== undefined || list.text !== undefined;
  if (!hasText && filters.length === 0) return null;
  const own = [address.textName, 'in', ...filters.map(({ field }) => field)];
  const cleared = Object.fromEntries(['page', ...own].map((name) => [name, undefined]));
  return {
    path: pathOf(address),
    kept: address.kept(own),
    has_text: hasText,
    text: state.text,
    text_name: address.nameOf(address.textName),
    text_hint: list.text?.hint ? say(list.text.hint) : '',
    text_most: address.maxTextLength,
    column: state.column,
    column_name: address.nameOf('in'),
    columns: search.map(([value, title]) => ({ value, title: say(title) })),
    filters: filters
      .map(({ field, label, choices, amount = false }) => {
        const value = state.filters[field] ?? '';
        const own = choices.map(([one, title]) => ({ value: one, title: say(title) }));
        const all = [...own, ...(offered[field] ?? []).map(([one, title]) => ({ value: one, title }))];
        // A filter value that is no longer offered still restricts the list: it is shown, so that it can be removed.
        if (value !== '' && !all.some((choice) => choice.value === value)) all.push({ value, title: value });
        return { name: address.nameOf(field), label: say(label), value, choices: all, amount };
      })
      .filter(({ choices, amount }) => amount || choices.length > 0),
    active: state.text !== '' || Object.keys(state.filters).length > 0,
    reset: address.with(cleared),
  };
}

function sortingView({ columns }: ShownList, address: ListAddress, state: ListState, say: Translate): SortingView | null {
  const choices = columns
    .filter(({ sortable }) => sortable)
    .flatMap(({ field, title }) =>
      [field, `-${field}`].map((value) => ({
        value,
        title: say(title),
        ascending: value === field,
        chosen: value === state.sort,
      })),
    );
  return choices.length > 0 ? { path: pathOf(address), kept: address.kept(['sort']), name: address.nameOf('sort'), choices } : null;
}

const pathOf = (address: ListAddress): string => address.with({}).split('?', 1)[0]!;

function sortView(field: string, address: ListAddress, state: ListState): { href: string; sorted?: 'ascending' | 'descending' } {
  const chosen = state.sort.replace(/^-/, '') === field;
  const ascending = chosen && !state.sort.startsWith('-');
  const href = address.with({ sort: ascending ? `-${field}` : field, page: undefined });
  return chosen ? { href, sorted: ascending ? 'ascending' : 'descending' } : { href };
}
