import { Injectable } from '@nestjs/common';

import { CORE_OWNER } from '../common/index.js';
import type { Access } from '../auth/index.js';
import { Permissions, type RequestContext } from '../operations/index.js';
import { pageUrl, type MenuItem, type PageBanner } from '../theme/index.js';

import { MenuOffers } from './menu-offers.js';
import { needsOf, type PageDeclaration } from './page-declaration.js';
import { PageRegistry } from './page-registry.js';
import { SettingsTabs } from './settings-tabs.js';

/** Which pages of the admin side somebody may open: what leads nowhere for him is not shown. */
@Injectable()
export class PageAccess {
  constructor(
    private readonly permissions: Permissions,
    private readonly pages: PageRegistry,
    private readonly tabs: SettingsTabs,
    private readonly offers: MenuOffers,
  ) {}

  /** Whether an address of the admin side may be opened; false for one nobody knows. */
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

  /** Whether somebody may open a page of the admin side. */
  allows(access: Access, page: PageDeclaration): boolean {
    return needsOf(page).every((name) => this.permissions.may(access, name));
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
