import { Inject, Injectable, Optional } from '@nestjs/common';

import type { RequestContext } from '../operations/index.js';
import type { MenuItem } from '../theme/index.js';

import { PageRegistry } from './page-registry.js';

/** Whoever has accounts that differ in what they have provides this. */
export abstract class OfferSource {
  /** What somebody's own account has, by the names pages ask for. */
  abstract of(call: RequestContext): Promise<ReadonlySet<string>>;
}

/**
 * Pages of the user side that are not for everybody, such as that of a database on a server that has none: who has not what such a page is
 * about does not find it in his menu. The page itself stays where it is, and says so.
 */
@Injectable()
export class MenuOffers {
  constructor(
    private readonly pages: PageRegistry,
    @Optional() @Inject(OfferSource) private readonly source: OfferSource | null,
  ) {}

  /** The entries that are about something the caller has, and the groups something is left of. */
  async menu(call: RequestContext, items: readonly MenuItem[]): Promise<MenuItem[]> {
    return this.left(items, (await this.source?.of(call)) ?? new Set());
  }

  private left(items: readonly MenuItem[], has: ReadonlySet<string>): MenuItem[] {
    return items.flatMap((item) => {
      if (item.children.length > 0) {
        const children = this.left(item.children, has);
        if (children.length === 0) return [];
        return children.every((child, at) => child === item.children[at]) && children.length === item.children.length
          ? [item]
          : [{ ...item, children }];
      }
      const needed = this.pages.at(item.url)?.record.menu?.offer;
      return needed === undefined || has.has(needed) ? [item] : [];
    });
  }
}
