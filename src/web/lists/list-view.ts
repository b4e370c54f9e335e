import { pagesNear } from '../../common/index.js';
import type { ListRow, Translate } from '../../sdk/index.js';
import type { TrustedHtml } from '../../theme/index.js';

import { actionsView, type ActionView, type RowActions, type ShownAction } from './list-actions.js';
import { cellText, cellView, type CellView, type ShownColumn } from './list-cells.js';
import { PAGE_SIZES, type ListAddress, type ListShape, type ListState } from './list-state.js';

/** What is shown of a list, wherever its rows come from. */
export interface ShownList extends ListShape {
  readonly columns: readonly ShownColumn[];
  /** Columns of the CSV file, where they are others than those of the page. */
  readonly file?: readonly ShownColumn[];
  readonly actions?: readonly ShownAction[];
  /** Text key of a line below what an empty list says. */
  readonly hint?: string;
  /** Text key of what a list says where nothing is found. */
  readonly nothing?: string;
  /** Where the first row comes from: path and text key of a link below what an empty list says. */
  readonly first?: { readonly href: string; readonly label: string };
  /**
   * Name of a partial that draws a row, which it sees as `row`, as an `<li>`: instead of the table, for rows that are more than their
   * columns say. Those that are cards (`class="card"`) stand beside each other where there is room.
   */
  readonly card?: string;
}

/** Rows of a list: those of one page, and how many there are. */
export interface FoundRows {
  readonly total: number;
  readonly rows: readonly ListRow[];
  /** For filters that say `offered`. */
  readonly offered?: OfferedChoices;
}

/** What the partial `list` shows; see docs/themes.md "Lists". */
export interface ListView {
  readonly id: string;
  readonly columns: readonly { title: string; href?: string; sorted?: 'ascending' | 'descending' }[];
  /** A form that sorts, for screens without the headings that do; null for lists nobody sorts. */
  readonly sorting: SortingView | null;
  /** Name of the partial that draws each of `rows`; empty: the table does. */
  readonly card: string;
  /** Those of cards have `values`, the row as it is, instead of cells. */
  readonly rows: readonly ({ readonly id: string; readonly cells: readonly CellView[]; readonly values?: ListRow } & RowActions)[];
  /** What stands in menus of rows, each once. */
  readonly menu: readonly ActionView[];
  /** What the script needs to know of rows; null where it needs nothing. */
  readonly row_values: TrustedHtml | null;
  readonly total: number;
  readonly pages: readonly { number: number; href: string; current: boolean }[];
  readonly page: number;
  readonly page_count: number;
  readonly sizes: readonly { size: number; href: string; current: boolean }[];
  /** That only some rows are shown because the address says which, and the address of all; null where it does not. */
  readonly narrowed: { readonly text: string; readonly href: string } | null;
  /** What all rows that were found come to; none for most lists. */
  readonly totals: readonly { readonly title: string; readonly text: string }[];
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
  /** A line below that; empty for none. */
  readonly hint: string;
  /** A link below an empty list, to where its first row comes from; null for none. */
  readonly first: { readonly href: string; readonly label: string } | null;
  /** Address of the rows as a file; empty where there is none. */
  readonly csv: string;
  readonly refresh: string;
}

/** Choices of filters that come from an operation, by field: value and title. */
export type OfferedChoices = Readonly<Record<string, readonly (readonly [string, string])[]>>;

interface SortingView {
  readonly path: string;
  readonly kept: readonly { name: string; value: string }[];
  readonly name: string;
  /** Two of each column that can be sorted by. */
  readonly choices: readonly { value: string; title: string; ascending: boolean; chosen: boolean }[];
}

interface SearchView {
  readonly path: string;
  readonly kept: readonly { name: string; value: string }[];
  /** Whether it looks for a text, or only filters. */
  readonly has_text: boolean;
  readonly text: string;
  readonly text_name: string;
  /** What may be looked for; empty: the field says that it searches. */
  readonly text_hint: string;
  /** Most characters of the text. */
  readonly text_most: number;
  readonly column: string;
  readonly column_name: string;
  readonly columns: readonly { value: string; title: string }[];
  readonly filters: readonly {
    name: string;
    label: string;
    value: string;
    choices: readonly { value: string; title: string }[];
    /** That an amount is typed instead. */
    amount: boolean;
  }[];
  /** Whether anything is looked for. */
  readonly active: boolean;
  readonly reset: string;
}

/** The rows the address asks for. Behind the last page is the last page: there were more once, or the address was typed. */
export async function readPart<Found extends FoundRows>(
  asked: ListState,
  read: (state: ListState) => Promise<Found>,
): Promise<{ state: ListState; found: Found }> {
  const found = await read(asked);
  if (found.rows.length > 0 || found.total === 0 || asked.page === 1) return { state: asked, found };
  const state = { ...asked, page: Math.ceil(found.total / asked.size) };
  return { state, found: await read(state) };
}

/** A list for the template. */
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
    /** What {@link ListDeclaration.totals} answers. */
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

/** What is said in place of rows. @param isPart whether only some rows are shown, by what is looked for or by where the page leads from */
function emptyText({ empty, nothing }: ShownList, isSearched: boolean, isPart: boolean): string {
  if (isPart && nothing !== undefined) return nothing;
  return isSearched ? 'script.no_match' : empty;
}

/** Looks a text without parameters up once: the heading of a column is said for every row. */
export function sayOnce(say: Translate): Translate {
  const said = new Map<string, string>();
  return (key, params) => {
    if (params !== undefined) return say(key, params);
    let text = said.get(key);
    if (text === undefined) said.set(key, (text = say(key)));
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
    text_most: address.mostText,
    column: state.column,
    column_name: address.nameOf('in'),
    columns: search.map(([value, title]) => ({ value, title: say(title) })),
    filters: filters
      .map(({ field, label, choices, amount = false }) => {
        const value = state.filters[field] ?? '';
        const own = choices.map(([one, title]) => ({ value: one, title: say(title) }));
        const all = [...own, ...(offered[field] ?? []).map(([one, title]) => ({ value: one, title }))];
        // What the address names and nobody offers any more still narrows the list: it is shown, so that it can be taken away.
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
