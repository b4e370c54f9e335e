import { Inject, Injectable, Optional } from '@nestjs/common';

import type { RequestContext } from '../operations/index.js';
import type { MenuItem } from '../theme/index.js';

import { PageRegistry } from './page-registry.js';

/** Port: implemented where accounts differ in the features they have. */
export abstract class OfferSource {
  /** Returns the features of the caller's account, by the names used in page declarations. */
  abstract of(call: RequestContext): Promise<ReadonlySet<string>>;
}

/**
 * Hides menu entries of the user side whose feature the account lacks, such as databases on a server without any.
 * The page itself remains reachable and explains that.
 */
@Injectable()
export class MenuOffers {
  constructor(
    private readonly pages: PageRegistry,
    @Optional() @Inject(OfferSource) private readonly source: OfferSource | null,
  ) {}

  /** Returns the entries whose feature the caller has, and the groups that are not empty. */
  async menu(call: RequestContext, items: readonly MenuItem[]): Promise<MenuItem[]> {
    return this.withOffers(items, (await this.source?.of(call)) ?? new Set());
  }

  private withOffers(items: readonly MenuItem[], has: ReadonlySet<string>): MenuItem[] {
    return items.flatMap((item) => {
      if (item.children.length > 0) {
        const children = this.withOffers(item.children, has);
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
