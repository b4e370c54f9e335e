import { Injectable } from '@nestjs/common';

import type { Access } from '../auth/index.js';
import { Permissions, type RequestContext } from '../operations/index.js';
import { CORE_OWNER, type MenuItem, type PageBanner } from '../theme/index.js';

import { MenuOffers } from './menu-offers.js';
import { SettingsTabs } from './settings-tabs.js';

/** Which pages of the admin side somebody may open: what leads nowhere for him is not shown. */
@Injectable()
export class PageAccess {
  private readonly needs = new Map<string, readonly string[]>();

  constructor(
    private readonly permissions: Permissions,
    private readonly tabs: SettingsTabs,
    private readonly offers: MenuOffers,
  ) {}

  /** Notes what a page needs. @param url its address without a query */
  note(url: string, needs: readonly string[]): void {
    this.needs.set(url, needs);
  }

  /** Whether an address of the admin side may be opened; false for one nobody knows. */
  mayOpen(access: Access, url: string): boolean {
    if (access.isFull) return true;
    const { pathname, searchParams } = new URL(url, 'http://panel.invalid');
    if (pathname === '/admin/plugin.php') return this.permissions.mayUsePlugin(access, searchParams.get('p') ?? '');
    if (pathname === '/admin/settings') {
      const tab = searchParams.get('tab');
      return tab === null ? this.tabs.names(access).length > 0 : this.tabs.mayOpen(tab, access);
    }
    return this.needs.get(pathname)?.every((name) => this.permissions.may(access, name)) ?? false;
  }

  /** What a page shows somebody to press or follow: an operation by its name, an address of this panel by its path. */
  mayUse(access: Access, what: string): boolean {
    if (what.startsWith('/admin')) return this.mayOpen(access, what);
    return access.isFull || what.startsWith('/') || this.permissions.may(access, what);
  }

  /** The menu of who uses the user side: what his account has. */
  ownMenu(call: RequestContext, items: readonly MenuItem[]): Promise<MenuItem[]> {
    return this.offers.menu(call, items);
  }

  /** The entries of a menu that lead somewhere, and the groups something is left of. */
  menu(access: Access, items: readonly MenuItem[]): MenuItem[] {
    if (access.isFull) return [...items];
    return items.flatMap((item) => {
      if (item.owner !== CORE_OWNER && !this.permissions.mayUsePlugin(access, item.owner)) return [];
      if (item.children.length === 0) return item.url !== '' && this.mayOpen(access, item.url) ? [item] : [];
      const children = this.menu(access, item.children);
      return children.length > 0 ? [{ ...item, children }] : [];
    });
  }

  /** The banners that ask for something he may do; the others are for who looks after the panel. */
  banners(access: Access, banners: readonly PageBanner[]): PageBanner[] {
    return banners.filter(({ action }) => {
      if (access.isFull) return true;
      if (action === undefined) return false;
      return 'url' in action ? this.mayOpen(access, action.url) : this.permissions.may(access, action.operation);
    });
  }
}
