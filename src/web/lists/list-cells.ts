import { type CellKind, type ListColumn, type ListRow, type Translate, currency } from '../../sdk/index.js';

/** A part of a cell. */
export interface Piece {
  readonly kind: 'text' | 'code' | 'link' | 'badge' | 'avatar' | 'fold';
  /** For an avatar: the initial, if there is no image. */
  readonly text: string;
  /** For a link: a path of this site; for an avatar: its image. */
  readonly href?: string;
  /** For a badge. */
  readonly colour?: string;
  /** For a fold: the collapsed text. */
  readonly rest?: string;
}

/** Labelled pieces below a name. */
export interface Detail {
  readonly label: string;
  readonly pieces: readonly Piece[];
}

/** The result of one of several checks. */
export interface Bar {
  readonly ok: boolean;
  /** Tooltip. */
  readonly text: string;
}

/**
 * A column of a list that is filled by its page. Additional kinds: `number`, `pieces`, a list of {@link Piece}s,
 * `details`, a list of {@link Detail}s, and `bars`, a list of {@link Bar}s, shown in files as the number of successes.
 */
export interface ShownColumn extends Omit<ListColumn, 'kind'> {
  readonly kind?: CellKind | 'number' | 'pieces' | 'details' | 'bars';
  /** Text key shown for an empty value; default a dash. */
  readonly none?: string;
}

/** A cell as rendered by a template. */
export interface CellView {
  readonly kind: string;
  /** Heading of its column, for narrow screens. */
  readonly label: string;
  /** A dash for an empty value. */
  readonly text: string;
  /** CSS class: `wide`, `whole`, `moment`, `money`, or none. */
  readonly look: string;
  readonly href?: string;
  /** For `named`. */
  readonly icon?: string;
  readonly colour?: string;
  /** For `quota` and `progress`; a limit of 0 means none. */
  readonly used?: number;
  readonly limit?: number;
  /** For `brief`: the collapsed text; for `progress`: a line below it. */
  readonly rest?: string;
  readonly notes?: readonly NoteView[];
  readonly pieces?: readonly Piece[];
  readonly details?: readonly Detail[];
  readonly bars?: readonly Bar[];
}

/** A mutable cell under construction: copying would double the cost of a list. */
type MadeCell = { -readonly [Part in keyof CellView]: CellView[Part] };

/** A line, or collapsed lines, below a name. */
export interface NoteView {
  readonly lines: readonly string[];
  /** The time to show in place of `⧖`. */
  readonly at?: string;
  readonly danger: boolean;
  readonly code?: boolean;
  readonly fold?: string;
  readonly open?: boolean;
}

/** Fewer lines than this are expanded. */
const FEW_LINES = 3;
/** Longer texts get the remaining width. */
const WIDE_TEXT = 24;
const WIDE_KINDS = ['named', 'brief', 'link', 'details'];
/** Placeholder that the theme's partial `timed` replaces by a time. */
const TIME_PLACE = '⧖';
const MOMENTS = ['moment', 'day', 'expiry'];
const LOCAL_PATH = /^\/(?![/\\])/;
const WEB_ADDRESS = /^https?:\/\//i;

/** Returns the text of a cell for files. */
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
    case 'bars': {
      const bars = value as readonly Bar[];
      return bars.length > 0 ? `${bars.filter(({ ok }) => ok).length} / ${bars.length}` : '';
    }
    default:
      return text;
  }
}

/** Returns a cell for the template. */
export function cellView(column: ShownColumn, row: ListRow, translate: Translate): CellView {
  const cell = cellOfKind(column, row, translate);
  cell.look = lookOf(column, cell);
  if (cell.text === '') {
    cell.kind = 'text';
    cell.text = column.none ? translate(column.none) : '–';
  }
  return cell;
}

function lookOf(column: ShownColumn, { kind, text, notes }: MadeCell): string {
  if (MOMENTS.includes(kind) && !notes) return 'moment';
  if (notes || WIDE_KINDS.includes(kind) || text.length > WIDE_TEXT) return 'wide';
  if (kind === 'money') return 'money';
  return column.whole ? 'whole' : '';
}

function cellOfKind(column: ShownColumn, row: ListRow, translate: Translate): MadeCell {
  const value = row[column.field];
  const text = cellText(column, row, translate);
  const kind = column.kind ?? 'text';
  const cell: MadeCell = { kind, label: translate(column.title), text, look: '' };
  switch (kind) {
    case 'link': {
      const isSafe = WEB_ADDRESS.test(text) || LOCAL_PATH.test(text);
      return isSafe ? Object.assign(cell, { href: text, text: text.replace(WEB_ADDRESS, '') }) : Object.assign(cell, { kind: 'text' });
    }
    case 'badge':
      return Object.assign(cell, { colour: column.badges?.[String(value)]?.[0] ?? 'secondary' });
    case 'actor':
      return (column.source?.(row) ?? '') === ''
        ? Object.assign(cell, { kind: 'text' })
        : Object.assign(cell, { kind: 'badge', colour: 'yellow' });
    case 'quota':
      return Object.assign(cell, quotaOf(value));
    case 'progress': {
      const { done, total, note } = progressOf(value);
      return Object.assign(cell, { used: done, limit: total, rest: note });
    }
    case 'brief': {
      const [first, ...lines] = text.split('\n');
      const rest = [...lines, column.rest?.(row) ?? ''].filter((line, at) => at < lines.length || line !== '').join('\n');
      return rest === '' ? Object.assign(cell, { kind: 'text' }) : Object.assign(cell, { text: first!, rest });
    }
    case 'pieces':
      return Object.assign(cell, { pieces: value as readonly Piece[] });
    case 'details':
      return Object.assign(cell, { details: value as readonly Detail[] });
    case 'bars':
      return Object.assign(cell, { bars: value as readonly Bar[] });
    case 'moment':
      return column.notes ? Object.assign(cell, { notes: notesOf(column, row, translate) }) : cell;
    case 'named':
      return Object.assign(cell, {
        text: column.words?.(row, translate) || text,
        notes: notesOf(column, row, translate),
        ...leadOf(column, row),
      });
    default:
      return cell;
  }
}

const piecesText = (pieces: readonly Piece[]): string =>
  pieces
    .filter(({ kind }) => kind !== 'avatar')
    .map(({ text }) => text)
    .join(' ');

function notesOf(column: ShownColumn, row: ListRow, translate: Translate): NoteView[] {
  return (column.notes ?? []).flatMap(({ text, at, tone, fold }) => {
    const lines = [text(row, translate)].flat().filter((line) => line !== '');
    if (lines.length === 0) return [];
    const folded = fold === undefined ? {} : { fold: translate(fold, { n: lines.length }), open: lines.length < FEW_LINES };
    // Collapsed lines contain text only.
    const time = fold === undefined ? (at?.(row) ?? '') : '';
    const timed = time === '' ? { lines } : { lines: lines.map((line) => line.replace(time, TIME_PLACE)), at: time };
    return [{ ...timed, danger: tone === 'danger', ...(tone === 'code' && { code: true }), ...folded }];
  });
}

/** Returns the icon and link of a name; unsafe URLs are dropped. */
function leadOf({ icon, href }: ShownColumn, row: ListRow): Pick<CellView, 'icon' | 'href'> {
  const address = href?.(row) ?? '';
  return { ...(icon ? { icon: icon(row) } : {}), ...(LOCAL_PATH.test(address) ? { href: address } : {}) };
}

function quotaOf(value: unknown): { used: number; limit: number } {
  const { dq, max } = partsOf(value);
  return { used: Number(dq) || 0, limit: Number(max) || 0 };
}

function progressOf(value: unknown): { done: number; total: number; note: string } {
  const { done, total, note } = partsOf(value);
  return { done: Number(done) || 0, total: Number(total) || 0, note: typeof note === 'string' ? note : '' };
}

/** Returns a composite value, given directly or as JSON; empty if it is neither. */
function partsOf(value: unknown): Record<string, unknown> {
  try {
    const parts: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return (parts ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
