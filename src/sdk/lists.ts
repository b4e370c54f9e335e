import type { CallContext, Translate } from './context.js';

/**
 * A row as the list's operation returns it, with the field names of the response.
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
 * Colours of a badge, by their Tabler names.
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
 * How a cell is displayed.
 *
 * @example
 * ```ts
 * const kinds: Record<string, CellKind> = { price: 'money', until: 'expiry', site: 'link' };
 * svc.log.debug('kinds', kinds);
 * ```
 * @since 1.84.0
 */
export type CellKind =
  /** The value as it is; a dash if empty. */
  | 'text'
  | 'code'
  /** An amount, shown with the sign of the installation's currency. */
  | 'money'
  /** A time as ISO 8601 or in a format of the panel, shown in the reader's language and time zone; files contain the raw value. */
  | 'moment'
  /** The same, without the time of day. */
  | 'day'
  /** A day, or "never". */
  | 'expiry'
  /** An address of a site, or a path of this panel. */
  | 'link'
  /** One of a few states; see {@link ListColumn.badges}. */
  | 'badge'
  /** The actor of an action; see {@link ListColumn.source}. */
  | 'actor'
  /** `{max, dq}` in MB: the limit and how much of it is used. */
  | 'quota'
  /** JSON `{done, total, note}`: progress, as a bar; `total` is 0 if unknown. */
  | 'progress'
  /** The first line; the other lines and {@link ListColumn.rest} are collapsed. */
  | 'brief'
  /** A name with {@link ListColumn.notes} below it. */
  | 'named';

/**
 * A line below the name of a row. Shown if its text is not empty.
 *
 * @example
 * ```ts
 * const overdue: CellNote = { text: (row, t) => (row.late ? t('late') : ''), tone: 'danger' };
 * const name: ListColumn = { field: 'name', title: 'name', kind: 'named', notes: [overdue] };
 * ```
 * @since 1.84.0
 */
export interface CellNote {
  /** Text for this row; empty hides the line. */
  readonly text: (row: ListRow, translate: Translate) => string | readonly string[];
  /** A time that the text contains, as in a cell of kind `moment`: shown in the reader's time zone. Not in collapsed texts. */
  readonly at?: (row: ListRow) => string;
  /** `code` for technical identifiers. */
  readonly tone?: 'danger' | 'code';
  /** Heading under which several texts are collapsed (`{n}`: their number); expanded if there are only a few. */
  readonly fold?: string;
}

/**
 * A column of a list: a field of its rows, and how it is displayed.
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
  /** The cell is never wrapped. */
  readonly whole?: boolean;
  /** For `badge`: colour and text key by value; other values are shown as they are. */
  readonly badges?: Readonly<Record<string, readonly [BadgeColour, string]>>;
  /** For `actor`: the source of an action that no account performed, such as the slug of a gateway; otherwise empty. */
  readonly source?: (row: ListRow) => string;
  /** For `brief`: additional text to collapse; empty for none. */
  readonly rest?: (row: ListRow) => string;
  /** For `named`: display name, if the field holds a technical identifier; empty shows the field. Files contain the field itself. */
  readonly words?: (row: ListRow, translate: Translate) => string;
  /** For `named` and `moment`. */
  readonly notes?: readonly CellNote[];
  /** For `named`: name of the @mdi/svg icon before it, `mdi-…`. */
  readonly icon?: (row: ListRow) => string;
  /** For `named`: path of this panel the name links to; empty for no link. */
  readonly href?: (row: ListRow) => string;
}

/**
 * An action on a row: runs an operation, opens a link, or opens a dialog of the page filled from the row.
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
  /** Rows it applies to; all by default. */
  readonly when?: (row: ListRow) => boolean;
  readonly tone?: 'primary' | 'danger';
  /**
   * Operation of the page's side, called with `fields`, by default the row's `id`; afterwards the list reloads. Together with `dialog`, the
   * operation of its form. Users who may not run it do not see the action.
   */
  readonly operation?: string;
  /** Fields of the operation, computed from the row. */
  readonly fields?: (row: ListRow) => Readonly<Record<string, string>>;
  /** Text key of the confirmation, shown before the action runs; its placeholders are filled from the row. */
  readonly confirm?: string;
  /** Field of the response that holds a URL to open. */
  readonly opens?: string;
  /** Id of the dialog that shows the response. */
  readonly shows?: string;
  /** Id of the element, created by the partial `progress`, that tracks the task named in the response (`task_id`). */
  readonly follows?: string;
  /** What happens after success instead of reloading the lists: the whole page reloads, or nothing. */
  readonly then?: 'reload' | 'nothing';
  /** Path of this panel to open. */
  readonly href?: (row: ListRow) => string;
  /**
   * Id of the dialog of the page to open. `fills` names the row's fields that fill its `data-from` fields; the page contains no other
   * fields of the row.
   */
  readonly dialog?: string;
  readonly fills?: readonly string[];
}

/**
 * An action on several selected rows: an operation receives their ids.
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
  /** Field that receives the ids, separated by commas. */
  readonly field: string;
  /** Text key of the confirmation; `{n}` is the number of rows. Shown before the action runs, except with a `dialog`, which asks itself. */
  readonly confirm: string;
  readonly tone?: 'danger';
  /** Another operation: users who may not run it do not see the action either. */
  readonly needs?: string;
  /** Additional fields of the operation, besides the ids. */
  readonly fields?: Readonly<Record<string, string>>;
  /**
   * Id of the dialog of the page to open instead. Its `data-from` fields are filled from `field` (the ids), `ids` (the same as a JSON
   * array) and `n` (their number).
   */
  readonly dialog?: string;
}

/**
 * A filter that limits the list to rows of one kind.
 *
 * @example
 * ```ts
 * const byState: ListFilter = { field: 'state', label: 'state', choices: [['open', 'open'], ['done', 'done']] };
 * ```
 * @since 1.84.0
 */
export interface ListFilter {
  /** Field of the operation, and the parameter name in the URL. */
  readonly field: string;
  /** Text key. */
  readonly label: string;
  /** Value and text key of each choice. */
  readonly choices: readonly (readonly [string, string])[];
  /**
   * More choices: the first 200 rows of an operation of the page's side. `value` and `title` name the fields that hold the value and its
   * label. Users who may not run the operation do not see these choices. It is called on every page with the list; `fields` are sent with
   * it, for instance to request less data.
   */
  readonly from?: {
    readonly operation: string;
    readonly fields?: Readonly<Record<string, string>>;
    readonly value: string;
    readonly title: string;
  };
}

/**
 * Totals of all rows a list finds, shown above them and following its filters. An operation of the page's side receives the same fields as
 * the list's operation, without page and order, and returns the figures as fields. Users who may not run it do not see them.
 *
 * @example
 * ```ts
 * const totals: ListTotals = { operation: 'p_desk_sums', figures: [{ field: 'open', title: 'open' }] };
 * ```
 * @since 1.84.0
 */
export interface ListTotals {
  readonly operation: string;
  /** Figures in display order; one the operation does not return is omitted. */
  readonly figures: readonly Pick<ListColumn, 'field' | 'title' | 'kind'>[];
}

/**
 * A list of a page. Rows come from an operation of the page's side, so that the page and the API show the same data.
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
  /** Id of the element, and the prefix of the list's state in the URL if a page has several lists. */
  readonly id: string;
  readonly operation: string;
  readonly columns: readonly ListColumn[];
  /** Columns of the CSV file, if they differ from those of the page. */
  readonly file?: readonly ListColumn[];
  /** Default order: a field, with a leading `-` for descending. */
  readonly sort?: string;
  /** Fields the operation's `where` accepts, with the text key of each. */
  readonly search?: readonly (readonly [string, string])[];
  /** Field of an operation with its own text search, instead of `search`. */
  readonly keyword?: string;
  /** URL parameters that are passed to the operation unchanged, such as the plugin a page is about. */
  readonly given?: readonly string[];
  /** Text key of the note above the rows when the URL contains some of `given`, with a link to all rows. */
  readonly narrowed?: string;
  readonly filters?: readonly ListFilter[];
  readonly totals?: ListTotals;
  /** Text key of the message for an empty list. */
  readonly empty: string;
  readonly actions?: readonly RowAction[];
  /** Actions for selected rows; makes rows selectable, by `id`. */
  readonly bulk?: readonly BulkAction[];
  /** The operation returns all rows at once and supports neither paging nor sorting. */
  readonly whole?: boolean;
  /** A second or third list of a page, which keeps its state in the URL under its id. */
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
   * Lists of a page made by a `.liquid` file: the file sees them as `lists`, by id, and renders one with `{% partial 'list', list:
   * lists.<id> %}`.
   */
  readonly lists?: readonly ListDeclaration[];
  /**
   * Data for a page made by a `.liquid` file, besides `plugin`, `page`, `query`, `account` and `lists`, whose names it cannot override:
   * plain data, which the file passes to partials of the theme. Called on every request, with the deadline of a page function. Return null
   * if nothing exists at this address (404). Any other value that is not an object is an error of the plugin.
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
 * Adds types to a list; at run time it returns its argument.
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
