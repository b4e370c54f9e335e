import type { ListColumn, ListDeclaration, ListFilter } from '../../sdk/index.js';

/** Selectable page sizes. */
export const PAGE_SIZES = [20, 50, 100] as const;

const MAX_PAGE = 1_000_000;
const MAX_TEXT = 100;
/** Maximum amount of a filter, in yuan. */
const MAX_AMOUNT = 9_999_999_999.99;
const AMOUNT = /^\d+(?:\.\d{1,2})?$/;

/** The displayed part of a list. */
export interface ListState {
  readonly page: number;
  readonly size: number;
  /** Field, with `-` for descending order; empty for lists without sorting. */
  readonly sort: string;
  /** Search text, and the field to search. */
  readonly text: string;
  readonly column: string;
  /** Filter values by field, without empty ones. */
  readonly filters: Readonly<Record<string, string>>;
}

/** A filter of a list that is filled by its page. */
export interface ShownFilter extends ListFilter {
  /** The page provides further choices together with the rows. */
  readonly offered?: true;
  /** An amount of money is entered instead of a choice. */
  readonly amount?: true;
}

/** The properties of a list that determine its URL. */
export interface ListShape extends Omit<ListDeclaration, 'operation' | 'columns' | 'actions' | 'file' | 'filters'> {
  readonly columns: readonly Pick<ListColumn, 'field' | 'sortable'>[];
  readonly filters?: readonly ShownFilter[];
  /**
   * For a list whose page searches itself: the query parameter, the text key of the hint, and the maximum
   * length.
   */
  readonly text?: { readonly name: string; readonly hint?: string; readonly most?: number };
}

/** The state of a list is in its URL, so that reload, back and bookmarks work. */
export class ListAddress {
  readonly state: ListState;
  /** Query parameter of the search text. */
  readonly textName: string;

  constructor(
    private readonly list: ListShape,
    private readonly path: string,
    private readonly query: Readonly<Record<string, string | undefined>>,
  ) {
    this.textName = list.text?.name ?? 'q';
    const columns = (list.search ?? []).map(([field]) => field);
    this.state = {
      page: wholeNumber(this.get('page'), 1, MAX_PAGE) ?? 1,
      size: PAGE_SIZES.find((size) => String(size) === this.get('size')) ?? PAGE_SIZES[0],
      sort: this.sortable(this.get('sort')) ?? list.sort ?? '',
      text: (this.get(this.textName) ?? '').trim().slice(0, this.maxTextLength),
      column: columns.find((field) => field === this.get('in')) ?? columns[0] ?? '',
      filters: Object.fromEntries(
        (list.filters ?? []).flatMap((filter) => {
          const value = valueOf(filter, this.get(filter.field) ?? '');
          return value === '' ? [] : [[filter.field, value]];
        }),
      ),
    };
  }

  /** Maximum length of the search text. */
  get maxTextLength(): number {
    return this.list.text?.most ?? MAX_TEXT;
  }

  /** Returns the URL with changed parts of the state; `undefined` removes one. Other parameters are kept. */
  with(changes: Readonly<Record<string, string | number | undefined>>): string {
    const search = new URLSearchParams();
    const own = new Map(Object.entries(changes).map(([name, value]) => [this.nameOf(name), value]));
    for (const [name, value] of Object.entries(this.query)) {
      if (value !== undefined && !own.has(name) && name !== 'export' && name !== 'lang') search.set(name, value);
    }
    for (const [name, value] of own) if (value !== undefined) search.set(name, String(value));
    const text = search.toString();
    return text ? `${this.path}?${text}` : this.path;
  }

  /** Returns whether the URL has a value for one of these parameters, which belong to the page. */
  names(names: readonly string[]): boolean {
    return names.some((name) => Boolean(this.query[name]));
  }

  /** Returns the URL of the first page without these parameters. */
  without(names: readonly string[]): string {
    const rest = Object.fromEntries(Object.entries(this.query).filter(([name]) => !names.includes(name)));
    return new ListAddress(this.list, this.path, rest).with({ page: undefined });
  }

  /** Returns the hidden fields of a list's form: everything except the parts of the state that it sets itself, and the page. */
  kept(set: readonly string[]): { name: string; value: string }[] {
    const own = new Set(['page', ...set].map((part) => this.nameOf(part)));
    return Object.entries(this.query).flatMap(([name, value]) =>
      value === undefined || own.has(name) || name === 'export' || name === 'lang' ? [] : [{ name, value }],
    );
  }

  /** Returns the query parameter of a part of the state. */
  nameOf(part: string): string {
    return this.list.beside ? `${this.list.id}.${part}` : part;
  }

  private get(part: string): string | undefined {
    return this.query[this.nameOf(part)];
  }

  private sortable(wanted: string | undefined): string | undefined {
    const field = wanted?.replace(/^-/, '');
    return this.list.columns.some((column) => column.sortable && column.field === field) ? wanted : undefined;
  }
}

/** Returns the filter's value from the URL; empty if invalid. */
function valueOf({ choices, from, offered, amount }: ShownFilter, given: string): string {
  if (amount) return amountOf(given);
  const isChoice = from || offered ? given.length <= MAX_TEXT : choices.some(([value]) => value === given);
  return isChoice ? given : '';
}

/** Normalizes an amount, in forms accepted by browsers, to digits: `1e1` is `10`. Empty if invalid. */
function amountOf(given: string): string {
  const figures = given.trim() === '' ? '' : String(Number(given));
  return AMOUNT.test(figures) && Number(figures) <= MAX_AMOUNT ? figures : '';
}

function wholeNumber(text: string | undefined, least: number, most: number): number | null {
  const value = Number(text);
  return Number.isInteger(value) && value >= least && value <= most ? value : null;
}
