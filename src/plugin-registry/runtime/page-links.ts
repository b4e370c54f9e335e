import { Injectable } from '@nestjs/common';

import type { MenuRecord, Scope } from '../../sdk/index.js';
import { MenuRegistry, SettingsTabRegistry, pageUrl } from '../../theme/index.js';
import { PageRegistry } from '../../web/index.js';

import { PluginError } from '../errors.js';

/** Checks a plugin after registration: every link to one of its pages must have a page. */
@Injectable()
export class PageLinks {
  constructor(
    private readonly pages: PageRegistry,
    private readonly menus: MenuRegistry,
    private readonly tabs: SettingsTabRegistry,
  ) {}

  /** @throws PluginError PAGE_MISSING */
  check(slug: string): void {
    const require = (scope: Scope, page: string | undefined, title: string): void => {
      if (page !== undefined && !this.pages.at(pageUrl(scope, slug, page))) throw new PluginError('PAGE_MISSING', { title, scope, page });
    };
    const checkMenu = (scope: Scope, { page, title, children = [] }: MenuRecord): void => {
      require(scope, page, title);
      for (const child of children) checkMenu(scope, child);
    };
    for (const { owner, record } of this.menus.list()) if (owner === slug) checkMenu(record.scope, record.menu);
    for (const { owner, record } of this.tabs.list()) if (owner === slug) require('admin', record.page, record.title);
  }
}
