import { fillPlaces } from '../../common/index.js';
import type { ListRow, RowAction, Translate } from '../../sdk/index.js';
import { isSafeUrl, trustedHtml, type TrustedHtml } from '../../theme/index.js';

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
const PLACE = /\{(\w+)\}/g;

/** What can be done with rows, for the template: what each of them allows. */
export function actionsView(actions: readonly ShownAction[], rows: readonly ListRow[], say: Translate): ActionsView {
  const listed = actions.map((action, number) => new ListedAction(action, number, say));
  const needed = [...new Set(['id', ...listed.flatMap(({ needs }) => needs)])];
  const menu = new Set<ListedAction>();
  const values: RowValues[] = [];
  let isScripted = false;
  const views = rows.map((row) => {
    const allowed = listed.flatMap((action) => action.of(row) ?? []);
    const count = buttonsOf(allowed);
    const ofRow = { row: partOf(row, needed), hrefs: {}, fields: {} };
    for (const [at, { action, href }] of allowed.entries()) {
      if (at >= count) {
        menu.add(action);
        action.addTo(ofRow, row, href);
      }
      isScripted ||= at >= count || action.kind === 'dialog';
    }
    values.push(ofRow);
    return {
      actions: allowed.slice(0, count).map(({ action, href }) => action.button(row, href)),
      menu: allowed
        .slice(count)
        .map(({ action }) => action.number)
        .join(' '),
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

/** An action of a list; what is the same for every row is worked out once. */
class ListedAction {
  readonly kind: ActionView['kind'];
  readonly menuEntry: ActionView;
  /** Of a dialog: the fields of a row it is filled from. */
  readonly fills: readonly string[];
  /** The fields of a row that its dialog or its question needs. */
  readonly needs: readonly string[];
  private readonly asButton: ActionView;
  private readonly places: readonly string[];

  constructor(
    private readonly action: ShownAction,
    readonly number: number,
    say: Translate,
  ) {
    this.kind = kindOf(action);
    const { confirm, tone = 'plain' } = action;
    const question = confirm && say(confirm);
    const shown = {
      kind: this.kind,
      number,
      label: say(action.label),
      ...(question && { confirm: question }),
      ...meansOf(action, this.kind),
    };
    this.places = question ? [...question.matchAll(PLACE)].map(([, name]) => name!) : [];
    this.fills = this.kind === 'dialog' ? (action.fills ?? []) : [];
    this.needs = [...this.fills, ...this.places];
    this.menuEntry = { ...shown, look: MENU_LOOKS[tone] };
    this.asButton = { ...shown, look: BUTTON_LOOKS[tone] };
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
    const { confirm } = this.asButton;
    const asked = confirm === undefined ? this.asButton : { ...this.asButton, confirm: fillPlaces(confirm, this.placesOf(row)) };
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
