import { fillPlaceholders } from '../../common/index.js';
import type { ListRow, RowAction, Translate } from '../../sdk/index.js';
import { constantData, isSafeUrl, trustedHtml, type TrustedHtml } from '../../theme/index.js';

/** An action on a row. */
export interface ShownAction extends RowAction {
  /** URL that a form with {@link RowAction.fields} is posted to; works without scripts. */
  readonly post?: (row: ListRow) => string;
}

/** A button or link of a row, or a menu entry, which contains no row-specific values. */
export interface ActionView {
  readonly kind: 'link' | 'form' | 'dialog' | 'operation';
  /** Index among the list's actions. */
  readonly number: number;
  readonly label: string;
  /** CSS classes. */
  readonly look: string;
  readonly href?: string;
  /** Action URL of a form, and its fields. */
  readonly post?: string;
  readonly inputs?: readonly { name: string; value: string }[];
  readonly operation?: string;
  /** JSON. */
  readonly fields?: string;
  /** In menus with unfilled placeholders. */
  readonly confirm?: string;
  readonly opens?: string;
  readonly shows?: string;
  readonly follows?: string;
  readonly then?: string;
  readonly dialog?: string;
}

/** The actions of a row. */
export interface RowActions {
  /** Actions shown as buttons. */
  readonly actions: readonly ActionView[];
  /** Numbers of its menu entries, separated by blanks; empty: no menu. */
  readonly menu: string;
}

/** The actions of all rows of a page. */
export interface ActionsView {
  readonly rows: readonly RowActions[];
  /** All menu entries once: the script builds a row's menu from them when it is opened. */
  readonly menu: readonly ActionView[];
  /** Row data for the script: {@link ScriptValues} as JSON; null if none is needed. */
  readonly values: TrustedHtml | null;
}

/** Data that the script fills into menus and dialogs. */
interface ScriptValues {
  /** By number of an action that opens a dialog: the row fields that the dialog is filled from. */
  readonly fills: Readonly<Record<number, readonly string[]>>;
  readonly rows: readonly RowValues[];
}

interface RowValues {
  /** All fields used by dialogs and confirmations, and the row's `id`. */
  readonly row: Readonly<Record<string, unknown>>;
  /** Link targets by action number. */
  readonly hrefs: Readonly<Record<number, string>>;
  /** Submitted fields by action number, if other than `id` alone. */
  readonly fields: Readonly<Record<number, Readonly<Record<string, string>>>>;
}

/** With more actions than this, all but the first two are in a menu. */
const MAX_BUTTONS = 3;
const BUTTONS_BEFORE_MENU = 2;
const BUTTON_LOOKS = { primary: 'btn btn-sm btn-primary', danger: 'btn btn-sm btn-outline-danger', plain: 'btn btn-sm' };
const MENU_LOOKS = { primary: 'dropdown-item', danger: 'dropdown-item text-danger', plain: 'dropdown-item' };
/** Cached views of an action, by position and texts, which depend on language and theme. */
const keptViews = new WeakMap<ShownAction, Map<string, ActionView>>();
const MAX_VIEWS = 20;
const PLACE = /\{(\w+)\}/g;

/** Returns the actions of rows for the template, restricted to those each row allows. */
export function actionsView(actions: readonly ShownAction[], rows: readonly ListRow[], say: Translate): ActionsView {
  const listed = actions.map((action, number) => new ListedAction(action, number, say));
  const needed = [...new Set(['id', ...listed.flatMap(({ needs }) => needs)])];
  const menu = new Set<ListedAction>();
  const values: RowValues[] = [];
  let isScripted = false;
  const views = rows.map((row): RowActions => {
    const allowed = listed.map((action) => action.of(row)).filter((action) => action !== null);
    const count = buttonsOf(allowed);
    const buttons = allowed.slice(0, count);
    const others = allowed.slice(count);
    const ofRow = { row: partOf(row, needed), hrefs: {}, fields: {} };
    for (const { action, href } of others) {
      menu.add(action);
      action.addTo(ofRow, row, href);
    }
    isScripted ||= others.length > 0 || buttons.some(({ action }) => action.kind === 'dialog');
    values.push(ofRow);
    return {
      actions: buttons.map(({ action, href }) => action.button(row, href)),
      menu: others.map(({ action }) => action.number).join(' '),
    };
  });
  return {
    rows: views,
    menu: listed.filter((action) => menu.has(action)).map((action) => action.menuEntry),
    values: isScripted ? jsonAsHtml({ fills: fillsOf(listed), rows: values } satisfies ScriptValues) : null,
  };
}

function fillsOf(listed: readonly ListedAction[]): ScriptValues['fills'] {
  return Object.fromEntries(listed.filter(({ kind }) => kind === 'dialog').map(({ number, fills }) => [number, fills]));
}

/** Returns those of `fields` that a row has. */
function partOf(row: ListRow, fields: readonly string[]): Record<string, unknown> {
  const part: Record<string, unknown> = {};
  for (const field of fields) if (field in row) part[field] = row[field];
  return part;
}

/** Returns the number of actions shown as buttons; others are in a menu. Forms must work without scripts and therefore are never in one. */
function buttonsOf(allowed: readonly AllowedAction[]): number {
  const hasMenu = allowed.length > MAX_BUTTONS && allowed.every(({ action }) => action.kind !== 'form');
  return hasMenu ? BUTTONS_BEFORE_MENU : allowed.length;
}

/** An action allowed for a row, with its link target; empty if it is no link. */
interface AllowedAction {
  readonly action: ListedAction;
  readonly href: string;
}

/** An action of a list. Values common to all rows are computed once, and only if they are used. */
class ListedAction {
  readonly kind: ActionView['kind'];
  /** For a dialog: the row fields it is filled from. */
  readonly fills: readonly string[];
  /** The row fields used by its dialog or confirmation. */
  readonly needs: readonly string[];
  /** Confirmation question with placeholders; empty: none. */
  private readonly question: string;
  private readonly places: readonly string[];
  /** Its button without row-specific values. */
  private bare: ActionView | null = null;

  constructor(
    private readonly action: ShownAction,
    readonly number: number,
    private readonly say: Translate,
  ) {
    this.kind = kindOf(action);
    this.question = action.confirm ? say(action.confirm) : '';
    this.places = this.question.includes('{') ? [...this.question.matchAll(PLACE)].map(([, name]) => name!) : [];
    this.fills = this.kind === 'dialog' ? (action.fills ?? []) : [];
    this.needs = [...this.fills, ...this.places];
  }

  /** The action as a menu entry. */
  get menuEntry(): ActionView {
    return this.shownAs(MENU_LOOKS);
  }

  /** Returns the action for a row; null if the row does not allow it, or if its URL is unsafe. */
  of(row: ListRow): AllowedAction | null {
    const { when, href } = this.action;
    if (when && !when(row)) return null;
    const address = href?.(row);
    if (href && !isSafeUrl(address)) return null;
    return { action: this, href: address ?? '' };
  }

  button(row: ListRow, href: string): ActionView {
    const { post, fields } = this.action;
    const bare = (this.bare ??= this.shownAs(BUTTON_LOOKS));
    const view = this.question === '' ? bare : { ...bare, confirm: fillPlaceholders(this.question, this.placesOf(row)) };
    switch (this.kind) {
      case 'link':
        return { ...view, href };
      case 'form':
        return { ...view, post: post!(row), inputs: Object.entries(fields?.(row) ?? {}).map(([name, value]) => ({ name, value })) };
      case 'dialog':
        return view;
      case 'operation':
        return { ...view, fields: JSON.stringify(this.fieldsOf(row)) };
    }
  }

  /** Adds the link target or the submitted fields to the script's row data. */
  addTo(values: { readonly hrefs: Record<number, string>; readonly fields: Record<number, object> }, row: ListRow, href: string): void {
    const { fields } = this.action;
    if (this.kind === 'link') values.hrefs[this.number] = href;
    else if (this.kind === 'operation' && fields) values.fields[this.number] = fields(row);
  }

  /** Returns a shared object for identical views, so that the theme can cache its output. */
  private shownAs(styles: typeof BUTTON_LOOKS): ActionView {
    const { action, number, kind, question } = this;
    const look = styles[action.tone ?? 'plain'];
    const label = this.say(action.label);
    const kept = keptViews.get(action) ?? new Map<string, ActionView>();
    const key = [number, look, label, question].join('\n');
    let view = kept.get(key);
    if (!view) {
      const shown = { kind, number, label, look, ...meansOf(action, kind), ...(question !== '' && { confirm: question }) };
      // Keep only plain values, as a declared list may contain others.
      const plain = Object.entries(shown).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
      view = constantData(Object.fromEntries(plain) as unknown as ActionView);
      if (kept.size >= MAX_VIEWS) kept.clear();
      keptViews.set(action, kept.set(key, view));
    }
    return view;
  }

  private fieldsOf(row: ListRow): Readonly<Record<string, string>> {
    return this.action.fields?.(row) ?? { id: String(row.id ?? '') };
  }

  /** Returns the row values used by its question. */
  private placesOf(row: ListRow): Record<string, string> {
    return Object.fromEntries(this.places.filter((name) => name in row).map((name) => [name, String(row[name] ?? '')]));
  }
}

function kindOf({ href, post, dialog }: ShownAction): ActionView['kind'] {
  if (href) return 'link';
  if (post) return 'form';
  return dialog ? 'dialog' : 'operation';
}

/** Returns what an action does, common to all rows. */
function meansOf({ dialog, operation, opens, shows, follows, then }: ShownAction, kind: ActionView['kind']): Partial<ActionView> {
  if (kind === 'dialog') return { dialog };
  return kind === 'operation' ? { operation, opens, shows, follows, then: then ?? 'list' } : {};
}

/** Serializes JSON for use as the text of an element: it contains no tags or entities. */
function jsonAsHtml(value: ScriptValues): TrustedHtml {
  return trustedHtml(JSON.stringify(value).replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`));
}
