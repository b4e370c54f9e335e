import { Injectable } from '@nestjs/common';

import type { Undo } from '../common/index.js';
import type { Owned } from '../theme/index.js';

import type { PageDeclaration } from './page-declaration.js';

/** All pages of the panel with their owners: of features, from `@Page`, and of plugins, from `svc_register_page`. */
@Injectable()
export class PageRegistry {
  private readonly pages = new Map<string, Owned<PageDeclaration>>();

  /**
   * Adds a page.
   *
   * @returns a function that removes it
   * @throws Error if its URL is taken
   */
  add(record: PageDeclaration, owner: string): Undo {
    const address = `/${record.side}/${record.path}`;
    const taken = this.pages.get(address);
    if (taken)
      throw new Error(`${owner}: the ${record.side} page "${record.name ?? record.path}" is already registered by ${taken.owner}.`);
    const entry = { owner, record };
    this.pages.set(address, entry);
    return () => {
      if (this.pages.get(address) === entry) this.pages.delete(address);
    };
  }

  /** Returns the page at a path such as `/admin/hosts`; for a plugin with its identifying query, see `pageUrl`. Null if not found. */
  at(address: string): Owned<PageDeclaration> | null {
    return this.pages.get(address) ?? null;
  }

  /** Returns all pages in the order of registration. */
  list(): readonly Owned<PageDeclaration>[] {
    return [...this.pages.values()];
  }
}
