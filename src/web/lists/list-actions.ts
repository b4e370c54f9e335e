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
  /** What the script needs of each row, as JSON: a list of {@link RowValues}; null where it needs nothing. */
  readonly values: TrustedHtml | null;
}

/** By the numbers of a row's actions. */
type RowValues = Record<number, ActionValues>;

interface ActionValues {
  readonly href?: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** What the dialog is filled from. */
  readonly fill?: Readonly<Record<string, unknown>>;
  /** What stands in the places of the question asked before. */
  readonly places?: Readonly<Record<string, string>>;
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
  const menu = new Set<ListedAction>();
  const values: RowValues[] = [];
  const views = rows.map((row) => {
    const allowed = listed.filter((action) => action.fits(row));
    const count = buttonsOf(allowed);
    const others = allowed.slice(count);
    for (const action of others) menu.add(action);
    const scripted = allowed.filter(({ kind }, at) => at >= count || kind === 'dialog');
    values.push(Object.fromEntries(scripted.map((action) => [action.number, action.valuesOf(row)])));
    return {
      actions: allowed.slice(0, count).map((action) => action.button(row)),
      menu: others.map(({ number }) => number).join(' '),
    };
  });
  return {
    rows: views,
    menu: listed.filter((action) => menu.has(action)).map((action) => action.menuEntry),
    values: values.some((ofRow) => Object.keys(ofRow).length > 0) ? jsonAsHtml(values) : null,
  };
}

/** A few actions are buttons; of many, the others stand in a menu. Forms work without a script and so do not stand where one is needed. */
function buttonsOf(allowed: readonly ListedAction[]): number {
  const hasMenu = allowed.length > MAX_BUTTONS && allowed.every(({ kind }) => kind !== 'form');
  return hasMenu ? BUTTONS_BEFORE_MENU : allowed.length;
}

/** An action of a list; what is the same for every row is worked out once. */
class ListedAction {
  readonly kind: ActionView['kind'];
  readonly menuEntry: ActionView;
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
    this.menuEntry = { ...shown, look: MENU_LOOKS[tone] };
    this.asButton = { ...shown, look: BUTTON_LOOKS[tone] };
  }

  /** An address that may run something is no link, whoever made it. */
  fits(row: ListRow): boolean {
    const { when, href } = this.action;
    return (when?.(row) ?? true) && (href === undefined || isSafeUrl(href(row)));
  }

  button(row: ListRow): ActionView {
    const { href, post, fields } = this.action;
    const { confirm } = this.asButton;
    const asked = confirm === undefined ? this.asButton : { ...this.asButton, confirm: fillPlaces(confirm, this.placesOf(row)) };
    switch (this.kind) {
      case 'link':
        return { ...asked, href: href!(row) };
      case 'form':
        return { ...asked, post: post!(row), inputs: Object.entries(fields?.(row) ?? {}).map(([name, value]) => ({ name, value })) };
      case 'dialog':
        return asked;
      case 'operation':
        return { ...asked, fields: JSON.stringify(this.fieldsOf(row)) };
    }
  }

  valuesOf(row: ListRow): ActionValues {
    const { href, fills = [] } = this.action;
    if (this.kind === 'link') return { href: href!(row) };
    if (this.kind === 'dialog') return { fill: Object.fromEntries(fills.map((field) => [field, row[field]])) };
    const fields = this.fieldsOf(row);
    return this.places.length === 0 ? { fields } : { fields, places: this.placesOf(row) };
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
function jsonAsHtml(value: unknown): TrustedHtml {
  return trustedHtml(JSON.stringify(value).replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`));
}
