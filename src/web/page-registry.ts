import { Injectable } from '@nestjs/common';

import type { Undo } from '../common/index.js';
import type { Owned } from '../theme/index.js';

import type { PageDeclaration } from './page-declaration.js';

/** Every page of the panel with its owner: of features, from `@Page`, and of plugins, from `svc_register_page`. */
@Injectable()
export class PageRegistry {
  private readonly pages = new Map<string, Owned<PageDeclaration>>();

  /**
   * Adds a page.
   *
   * @returns takes exactly this one away
   * @throws Error when there is one at its address
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

  /** The page at an address such as `/admin/hosts`; of a plugin with what names it, see `pageUrl`. Null where there is none. */
  at(address: string): Owned<PageDeclaration> | null {
    return this.pages.get(address) ?? null;
  }

  /** What is registered, in the order of registration. */
  list(): readonly Owned<PageDeclaration>[] {
    return [...this.pages.values()];
  }
}
