import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { CORE_OWNER, controllerHandlers } from '../common/index.js';
import type { MenuRecord, Scope } from '../sdk/index.js';
import { MenuRegistry } from '../theme/index.js';

import { PAGE_METADATA, type MenuGroup, type PageDeclaration } from './page-declaration.js';
import { PageRegistry } from './page-registry.js';

/** Registers all declared pages, and adds their menu entries. */
@Injectable()
export class PageMenus implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly menus: MenuRegistry,
    private readonly pages: PageRegistry,
  ) {}

  onModuleInit(): void {
    const groups = new Map<string, { side: Scope; group: MenuGroup; children: MenuRecord[] }>();
    for (const { handler } of controllerHandlers(this.discovery, this.scanner)) {
      const page = Reflect.getMetadata(PAGE_METADATA, handler) as PageDeclaration | undefined;
      if (!page) continue;
      this.pages.add(page, CORE_OWNER);
      if (!page.menu) continue;
      const { side, title, path, menu } = page;
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
