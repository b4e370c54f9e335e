import type { CallContext, Translate } from './context.js';

/**
 * A row as the list's operation answers it: the columns of the wire.
 *
 * @example
 * ```ts
 * const isOpen = (row: ListRow): boolean => row.state === 'open';
 * svc.log.debug('open', { open: isOpen({ state: 'open' }) });
 * ```
 * @since 1.84.0
 */
export type ListRow = Readonly<Record<string, unknown>>;

/**
 * Colours of a badge, as Tabler names them.
 *
 * @example
 * ```ts
 * const colours: Record<string, BadgeColour> = { open: 'yellow', done: 'green' };
 * svc.log.debug('colours', colours);
 * ```
 * @since 1.84.0
 */
export type BadgeColour = 'green' | 'yellow' | 'orange' | 'red' | 'blue' | 'azure' | 'purple' | 'secondary';

/**
 * What a cell shows besides its text.
 *
 * @example
 * ```ts
 * const kinds: Record<string, CellKind> = { price: 'money', until: 'expiry', site: 'link' };
 * svc.log.debug('kinds', kinds);
 * ```
 * @since 1.84.0
 */
export type CellKind =
  /** The value as it is; a dash where there is none. */
  | 'text'
  | 'code'
  /** Yuan. */
  | 'money'
  /** A time as ISO 8601 or a field of the panel has it, shown as the reader's language and clock have it; files have it as it is. */
  | 'moment'
  /** Likewise, the day alone. */
  | 'day'
  /** A day, or "never". */
  | 'expiry'
  /** An address of a site, or a path of this panel. */
  | 'link'
  /** One of a few states; see {@link ListColumn.badges}. */
  | 'badge'
  /** Who did something; see {@link ListColumn.source}. */
  | 'actor'
  /** `{max, dq}` in MB: what is used of a limit. */
  | 'quota'
  /** JSON `{done, total, note}`: how far something is, as a bar; `total` 0 where that is not known. */
  | 'progress'
  /** The first line; the rest folded away, and what {@link ListColumn.rest} says. */
  | 'brief'
  /** A name with {@link ListColumn.notes} below it. */
  | 'named';

/**
 * A line below the name of a row. Shown where the row has something to say.
 *
 * @example
 * ```ts
 * const overdue: CellNote = { text: (row, t) => (row.late ? t('late') : ''), tone: 'danger' };
 * const name: ListColumn = { field: 'name', title: 'name', kind: 'named', notes: [overdue] };
 * ```
 * @since 1.84.0
 */
export interface CellNote {
  /** What stands there for this row; empty leaves the line out. */
  readonly text: (row: ListRow, translate: Translate) => string | readonly string[];
  /** A time that the text says, as a cell of kind `moment` has it: shown on the reader's clock there. Not in texts that are folded. */
  readonly at?: (row: ListRow) => string;
  /** `code` for what machines call it. */
  readonly tone?: 'danger' | 'code';
  /** Several texts are folded under this heading (`{n}`: how many), open while they are few. */
  readonly fold?: string;
}

/**
 * A column of a list: a field of its rows, and how it is shown.
 *
 * @example
 * ```ts
 * const badges: ListColumn['badges'] = { open: ['yellow', 'open'], done: ['green', 'done'] };
 * const state: ListColumn = { field: 'state', title: 'state', kind: 'badge', badges };
 * ```
 * @since 1.84.0
 */
export interface ListColumn {
  /** Field of the row. */
  readonly field: string;
  /** Text key. */
  readonly title: string;
  readonly kind?: CellKind;
  /** Whether the list's operation can sort by the field. */
  readonly sortable?: boolean;
  /** Never broken into lines. */
  readonly whole?: boolean;
  /** Of `badge`: colour and text key by value; another value is shown as it is. */
  readonly badges?: Readonly<Record<string, readonly [BadgeColour, string]>>;
  /** Of `actor`: where it came in, such as the slug of a gateway, of what nobody with an account did; empty for anything else. */
  readonly source?: (row: ListRow) => string;
  /** Of `brief`: what is folded away besides; empty for nothing. */
  readonly rest?: (row: ListRow) => string;
  /** Of `named`: the name in words, where the field is what machines call it; empty for the field. Files have the field as it is. */
  readonly words?: (row: ListRow, translate: Translate) => string;
  /** Of `named` and `moment`. */
  readonly notes?: readonly CellNote[];
  /** Of `named`: name of an icon of @mdi/svg before it, `mdi-…`. */
  readonly icon?: (row: ListRow) => string;
  /** Of `named`: path of this panel the name leads to; empty for none. */
  readonly href?: (row: ListRow) => string;
}

/**
 * What can be done with a row: runs an operation, leads somewhere, or opens a dialog of the page filled from the row.
 *
 * @example
 * ```ts
 * const close: RowAction = {
 *   label: 'close',
 *   when: (row) => row.state === 'open',
 *   operation: 'p_desk_close',
 *   fields: (row) => ({ id: String(row.id) }),
 *   confirm: 'close_confirm',
 * };
 * ```
 * @since 1.84.0
 */
export interface RowAction {
  /** Text key. */
  readonly label: string;
  /** For which rows; all where nothing is said. */
  readonly when?: (row: ListRow) => boolean;
  readonly tone?: 'primary' | 'danger';
  /**
   * Operation of the page's side, with these fields, `id` of the row where nothing is said; afterwards the list is loaded again. Beside
   * `dialog`, the operation of its form. Who may not run it does not see the action.
   */
  readonly operation?: string;
  /** Fields of the operation, made from the row. */
  readonly fields?: (row: ListRow) => Readonly<Record<string, string>>;
  /** Text key of what will happen, asked before; its places are filled from the row. */
  readonly confirm?: string;
  /** Field of the answer that holds an address to open. */
  readonly opens?: string;
  /** Id of the dialog that shows the answer. */
  readonly shows?: string;
  /** Id of the place, made by the partial `progress`, that follows the task the answer names (`task_id`). */
  readonly follows?: string;
  /** After success: the whole page is loaded again instead of its lists, or nothing is. */
  readonly then?: 'reload' | 'nothing';
  /** Path of this panel. */
  readonly href?: (row: ListRow) => string;
  /**
   * Id of the dialog of the page that is opened, with its `data-from` fields filled from these fields of the row: the page holds no
   * others.
   */
  readonly dialog?: string;
  readonly fills?: readonly string[];
}

/**
 * What can be done with several rows at once: an operation takes their ids.
 *
 * @example
 * ```ts
 * const remove: BulkAction = { label: 'delete', operation: 'p_desk_delete', field: 'ids', confirm: 'delete_confirm', tone: 'danger' };
 * ```
 * @since 1.84.0
 */
export interface BulkAction {
  /** Text key. */
  readonly label: string;
  readonly operation: string;
  /** Field that takes the ids, with commas. */
  readonly field: string;
  /** Text key of what will happen; `{n}` is how many rows. Asked before, but for one with a `dialog`, which says it itself. */
  readonly confirm: string;
  readonly tone?: 'danger';
  /** Another operation: who may not run it does not see the action either. */
  readonly needs?: string;
  /** What the operation is given besides the ids. */
  readonly fields?: Readonly<Record<string, string>>;
  /**
   * Id of the dialog of the page that is opened instead, with its `data-from` fields filled from `field`, the ids, `ids`, the same as a
   * JSON array, and `n`, how many they are.
   */
  readonly dialog?: string;
}

/**
 * Narrows the list to rows of one kind.
 *
 * @example
 * ```ts
 * const byState: ListFilter = { field: 'state', label: 'state', choices: [['open', 'open'], ['done', 'done']] };
 * ```
 * @since 1.84.0
 */
export interface ListFilter {
  /** Field of the operation, and the name in the address. */
  readonly field: string;
  /** Text key. */
  readonly label: string;
  /** Value and text key of each choice. */
  readonly choices: readonly (readonly [string, string])[];
  /**
   * More choices: the first 200 rows of an operation of the page's side, by the names of the fields that hold their value
   * and their title. Who may not run it is not offered them. It is asked on every page the list is on: `fields` go to it
   * besides, for instance to ask for less.
   */
  readonly from?: {
    readonly operation: string;
    readonly fields?: Readonly<Record<string, string>>;
    readonly value: string;
    readonly title: string;
  };
}

/**
 * What the rows a list finds come to, shown above them and following its filters: an operation of the page's side is given what the list's
 * own is given, but for page and order, and answers the figures as fields. Who may not run it does not see them.
 *
 * @example
 * ```ts
 * const totals: ListTotals = { operation: 'p_desk_sums', figures: [{ field: 'open', title: 'open' }] };
 * ```
 * @since 1.84.0
 */
export interface ListTotals {
  readonly operation: string;
  /** In their order; one the operation says nothing of is left out. */
  readonly figures: readonly Pick<ListColumn, 'field' | 'title' | 'kind'>[];
}

/**
 * A list of a page. Rows come from an operation of the page's side, so that page and wire show the same.
 *
 * @example
 * ```ts
 * const tickets: ListDeclaration = {
 *   id: 'tickets',
 *   operation: 'p_desk_tickets',
 *   empty: 'no_tickets',
 *   columns: [{ field: 'subject', title: 'subject' }],
 *   filters: [{ field: 'state', label: 'state', choices: [['open', 'open']] }],
 * };
 * ```
 * @since 1.84.0
 */
export interface ListDeclaration {
  /** Names the element, and what the list keeps in the address, where a page has several lists. */
  readonly id: string;
  readonly operation: string;
  readonly columns: readonly ListColumn[];
  /** Columns of the CSV file, where they are others than those of the page. */
  readonly file?: readonly ListColumn[];
  /** Order before anybody chose one: a field, with `-` for the greatest first. */
  readonly sort?: string;
  /** Fields the operation's `where` takes, with the text key of each. */
  readonly search?: readonly (readonly [string, string])[];
  /** Field of an operation that looks for a text by itself, instead of `search`. */
  readonly keyword?: string;
  /** Names of the address the operation takes as they are, such as the plugin a page is about. */
  readonly given?: readonly string[];
  /** Text key of what stands above the rows where the address names some of `given`, with a link to all rows. */
  readonly narrowed?: string;
  readonly filters?: readonly ListFilter[];
  readonly totals?: ListTotals;
  /** Text key of what an empty list says. */
  readonly empty: string;
  readonly actions?: readonly RowAction[];
  /** Rows can be chosen; `id` names each. */
  readonly bulk?: readonly BulkAction[];
  /** The operation gives all rows at once and knows neither pages nor orders. */
  readonly whole?: boolean;
  /** A second or third list of a page, which keeps its state in the address under its id. */
  readonly beside?: boolean;
}

/**
 * What a plugin's page has besides its file.
 *
 * @example
 * ```ts
 * const options: PluginPageOptions = {
 *   lists: [{ id: 'tickets', operation: 'p_desk_tickets', empty: 'no_tickets', columns: [{ field: 'subject', title: 'subject' }] }],
 * };
 * svc.svc_register_page('admin', 'tickets', 'pages/tickets.liquid', 'tickets', options);
 * ```
 * @since 1.84.0
 */
export interface PluginPageOptions {
  /**
   * Lists of a page made by a `.liquid` file: the file sees them as `lists`, by their ids, and shows one by `{% partial 'list', list:
   * lists.<id> %}`.
   */
  readonly lists?: readonly ListDeclaration[];
  /**
   * What a page made by a `.liquid` file sees besides `plugin`, `page`, `query`, `account` and `lists`, which none of its names replaces:
   * plain data, which the file gives to partials of the theme. Asked on every request, with the deadline of a page function; null: there
   * is nothing at this address, 404. Whatever else is no object is a fault of the plugin.
   *
   * @example
   * ```ts
   * // pages/ticket.liquid: {% partial 'stat', label: 'Answers', value: answers %} {% field 'subject', label: 'Subject', value: subject %}
   * const tickets = new Map([['7', { subject: 'No mail', answers: 2 }]]);
   * svc.svc_register_page('admin', 'ticket', 'pages/ticket.liquid', 'Ticket', {
   *   data: ({ query }) => tickets.get(query.id ?? '') ?? null,
   * });
   * ```
   * @since 1.84.0
   */
  readonly data?: (ctx: CallContext) => object | null | Promise<object | null>;
}

/**
 * Gives a list its types; at run time it returns what it got.
 *
 * @example
 * ```ts
 * const TICKETS = defineList({
 *   id: 'tickets',
 *   operation: 'p_desk_tickets', // answers {total, rows} for page, limit, sort, sortOrder and where
 *   sort: '-id',
 *   empty: 'desk.no_tickets',
 *   columns: [{ field: 'id', title: 'desk.number', sortable: true }, { field: 'subject', title: 'desk.subject' }],
 * });
 * svc.svc_register_page('admin', 'tickets', 'pages/tickets.liquid', 'desk.tickets', { lists: [TICKETS] });
 * ```
 * @since 1.84.0
 */
export const defineList = (list: ListDeclaration): ListDeclaration => list;
