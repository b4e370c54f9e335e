import { isSafeUrl } from '../../theme/index.js';

import { type CellKind, type ListColumn, type ListRow, type RowAction, type Translate, currency } from '../../sdk/index.js';

/** A part of a cell. */
export interface Piece {
  readonly kind: 'text' | 'code' | 'link' | 'badge' | 'avatar';
  /** Of an avatar: a letter, for who has no picture. */
  readonly text: string;
  /** Of a link: a path of this site; of an avatar: its picture. */
  readonly href?: string;
  /** Of a badge. */
  readonly colour?: string;
}

/** Pieces behind a name. */
export interface Detail {
  readonly label: string;
  readonly pieces: readonly Piece[];
}

/**
 * A column of a list that its page fills itself. Besides what a declared list has: `moment` and `day`, a time as ISO 8601 has it, `number`,
 * `pieces`, a list of {@link Piece}s, and `details`, a list of {@link Detail}s.
 */
export interface ShownColumn extends Omit<ListColumn, 'kind'> {
  readonly kind?: CellKind | 'moment' | 'day' | 'number' | 'pieces' | 'details';
  /** Text key of what stands where there is nothing; a dash where nothing is said. */
  readonly none?: string;
}

/** What can be done with a row. */
export interface ShownAction extends RowAction {
  /** Address a form with {@link RowAction.fields} is posted to, also without a script. */
  readonly post?: (row: ListRow) => string;
}

/** What a template needs to show a cell. */
export interface CellView {
  readonly kind: string;
  /** Heading of its column, for narrow screens. */
  readonly label: string;
  /** A dash where there is nothing. */
  readonly text: string;
  /** CSS class: `wide`, `whole`, `money`, or none. */
  readonly look: string;
  readonly href?: string;
  /** Of `named`. */
  readonly icon?: string;
  readonly colour?: string;
  /** Of `quota` and `progress`; a limit of 0 is none. */
  readonly used?: number;
  readonly limit?: number;
  /** Of `brief`: what is folded away; of `progress`: a line below it. */
  readonly rest?: string;
  readonly notes?: readonly NoteView[];
  readonly pieces?: readonly Piece[];
  readonly details?: readonly Detail[];
}

/** A line, or folded lines, below a name. */
export interface NoteView {
  readonly lines: readonly string[];
  readonly danger: boolean;
  readonly fold?: string;
  readonly open?: boolean;
}

/** A button or link of a row. */
export interface ActionView {
  readonly label: string;
  /** CSS classes. */
  readonly look: string;
  /** The first and the last action of those that stand in a menu. */
  readonly opens_menu: boolean;
  readonly closes_menu: boolean;
  readonly href?: string;
  /** Address of a form, and its fields. */
  readonly post?: string;
  readonly inputs?: readonly { name: string; value: string }[];
  readonly operation?: string;
  /** JSON. */
  readonly fields?: string;
  readonly confirm?: string;
  readonly opens?: string;
  readonly shows?: string;
  readonly follows?: string;
  readonly then: string;
  readonly dialog?: string;
  /** The row as JSON, for the dialog. */
  readonly row?: string;
}

/** Folded lines stand open while they are fewer. */
const FEW_LINES = 3;
/** Texts longer than this get the width that is left. */
const WIDE_TEXT = 24;
const WIDE_KINDS = ['named', 'brief', 'link', 'details'];
const MOMENTS = ['moment', 'day'];
/** Of more actions than this, all but the first two stand in a menu. */
const MAX_BUTTONS = 3;
const BUTTONS_BEFORE_MENU = 2;
const BUTTON_LOOKS = { primary: 'btn btn-sm btn-primary', danger: 'btn btn-sm btn-outline-danger', plain: 'btn btn-sm' };
const MENU_LOOKS = { primary: 'dropdown-item', danger: 'dropdown-item text-danger', plain: 'dropdown-item' };
const LOCAL_PATH = /^\/(?![/\\])/;
const WEB_ADDRESS = /^https?:\/\//i;

/** The text of a cell, as a file has it. */
export function cellText(column: ShownColumn, row: ListRow, translate: Translate): string {
  const value = row[column.field];
  const text = value === null || value === undefined ? '' : String(value);
  switch (column.kind) {
    case 'money':
      return text && `${currency().sign}${text}`;
    case 'expiry':
      return ['', '0', '0000-00-00'].includes(text) ? translate('common.never') : text;
    case 'badge': {
      const badge = column.badges?.[text];
      return badge ? translate(badge[1]) : text;
    }
    case 'actor': {
      const source = column.source?.(row) ?? '';
      return source === '' ? text : translate('log.outside', { source });
    }
    case 'quota': {
      const { used, limit } = quotaOf(value);
      return limit > 0 ? `${used} / ${limit} MB` : `${used} MB`;
    }
    case 'progress': {
      const { done, total } = progressOf(value);
      if (text === '') return text;
      return total > 0 ? `${done} / ${total}` : String(done);
    }
    case 'pieces':
      return piecesText(value as readonly Piece[]);
    case 'details':
      return (value as readonly Detail[]).map(({ label, pieces }) => `${label}: ${piecesText(pieces)}`).join('\n');
    default:
      return text;
  }
}

/** A cell for the template. */
export function cellView(column: ShownColumn, row: ListRow, translate: Translate): CellView {
  const cell = cellOfKind(column, row, translate);
  const none = column.none ? translate(column.none) : '–';
  return { ...cell, look: lookOf(column, cell), ...(cell.text === '' ? { kind: 'text', text: none } : {}) };
}

function lookOf(column: ShownColumn, { kind, text }: { kind: string; text: string }): string {
  if (MOMENTS.includes(kind)) return 'whole';
  if (WIDE_KINDS.includes(kind) || text.length > WIDE_TEXT) return 'wide';
  if (kind === 'money') return 'money';
  return column.whole ? 'whole' : '';
}

function cellOfKind(column: ShownColumn, row: ListRow, translate: Translate): Omit<CellView, 'look'> {
  const value = row[column.field];
  const text = cellText(column, row, translate);
  const kind = column.kind ?? 'text';
  const cell = { kind, label: translate(column.title), text };
  switch (kind) {
    case 'link': {
      const isSafe = WEB_ADDRESS.test(text) || LOCAL_PATH.test(text);
      return isSafe ? { ...cell, href: text, text: text.replace(WEB_ADDRESS, '') } : { ...cell, kind: 'text' };
    }
    case 'badge':
      return { ...cell, colour: column.badges?.[String(value)]?.[0] ?? 'secondary' };
    case 'actor':
      return (column.source?.(row) ?? '') === '' ? { ...cell, kind: 'text' } : { ...cell, kind: 'badge', colour: 'yellow' };
    case 'quota':
      return { ...cell, ...quotaOf(value) };
    case 'progress': {
      const { done, total, note } = progressOf(value);
      return { ...cell, used: done, limit: total, rest: note };
    }
    case 'brief': {
      const [first, ...rest] = text.split('\n');
      return rest.length === 0 ? { ...cell, kind: 'text' } : { ...cell, text: first!, rest: rest.join('\n') };
    }
    case 'pieces':
      return { ...cell, pieces: value as readonly Piece[] };
    case 'details':
      return { ...cell, details: value as readonly Detail[] };
    case 'named':
      return { ...cell, notes: notesOf(column, row, translate), ...leadOf(column, row) };
    default:
      return cell;
  }
}

/** A row's actions for the template: those it allows. */
export function actionViews(actions: readonly ShownAction[], row: ListRow, translate: Translate): ActionView[] {
  const places = placesOf(row);
  return (
    actions
      .filter((action) => action.when?.(row) ?? true)
      .map((action) => ({ action, href: action.href?.(row) }))
      // An address that may run something is no link, whoever made it.
      .filter(({ href }) => href === undefined || isSafeUrl(href))
      .map(({ action, href }, at, { length }) => ({
        label: translate(action.label),
        ...placeOf(at, length, action.tone ?? 'plain'),
        href,
        post: action.post?.(row),
        inputs: action.post && Object.entries(action.fields?.(row) ?? {}).map(([name, value]) => ({ name, value })),
        operation: action.operation,
        fields: action.operation && JSON.stringify(action.fields?.(row) ?? { id: String(row.id ?? '') }),
        confirm: action.confirm && translate(action.confirm, places),
        opens: action.opens,
        shows: action.shows,
        follows: action.follows,
        then: action.then ?? 'list',
        dialog: action.dialog,
        row: action.dialog && JSON.stringify(Object.fromEntries((action.fills ?? []).map((field) => [field, row[field]]))),
      }))
  );
}

const piecesText = (pieces: readonly Piece[]): string =>
  pieces
    .filter(({ kind }) => kind !== 'avatar')
    .map(({ text }) => text)
    .join(' ');

/** A few actions are buttons; of many, the others stand in a menu. */
function placeOf(at: number, count: number, tone: keyof typeof BUTTON_LOOKS): Pick<ActionView, 'look' | 'opens_menu' | 'closes_menu'> {
  const hasMenu = count > MAX_BUTTONS;
  const inMenu = hasMenu && at >= BUTTONS_BEFORE_MENU;
  return {
    look: (inMenu ? MENU_LOOKS : BUTTON_LOOKS)[tone],
    opens_menu: hasMenu && at === BUTTONS_BEFORE_MENU,
    closes_menu: hasMenu && at === count - 1,
  };
}

function notesOf(column: ShownColumn, row: ListRow, translate: Translate): NoteView[] {
  return (column.notes ?? []).flatMap(({ text, tone, fold }) => {
    const lines = [text(row, translate)].flat().filter((line) => line !== '');
    if (lines.length === 0) return [];
    const folded = fold === undefined ? {} : { fold: translate(fold, { n: lines.length }), open: lines.length < FEW_LINES };
    return [{ lines, danger: tone === 'danger', ...folded }];
  });
}

/** The icon of a name, and where it leads; an address that may run something is no link. */
function leadOf({ icon, href }: ShownColumn, row: ListRow): Pick<CellView, 'icon' | 'href'> {
  const address = href?.(row) ?? '';
  return { ...(icon ? { icon: icon(row) } : {}), ...(LOCAL_PATH.test(address) ? { href: address } : {}) };
}

function placesOf(row: ListRow): Record<string, string> {
  const places: Record<string, string> = {};
  for (const name of Object.keys(row)) places[name] = String(row[name] ?? '');
  return places;
}

function quotaOf(value: unknown): { used: number; limit: number } {
  const { dq, max } = partsOf(value);
  return { used: Number(dq) || 0, limit: Number(max) || 0 };
}

function progressOf(value: unknown): { done: number; total: number; note: string } {
  const { done, total, note } = partsOf(value);
  return { done: Number(done) || 0, total: Number(total) || 0, note: typeof note === 'string' ? note : '' };
}

/** A value of several parts, as it is or as JSON; without any where it is neither. */
function partsOf(value: unknown): Record<string, unknown> {
  try {
    const parts: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return (parts ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
