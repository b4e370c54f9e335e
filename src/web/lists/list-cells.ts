import { isSafeUrl } from '../../theme/index.js';

import type { ListColumn, ListRow, RowAction, Translate } from '../../sdk/index.js';

/** What a template needs to show a cell. */
export interface CellView {
  readonly kind: string;
  /** Heading of its column, for narrow screens. */
  readonly label: string;
  readonly text: string;
  readonly whole: boolean;
  readonly href?: string;
  readonly colour?: string;
  /** Of `quota`; a limit of 0 is none. */
  readonly used?: number;
  readonly limit?: number;
  /** Of `brief`: what is folded away. */
  readonly rest?: string;
  readonly notes?: readonly NoteView[];
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
  readonly tone: string;
  readonly href?: string;
  readonly operation?: string;
  /** JSON. */
  readonly fields?: string;
  readonly confirm?: string;
  readonly opens?: string;
  readonly shows?: string;
  readonly then: string;
  readonly dialog?: string;
  /** The row as JSON, for the dialog. */
  readonly row?: string;
}

/** Folded lines stand open while they are fewer. */
const FEW_LINES = 3;
const LOCAL_PATH = /^\/(?![/\\])/;
const WEB_ADDRESS = /^https?:\/\//i;

/** The text of a cell, as a file has it. */
export function cellText(column: ListColumn, row: ListRow, translate: Translate): string {
  const value = row[column.field];
  const text = value === null || value === undefined ? '' : String(value);
  switch (column.kind) {
    case 'money':
      return text && `¥${text}`;
    case 'expiry':
      return ['', '0', '0000-00-00'].includes(text) ? translate('common.never') : text;
    case 'badge': {
      const badge = column.badges?.[text];
      return badge ? translate(badge[1]) : text;
    }
    case 'actor': {
      const source = sourceOf(text);
      return source === undefined ? text : translate('log.outside', { source });
    }
    case 'quota': {
      const { used, limit } = quotaOf(value);
      return limit > 0 ? `${used} / ${limit} MB` : `${used} MB`;
    }
    default:
      return text;
  }
}

/** A cell for the template. */
export function cellView(column: ListColumn, row: ListRow, translate: Translate): CellView {
  const value = row[column.field];
  const text = cellText(column, row, translate);
  const kind = column.kind ?? 'text';
  const cell: CellView = { kind, label: translate(column.title), text, whole: column.whole ?? false };
  switch (kind) {
    case 'link': {
      const isSafe = WEB_ADDRESS.test(text) || LOCAL_PATH.test(text);
      return isSafe ? { ...cell, href: text, text: text.replace(WEB_ADDRESS, '') } : { ...cell, kind: 'text' };
    }
    case 'badge':
      return { ...cell, colour: column.badges?.[String(value)]?.[0] ?? 'secondary' };
    case 'actor':
      return sourceOf(String(value ?? '')) === undefined ? { ...cell, kind: 'text' } : { ...cell, kind: 'badge', colour: 'yellow' };
    case 'quota':
      return { ...cell, ...quotaOf(value) };
    case 'brief': {
      const [first, ...rest] = text.split('\n');
      return rest.length === 0 ? { ...cell, kind: 'text' } : { ...cell, text: first!, rest: rest.join('\n') };
    }
    case 'named':
      return { ...cell, notes: notesOf(column, row, translate) };
    default:
      return cell;
  }
}

/** A row's actions for the template: those it allows. */
export function actionViews(actions: readonly RowAction[], row: ListRow, translate: Translate): ActionView[] {
  return (
    actions
      .filter((action) => action.when?.(row) ?? true)
      .map((action) => ({ action, href: action.href?.(row) }))
      // An address that may run something is no link, whoever made it.
      .filter(({ href }) => href === undefined || isSafeUrl(href))
      .map(({ action, href }) => ({
        label: translate(action.label),
        tone: action.tone ?? '',
        href,
        operation: action.operation,
        fields: action.operation && JSON.stringify(action.fields?.(row) ?? {}),
        confirm: action.confirm && translate(action.confirm, placesOf(row)),
        opens: action.opens,
        shows: action.shows,
        then: action.then ?? 'list',
        dialog: action.dialog,
        row: action.dialog && JSON.stringify(Object.fromEntries((action.fills ?? []).map((field) => [field, row[field]]))),
      }))
  );
}

function notesOf(column: ListColumn, row: ListRow, translate: Translate): NoteView[] {
  return (column.notes ?? []).flatMap(({ text, tone, fold }) => {
    const lines = [text(row, translate)].flat().filter((line) => line !== '');
    if (lines.length === 0) return [];
    const folded = fold === undefined ? {} : { fold: translate(fold, { n: lines.length }), open: lines.length < FEW_LINES };
    return [{ lines, danger: tone === 'danger', ...folded }];
  });
}

function placesOf(row: ListRow): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')]));
}

function sourceOf(actor: string): string | undefined {
  return /^callback:(.*)$/s.exec(actor)?.[1];
}

function quotaOf(value: unknown): { used: number; limit: number } {
  let quota = value;
  try {
    if (typeof value === 'string') quota = JSON.parse(value);
  } catch {
    quota = null;
  }
  const { dq, max } = (quota ?? {}) as { dq?: unknown; max?: unknown };
  return { used: Number(dq) || 0, limit: Number(max) || 0 };
}
