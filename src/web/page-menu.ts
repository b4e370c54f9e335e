import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { controllerHandlers } from '../common/index.js';
import type { MenuRecord, Scope } from '../sdk/index.js';
import { CORE_OWNER, MenuRegistry } from '../theme/index.js';

import { MenuOffers } from './menu-offers.js';
import { PageAccess } from './page-access.js';
import { PAGE_METADATA, needsOf, type MenuGroup, type PageDeclaration } from './page-declaration.js';

/** Puts every declared page that has a place in the menu there, and notes who may open it. */
@Injectable()
export class PageMenus implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly menus: MenuRegistry,
    private readonly access: PageAccess,
    private readonly offers: MenuOffers,
  ) {}

  onModuleInit(): void {
    const groups = new Map<string, { side: Scope; group: MenuGroup; children: MenuRecord[] }>();
    for (const { handler } of controllerHandlers(this.discovery, this.scanner)) {
      const page = Reflect.getMetadata(PAGE_METADATA, handler) as PageDeclaration | undefined;
      if (page?.side === 'admin') this.access.note(`/admin/${page.path}`, needsOf(page));
      if (!page?.menu) continue;
      const { side, title, path, menu } = page;
      if (menu.offer) this.offers.note(`/${side}/${path}`, menu.offer);
      const entry: MenuRecord = { title, order: menu.order, url: `/${side}/${path}`, ...(menu.icon ? { icon: menu.icon } : {}) };
      if (!menu.under) {
        this.menus.add(side, entry, CORE_OWNER, menu.lasting);
        continue;
      }
      const name = `${side} ${menu.under.title}`;
      const found = groups.get(name) ?? { side, group: menu.under, children: [] };
      groups.set(name, found);
      found.children.push(entry);
    }
    for (const { side, group, children } of groups.values()) this.menus.add(side, { ...group, children }, CORE_OWNER);
  }
}
