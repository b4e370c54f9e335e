import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';
import type { CallContext, ListDeclaration, PageResult, Scope } from '../../sdk/index.js';
import { OwnedList, type Owned } from './owned-list.js';
import { requireLists } from './list-rules.js';
import { PAGE_NAME, requireScope, requireTitle } from './record-rules.js';

/** A plugin's page: a file of the plugin, or a function that makes the HTML. */
export interface PageRecord {
  scope: Scope;
  /** `[a-zA-Z0-9_-]{1,64}`. */
  page: string;
  file: string | ((ctx: CallContext) => PageResult | Promise<PageResult>);
  title: string;
  /** What a page made by a file shows with it. */
  lists?: readonly ListDeclaration[];
}

/** The pages of plugins, by side, owner and name. */
@Injectable()
export class PageRegistry {
  private readonly pages = new OwnedList<PageRecord>();

  /**
   * Adds a page.
   *
   * @throws Error for a bad record, or when the owner has a page of that name on that side already
   */
  add(record: PageRecord, owner: string): Undo {
    requireScope(record?.scope, owner);
    requireTitle(record.title, 'a page', owner);
    if (typeof record.page !== 'string' || !PAGE_NAME.test(record.page)) {
      throw new Error(`${owner}: the name of a page must be 1 to 64 of A-Z a-z 0-9 _ -, not ${JSON.stringify(record.page)}.`);
    }
    if (typeof record.file !== 'function' && (typeof record.file !== 'string' || record.file === '')) {
      throw new Error(`${owner}: page "${record.page}" needs a file or a function.`);
    }
    requireLists(record, owner);
    const taken = this.pages
      .list()
      .find((other) => other.owner === owner && other.record.scope === record.scope && other.record.page === record.page);
    if (taken) throw new Error(`${owner}: the ${record.scope} page "${record.page}" is already registered by ${taken.owner}.`);
    return this.pages.add({ ...record }, owner);
  }

  /** The page `page` of plugin `owner` on one side; null where there is none. */
  find(scope: Scope, owner: string, page: string): PageRecord | null {
    return (
      this.pages.list().find((entry) => entry.owner === owner && entry.record.scope === scope && entry.record.page === page)?.record ?? null
    );
  }

  /** What is registered, in the order of registration. */
  list(): readonly Owned<PageRecord>[] {
    return this.pages.list();
  }
}
