import { Injectable } from '@nestjs/common';

import { copyOfPlain, loggerFor, translateFor, type Locale, type Undo } from '../../common/index.js';
import type { MenuRecord, Scope } from '../../sdk/index.js';
import { isIconName } from '../icons.js';
import { afterHook, DEFAULT_ORDER, OwnedList, sortByOrder, type ApplyHook, type Owned } from './owned-list.js';
import { isSafeUrl, pageUrl, requireIcon, requireOrder, requirePage, requireScope, requireTitle, requireUrl } from './record-rules.js';

const MAX_LEVELS = 3;
const DEFAULT_ICON = 'mdi-puzzle-outline';
const log = loggerFor('theme');

/** Owner of the panel's own entries. Titles are text keys of their owner, or texts. */
export const CORE_OWNER = 'core';

/** A menu entry as the hook `menu.*` sees it: pages have become addresses, and `owner` says whose it is. */
export interface MenuEntry extends MenuRecord {
  owner?: string;
  children?: MenuEntry[];
}

/** A menu entry as a page shows it. */
export interface MenuItem {
  title: string;
  icon: string;
  order: number;
  /** Empty for a group. */
  url: string;
  /** The entry, or one below it, is the page being shown. */
  active: boolean;
  owner: string;
  children: MenuItem[];
}

/** What {@link MenuRegistry.buildMenu} may be told. */
export interface MenuOptions {
  /** Language of titles that are text keys. */
  locale: Locale;
  /** Path and query of the page being shown, to mark its entry. */
  current?: string;
  /** Runs the hook `menu.admin` or `menu.user` over the list. */
  apply?: ApplyHook<MenuEntry>;
}

/** The menus of both sides. */
@Injectable()
export class MenuRegistry {
  private readonly entries = new OwnedList<{ scope: Scope; menu: MenuRecord }>();

  /**
   * Adds an entry with at most three levels below each other.
   *
   * @throws Error that names the owner and the rule that was broken
   */
  add(scope: Scope, menu: MenuRecord, owner: string): Undo {
    requireScope(scope, owner);
    checkEntry(menu, owner, 1);
    return this.entries.add({ scope, menu: structuredClone(menu) }, owner);
  }

  /** What is registered, in the order of registration. */
  list(): readonly Owned<{ scope: Scope; menu: MenuRecord }>[] {
    return this.entries.list();
  }

  /** The menu of a side: registered entries, then the hook, then sorting; what a listener spoiled is left out and logged. */
  async buildMenu(scope: Scope, { locale, current, apply }: MenuOptions): Promise<MenuItem[]> {
    const own = this.entries.list().filter(({ record }) => record.scope === scope);
    // Listeners may change what they are given.
    const entries = own.map(({ owner, record: { menu } }) =>
      toEntry(apply ? (copyOfPlain(menu) as MenuRecord) : menu, owner, scope, locale),
    );
    return toItems(await afterHook(entries, apply), current, 1);
  }
}

function checkEntry(menu: MenuRecord, owner: string, level: number): void {
  const what = 'a menu entry';
  if (level > MAX_LEVELS) throw new Error(`${owner}: a menu may have at most ${MAX_LEVELS} levels.`);
  requireTitle(menu?.title, what, owner);
  requireIcon(menu.icon, what, owner);
  requireOrder(menu.order, what, owner);
  requirePage(menu.page, what, owner);
  requireUrl(menu.url, what, owner);
  if (menu.page !== undefined && menu.url !== undefined) throw new Error(`${owner}: a menu entry has a page or a url, not both.`);
  if (menu.children !== undefined && !Array.isArray(menu.children))
    throw new Error(`${owner}: the children of a menu entry must be a list.`);
  const children = menu.children ?? [];
  if (children.length === 0 && menu.page === undefined && menu.url === undefined)
    throw new Error(`${owner}: a menu entry needs a page, a url or children.`);
  for (const child of children) checkEntry(child, owner, level + 1);
}

function toEntry(menu: MenuRecord, owner: string, scope: Scope, locale: Locale): MenuEntry {
  const { page, children, ...rest } = menu;
  return {
    ...rest,
    owner,
    title: translateFor(owner, locale, menu.title),
    order: menu.order ?? DEFAULT_ORDER,
    ...(page === undefined ? {} : { page, url: pageUrl(scope, owner, page) }),
    ...(children ? { children: children.map((child) => toEntry(child, owner, scope, locale)) } : {}),
  };
}

function toItems(entries: MenuEntry[], current: string | undefined, level: number): MenuItem[] {
  const items = entries.map((entry) => toItem(entry, current, level)).filter((item) => item !== null);
  return sortByOrder(items);
}

/** A page stays its entry's whatever else its address says, such as which row is being edited. */
function isCurrent(url: string, current = ''): boolean {
  return url !== '' && (current === url || current.startsWith(`${url}${url.includes('?') ? '&' : '?'}`));
}

function toItem(entry: MenuEntry, current: string | undefined, level: number): MenuItem | null {
  const children =
    level < MAX_LEVELS && Array.isArray(entry.children)
      ? toItems(
          entry.children.filter((child) => typeof child === 'object' && child !== null),
          current,
          level + 1,
        )
      : [];
  const url = isSafeUrl(entry.url) ? entry.url : '';
  if (typeof entry.title !== 'string' || entry.title === '' || (url === '' && children.length === 0)) {
    log.warn({ title: entry.title, owner: entry.owner }, 'a menu entry without title or address was left out');
    return null;
  }
  return {
    title: entry.title,
    icon: isIconName(entry.icon) ? entry.icon : DEFAULT_ICON,
    order: typeof entry.order === 'number' && Number.isFinite(entry.order) ? entry.order : DEFAULT_ORDER,
    url,
    active: isCurrent(url, current) || children.some((child) => child.active),
    owner: typeof entry.owner === 'string' ? entry.owner : '',
    children,
  };
}
