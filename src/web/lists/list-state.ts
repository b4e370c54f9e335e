import type { ListColumn, ListDeclaration, ListFilter } from '../../sdk/index.js';

/** Rows of a page that can be chosen. */
export const PAGE_SIZES = [20, 50, 100] as const;

const MAX_PAGE = 1_000_000;
const MAX_TEXT = 100;
/** Most yuan anybody may ask for. */
const MAX_AMOUNT = 9_999_999_999.99;
const AMOUNT = /^\d+(?:\.\d{1,2})?$/;

/** Which part of a list is shown. */
export interface ListState {
  readonly page: number;
  readonly size: number;
  /** Field, with `-` for the greatest first; empty for lists without an order. */
  readonly sort: string;
  /** What is looked for, and in which field. */
  readonly text: string;
  readonly column: string;
  /** By field; empty ones are left out. */
  readonly filters: Readonly<Record<string, string>>;
}

/** A filter of a list that its page fills itself. */
export interface ShownFilter extends ListFilter {
  /** More choices, which its page gives with the rows. */
  readonly offered?: true;
  /** Instead of choices: an amount of money is typed. */
  readonly amount?: true;
}

/** What the address of a list depends on. */
export interface ListShape extends Omit<ListDeclaration, 'operation' | 'columns' | 'actions' | 'file' | 'filters'> {
  readonly columns: readonly Pick<ListColumn, 'field' | 'sortable'>[];
  readonly filters?: readonly ShownFilter[];
  /**
   * Of a list whose page looks for a text by itself: what that is called in the address, the text key of what may be looked for, and how
   * many characters it may have.
   */
  readonly text?: { readonly name: string; readonly hint?: string; readonly most?: number };
}

/** The state of a list is its address: reload, back and bookmarks show the same. */
export class ListAddress {
  readonly state: ListState;
  /** What the text that is looked for is called. */
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
      text: (this.get(this.textName) ?? '').trim().slice(0, this.mostText),
      column: columns.find((field) => field === this.get('in')) ?? columns[0] ?? '',
      filters: Object.fromEntries(
        (list.filters ?? []).flatMap((filter) => {
          const value = valueOf(filter, this.get(filter.field) ?? '');
          return value === '' ? [] : [[filter.field, value]];
        }),
      ),
    };
  }

  /** Most characters of the text that is looked for. */
  get mostText(): number {
    return this.list.text?.most ?? MAX_TEXT;
  }

  /** The address with parts of the state changed; `undefined` takes one away. What else stands in the address stays. */
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

  /** Whether the address has a value for one of these names, which belong to the page. */
  names(names: readonly string[]): boolean {
    return names.some((name) => Boolean(this.query[name]));
  }

  /** The address without these names, from the first page on. */
  without(names: readonly string[]): string {
    const rest = Object.fromEntries(Object.entries(this.query).filter(([name]) => !names.includes(name)));
    return new ListAddress(this.list, this.path, rest).with({ page: undefined });
  }

  /** What a form of the list carries along as hidden fields: everything but the parts of the state it sets itself, and the page. */
  kept(set: readonly string[]): { name: string; value: string }[] {
    const own = new Set(['page', ...set].map((part) => this.nameOf(part)));
    return Object.entries(this.query).flatMap(([name, value]) =>
      value === undefined || own.has(name) || name === 'export' || name === 'lang' ? [] : [{ name, value }],
    );
  }

  /** What a part of the state is called in the address. */
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

/** What a filter takes of what the address says; empty where that is none of its values. */
function valueOf({ choices, from, offered, amount }: ShownFilter, given: string): string {
  if (amount) return amountOf(given);
  const isChoice = from || offered ? given.length <= MAX_TEXT : choices.some(([value]) => value === given);
  return isChoice ? given : '';
}

/** An amount as browsers take it, in figures: `1e1` is `10`. Empty for what is none. */
function amountOf(given: string): string {
  const figures = given.trim() === '' ? '' : String(Number(given));
  return AMOUNT.test(figures) && Number(figures) <= MAX_AMOUNT ? figures : '';
}

function wholeNumber(text: string | undefined, least: number, most: number): number | null {
  const value = Number(text);
  return Number.isInteger(value) && value >= least && value <= most ? value : null;
}
