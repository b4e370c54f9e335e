import { Injectable } from '@nestjs/common';

import { CORE_OWNER } from '../common/index.js';
import type { Access } from '../auth/index.js';
import { Permissions, type RequestContext } from '../operations/index.js';
import { pageUrl, type MenuItem, type PageBanner } from '../theme/index.js';

import { MenuOffers } from './menu-offers.js';
import { needsOf, type PageDeclaration } from './page-declaration.js';
import { PageRegistry } from './page-registry.js';
import { SettingsTabs } from './settings-tabs.js';

/** Permissions for pages of the admin side: links to forbidden pages are hidden. */
@Injectable()
export class PageAccess {
  constructor(
    private readonly permissions: Permissions,
    private readonly pages: PageRegistry,
    private readonly tabs: SettingsTabs,
    private readonly offers: MenuOffers,
  ) {}

  /** Returns whether a URL of the admin side may be opened; false for an unknown one. */
  mayOpen(access: Access, url: string): boolean {
    if (access.isFull) return true;
    const { pathname, searchParams } = new URL(url, 'http://panel.invalid');
    if (pathname === '/admin/settings') {
      const tab = searchParams.get('tab');
      return tab === null ? this.tabs.names(access).length > 0 : this.tabs.mayOpen(tab, access);
    }
    const page = this.pages.at(
      pathname === '/admin/plugin.php' ? pageUrl('admin', searchParams.get('p') ?? '', searchParams.get('page') ?? 'index') : pathname,
    );
    return page !== null && this.allows(access, page.record);
  }

  /** Returns whether an administrator may open a page of the admin side. */
  allows(access: Access, page: PageDeclaration): boolean {
    return needsOf(page).every((name) => this.permissions.may(access, name));
  }

  /** Returns whether an element of a page may be used: an operation by its name, a URL of this panel by its path. */
  mayUse(access: Access, what: string): boolean {
    if (what.startsWith('/admin')) return this.mayOpen(access, what);
    return access.isFull || what.startsWith('/') || this.permissions.may(access, what);
  }

  /** Returns the user side's menu for the features of the account. */
  ownMenu(call: RequestContext, items: readonly MenuItem[]): Promise<MenuItem[]> {
    return this.offers.menu(call, items);
  }

  /** Returns the entries of a menu that may be opened, and the groups that are not empty. */
  menu(access: Access, items: readonly MenuItem[]): MenuItem[] {
    if (access.isFull) return [...items];
    return items.flatMap((item) => {
      if (item.owner !== CORE_OWNER && !this.permissions.mayUsePlugin(access, item.owner)) return [];
      if (item.children.length === 0) return item.url !== '' && this.mayOpen(access, item.url) ? [item] : [];
      const children = this.menu(access, item.children);
      return children.length > 0 ? [{ ...item, children }] : [];
    });
  }

  /** Returns the banners whose action the administrator may run; others are only for administrators with full access. */
  banners(access: Access, banners: readonly PageBanner[]): PageBanner[] {
    return banners.filter(({ action }) => {
      if (access.isFull) return true;
      if (action === undefined) return false;
      return 'url' in action ? this.mayOpen(access, action.url) : this.permissions.may(access, action.operation);
    });
  }
}
