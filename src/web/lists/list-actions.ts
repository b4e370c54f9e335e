import { fillPlaces } from '../../common/index.js';
import type { ListRow, RowAction, Translate } from '../../sdk/index.js';
import { constantData, isSafeUrl, trustedHtml, type TrustedHtml } from '../../theme/index.js';

/** What can be done with a row. */
export interface ShownAction extends RowAction {
  /** Address a form with {@link RowAction.fields} is posted to, also without a script. */
  readonly post?: (row: ListRow) => string;
}

/** A button or link of a row, or an entry of menus, which has nothing that differs from row to row. */
export interface ActionView {
  readonly kind: 'link' | 'form' | 'dialog' | 'operation';
  /** Its place among the actions of the list. */
  readonly number: number;
  readonly label: string;
  /** CSS classes. */
  readonly look: string;
  readonly href?: string;
  /** Address of a form, and its fields. */
  readonly post?: string;
  readonly inputs?: readonly { name: string; value: string }[];
  readonly operation?: string;
  /** JSON. */
  readonly fields?: string;
  /** In menus with its places as they are. */
  readonly confirm?: string;
  readonly opens?: string;
  readonly shows?: string;
  readonly follows?: string;
  readonly then?: string;
  readonly dialog?: string;
}

/** What can be done with one row. */
export interface RowActions {
  /** Its buttons. */
  readonly actions: readonly ActionView[];
  /** Numbers of what stands in its menu, with blanks; empty: it has none. */
  readonly menu: string;
}

/** What can be done with the rows of a page. */
export interface ActionsView {
  readonly rows: readonly RowActions[];
  /** What stands in the menu of any row, once: the script makes a menu of these when it is opened. */
  readonly menu: readonly ActionView[];
  /** What the script needs of the rows: {@link ScriptValues} as JSON; null where it needs nothing. */
  readonly values: TrustedHtml | null;
}

/** What the script puts into menus and dialogs. */
interface ScriptValues {
  /** By the number of an action that opens a dialog: the fields of a row the dialog is filled from. */
  readonly fills: Readonly<Record<number, readonly string[]>>;
  readonly rows: readonly RowValues[];
}

interface RowValues {
  /** Every field that a dialog or a question needs, once, and the row's `id`. */
  readonly row: Readonly<Record<string, unknown>>;
  /** By the number of an action: where it leads. */
  readonly hrefs: Readonly<Record<number, string>>;
  /** By the number of an action: what it sends, where that is not the `id` alone. */
  readonly fields: Readonly<Record<number, Readonly<Record<string, string>>>>;
}

/** Of more actions than this, all but the first two stand in a menu. */
const MAX_BUTTONS = 3;
const BUTTONS_BEFORE_MENU = 2;
const BUTTON_LOOKS = { primary: 'btn btn-sm btn-primary', danger: 'btn btn-sm btn-outline-danger', plain: 'btn btn-sm' };
const MENU_LOOKS = { primary: 'dropdown-item', danger: 'dropdown-item text-danger', plain: 'dropdown-item' };
/** Views that were made of an action, by where it stands and what it says: in each language, and with each theme's words, another. */
const keptViews = new WeakMap<ShownAction, Map<string, ActionView>>();
const MOST_VIEWS = 20;
const PLACE = /\{(\w+)\}/g;

/** What can be done with rows, for the template: what each of them allows. */
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

/** Those of `fields` that a row has. */
function partOf(row: ListRow, fields: readonly string[]): Record<string, unknown> {
  const part: Record<string, unknown> = {};
  for (const field of fields) if (field in row) part[field] = row[field];
  return part;
}

/** A few actions are buttons; of many, the others stand in a menu. Forms work without a script and so do not stand where one is needed. */
function buttonsOf(allowed: readonly AllowedAction[]): number {
  const hasMenu = allowed.length > MAX_BUTTONS && allowed.every(({ action }) => action.kind !== 'form');
  return hasMenu ? BUTTONS_BEFORE_MENU : allowed.length;
}

/** What one row allows, and where it leads; empty where that is nowhere. */
interface AllowedAction {
  readonly action: ListedAction;
  readonly href: string;
}

/** An action of a list; what is the same for every row is worked out once, and what nobody is shown is not. */
class ListedAction {
  readonly kind: ActionView['kind'];
  /** Of a dialog: the fields of a row it is filled from. */
  readonly fills: readonly string[];
  /** The fields of a row that its dialog or its question needs. */
  readonly needs: readonly string[];
  /** Asked before it, with its places as they are; empty: nothing is asked. */
  private readonly question: string;
  private readonly places: readonly string[];
  /** Its button, without what differs from row to row. */
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

  /** As an entry of menus. */
  get menuEntry(): ActionView {
    return this.shownAs(MENU_LOOKS);
  }

  /** The action of one row; null where the row does not allow it. An address that may run something is no link, whoever made it. */
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
    const asked = this.question === '' ? bare : { ...bare, confirm: fillPlaces(this.question, this.placesOf(row)) };
    switch (this.kind) {
      case 'link':
        return { ...asked, href };
      case 'form':
        return { ...asked, post: post!(row), inputs: Object.entries(fields?.(row) ?? {}).map(([name, value]) => ({ name, value })) };
      case 'dialog':
        return asked;
      case 'operation':
        return { ...asked, fields: JSON.stringify(this.fieldsOf(row)) };
    }
  }

  /** Adds where it leads, or what it sends, to what the script knows of a row. */
  addTo(values: { readonly hrefs: Record<number, string>; readonly fields: Record<number, object> }, row: ListRow, href: string): void {
    const { fields } = this.action;
    if (this.kind === 'link') values.hrefs[this.number] = href;
    else if (this.kind === 'operation' && fields) values.fields[this.number] = fields(row);
  }

  /** What is the same from page to page is one object, so that the theme keeps what it draws of it. */
  private shownAs(looks: typeof BUTTON_LOOKS): ActionView {
    const { action, number, kind, question } = this;
    const look = looks[action.tone ?? 'plain'];
    const label = this.say(action.label);
    const kept = keptViews.get(action) ?? new Map<string, ActionView>();
    const key = [number, look, label, question].join('\n');
    let view = kept.get(key);
    if (!view) {
      const shown = { kind, number, label, look, ...meansOf(action, kind), ...(question !== '' && { confirm: question }) };
      // As a list is declared: other values than these are no part of what is shown.
      const plain = Object.entries(shown).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
      view = constantData(Object.fromEntries(plain) as unknown as ActionView);
      if (kept.size >= MOST_VIEWS) kept.clear();
      keptViews.set(action, kept.set(key, view));
    }
    return view;
  }

  private fieldsOf(row: ListRow): Readonly<Record<string, string>> {
    return this.action.fields?.(row) ?? { id: String(row.id ?? '') };
  }

  /** Of the values of a row those its question names. */
  private placesOf(row: ListRow): Record<string, string> {
    return Object.fromEntries(this.places.filter((name) => name in row).map((name) => [name, String(row[name] ?? '')]));
  }
}

function kindOf({ href, post, dialog }: ShownAction): ActionView['kind'] {
  if (href) return 'link';
  if (post) return 'form';
  return dialog ? 'dialog' : 'operation';
}

/** What an action does, the same for every row. */
function meansOf({ dialog, operation, opens, shows, follows, then }: ShownAction, kind: ActionView['kind']): Partial<ActionView> {
  if (kind === 'dialog') return { dialog };
  return kind === 'operation' ? { operation, opens, shows, follows, then: then ?? 'list' } : {};
}

/** JSON that is the same read as the text of an element: no tag and no entity begins or ends in it. */
function jsonAsHtml(value: ScriptValues): TrustedHtml {
  return trustedHtml(JSON.stringify(value).replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`));
}
