import { Injectable } from '@nestjs/common';

import { CORE_OWNER, copyOfPlain, loggerFor, translateFor, type Locale, type Undo } from '../../common/index.js';
import type { MenuRecord, Scope } from '../../sdk/index.js';
import { constantData } from '../constant-data.js';
import { isIconName } from '../icons.js';
import { afterHook, DEFAULT_ORDER, OwnedList, sortByOrder, type ApplyHook, type Owned } from './owned-list.js';
import { isSafeUrl, pageUrl, requireIcon, requireOrder, requirePage, requireScope, requireTitle, requireUrl } from './record-rules.js';

const MAX_LEVELS = 3;
const DEFAULT_ICON = 'mdi-puzzle-outline';
const log = loggerFor('theme');

/** A menu entry as passed to the hook `menu.*`: pages are resolved to URLs, and `owner` is its owner. */
export interface MenuEntry extends MenuRecord {
  owner?: string;
  children?: MenuEntry[];
}

/** A menu entry as rendered. */
export interface MenuItem {
  readonly title: string;
  readonly icon: string;
  readonly order: number;
  /** Empty for a group. */
  readonly url: string;
  /** Whether it, or a descendant, is the current page. */
  readonly active: boolean;
  readonly owner: string;
  readonly children: readonly MenuItem[];
}

/** Options of {@link MenuRegistry.buildMenu}. */
export interface MenuOptions {
  /** Language for titles that are text keys. */
  locale: Locale;
  /** Path and query of the current page, to mark its entry. */
  current?: string;
  /** Runs the hook `menu.admin` or `menu.user` over the list. */
  apply?: ApplyHook<MenuEntry>;
}

/** The menus of the panel's sides. */
@Injectable()
export class MenuRegistry {
  private readonly entries = new OwnedList<{ scope: Scope; menu: MenuRecord; lasting: boolean }>();
  /** Items of the panel's own entries, which never change, by language; null without title or URL. */
  private readonly ownItems = new WeakMap<MenuRecord, Map<Locale, MenuItem | null>>();

  /**
   * Adds an entry with at most three levels.
   *
   * @param lasting for an entry with a URL: restores it if listeners of the hook removed it from the menu
   * @throws Error naming the owner and the violated rule
   */
  add(scope: Scope, menu: MenuRecord, owner: string, lasting = false): Undo {
    requireScope(scope, owner);
    checkEntry(menu, owner, 1);
    return this.entries.add({ scope, menu: structuredClone(menu), lasting }, owner);
  }

  /** Returns the registered entries in the order of registration. */
  list(): readonly Owned<{ scope: Scope; menu: MenuRecord }>[] {
    return this.entries.list();
  }

  /**
   * Builds the menu of a side: registered entries, then the hook, then sorting; invalid entries of listeners are dropped and logged. The
   * items must not be modified.
   */
  async buildMenu(scope: Scope, { locale, current, apply }: MenuOptions): Promise<MenuItem[]> {
    const own = this.entries.list().filter(({ record }) => record.scope === scope);
    if (!apply) {
      const items = own.map(({ owner, record: { menu } }) =>
        owner === CORE_OWNER ? this.ownItem(menu, scope, locale) : toItem(toEntry(menu, owner, scope, locale), 1),
      );
      return inOrder(items, current);
    }
    // Copied, because listeners may modify them.
    const entries = own.map(({ owner, record: { menu } }) => toEntry(copyOfPlain(menu) as MenuRecord, owner, scope, locale));
    const items = (await afterHook(entries, apply)).map((entry) => toItem(entry, 1));
    const removed = own.filter(({ record }) => record.lasting && !items.some((item) => leadsTo(record.menu.url!, item)));
    return inOrder([...items, ...removed.map(({ record }) => this.ownItem(record.menu, scope, locale))], current);
  }

  private ownItem(menu: MenuRecord, scope: Scope, locale: Locale): MenuItem | null {
    let items = this.ownItems.get(menu);
    if (!items) this.ownItems.set(menu, (items = new Map()));
    let item = items.get(locale);
    if (item === undefined) {
      const made = toItem(toEntry(menu, CORE_OWNER, scope, locale), 1);
      items.set(locale, (item = made && constantData(made)));
    }
    return item;
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
  if (menu.page !== undefined && menu.url !== undefined) throw new Error(`${owner}: a menu entry can have a page or a url, not both.`);
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

/** Returns the items sorted, with the current one marked. */
function inOrder(items: readonly (MenuItem | null)[], current: string | undefined): MenuItem[] {
  return sortByOrder(items.filter((item) => item !== null).map((item) => marked(item, current)));
}

/** Returns the item itself, or a copy marked as the current page or an ancestor of it. */
function marked(item: MenuItem, current: string | undefined): MenuItem {
  const children = item.children.map((child) => marked(child, current));
  const active = isCurrent(item.url, current) || children.some((child) => child.active);
  return active ? { ...item, active, children } : item;
}

/** Returns whether an item, or a descendant, has this URL. */
function leadsTo(url: string, item: MenuItem | null): boolean {
  return item !== null && (item.url === url || item.children.some((child) => leadsTo(url, child)));
}

/** Further query parameters, such as the row being edited, do not change the current entry. */
function isCurrent(url: string, current = ''): boolean {
  if (url === '' || !current.startsWith(url)) return false;
  return current.length === url.length || current[url.length] === (url.includes('?') ? '&' : '?');
}

function toItem(entry: MenuEntry, level: number): MenuItem | null {
  const children = level < MAX_LEVELS && Array.isArray(entry.children) ? entry.children : [];
  const items = sortByOrder(
    children
      .filter((child) => typeof child === 'object' && child !== null)
      .map((child) => toItem(child, level + 1))
      .filter((item) => item !== null),
  );
  const url = isSafeUrl(entry.url) ? entry.url : '';
  if (typeof entry.title !== 'string' || entry.title === '' || (url === '' && items.length === 0)) {
    log.warn({ title: entry.title, owner: entry.owner }, 'a menu entry without title or URL was dropped');
    return null;
  }
  return {
    title: entry.title,
    icon: isIconName(entry.icon) ? entry.icon : DEFAULT_ICON,
    order: typeof entry.order === 'number' && Number.isFinite(entry.order) ? entry.order : DEFAULT_ORDER,
    url,
    active: false,
    owner: typeof entry.owner === 'string' ? entry.owner : '',
    children: items,
  };
}
