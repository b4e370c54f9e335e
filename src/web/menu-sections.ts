import { CORE_OWNER, translate, type Locale } from '../common/index.js';
import type { Scope } from '../sdk/index.js';
import { constantData, isConstant, type MenuItem } from '../theme/index.js';

/** Start of a section of the panel's own menu, and the text key of its name. */
interface MenuSection {
  readonly from: number;
  readonly title: string;
}

/** By side; the `order` of an entry determines its section. Entries before the first one have none. */
const SECTIONS: Readonly<Record<Scope, readonly MenuSection[]>> = {
  admin: [
    { from: 20, title: 'web.menu_hosting' },
    { from: 22, title: 'web.menu_servers' },
    { from: 28, title: 'web.menu_monitoring' },
    { from: 30, title: 'web.menu_sales' },
    { from: 34, title: 'web.menu_names' },
    { from: 40, title: 'web.menu_extensions' },
    { from: 75, title: 'web.menu_panel' },
  ],
  user: [
    { from: 12, title: 'web.menu_site' },
    { from: 25, title: 'web.menu_monitoring' },
    { from: 27, title: 'web.menu_plan' },
    { from: 75, title: 'web.menu_account' },
  ],
};

/** A menu entry as shown in a page's frame. */
export interface FrameMenuItem extends MenuItem {
  /** Name of the section that begins with this entry. */
  readonly heading?: string;
}

/**
 * Adds the name of its section to the first of the panel's own entries in each.
 *
 * @param items visible entries, in order
 */
export function inSections(scope: Scope, items: readonly MenuItem[], locale: Locale): FrameMenuItem[] {
  let last: MenuSection | undefined;
  return items.map((item) => {
    if (item.owner !== CORE_OWNER) return item;
    const section = SECTIONS[scope].findLast(({ from }) => from <= item.order);
    if (section === undefined || section === last) return item;
    last = section;
    return withHeading(item, section, locale);
  });
}

/** Cache of constant entries, each in one language, with the name of their section. */
const headed = new WeakMap<MenuItem, FrameMenuItem>();

function withHeading(item: MenuItem, { title }: MenuSection, locale: Locale): FrameMenuItem {
  const known = headed.get(item);
  if (known) return known;
  const made = { ...item, heading: translate(locale, title) };
  if (isConstant(item)) headed.set(item, constantData(made));
  return made;
}
