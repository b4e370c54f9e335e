import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { type ItemType, StoreItem, StoreVersion } from '../entities/index.js';
import { type ItemMissing, StoreError } from '../errors.js';
import type { StoreCaller } from '../call/index.js';

import { CoAuthors } from './co-authors.js';
import { itemRow, MAX_VERSIONS, ownItemRow, ownVersionRow, versionRow } from './item-rows.js';

/** Reads items and versions for the public: approved ones alone, besides which authors see their own and administrators all. */
@Injectable()
export class PublicItems {
  constructor(
    private readonly database: Database,
    private readonly coAuthors: CoAuthors,
  ) {}

  /** An item somebody may see. @throws StoreError NOT_FOUND: whether it does not exist or is not public looks the same */
  async require(
    where: { id: number } | { type: ItemType; slugKey: string },
    caller: StoreCaller | null,
    missing: ItemMissing = 'ITEM_NOT_FOUND',
  ): Promise<StoreItem> {
    const item = await this.database.repository(StoreItem).findOneBy(where);
    if (!item || !(maySee(item, caller) || (await this.isTogether(item, caller)))) throw new StoreError(missing);
    return item;
  }

  /** An item as the caller may see it. */
  row(item: StoreItem, caller: StoreCaller | null) {
    return isInsider(item, caller) ? ownItemRow(item) : itemRow(item);
  }

  /**
   * The newest {@link MAX_VERSIONS} versions, newest first: approved ones; of an item that is not public yet all, for those who may see it.
   */
  async versions(item: StoreItem) {
    const isPublic = item.status === 'approved';
    const versions = await this.database.repository(StoreVersion).find({
      where: { itemId: item.id, ...(isPublic ? { status: 'approved' as const } : {}) },
      order: { id: 'DESC' },
      take: MAX_VERSIONS,
    });
    return versions.map((version) => (isPublic ? versionRow : ownVersionRow)(version, item.type));
  }

  /** A version somebody may download. @throws StoreError NOT_FOUND */
  async requireVersion(item: StoreItem, version: string, caller: StoreCaller | null): Promise<StoreVersion> {
    const row = await this.database.repository(StoreVersion).findOneBy({ itemId: item.id, versionKey: version.toLowerCase() });
    if (!row || !(row.status === 'approved' || isInsider(item, caller) || (await this.isTogether(item, caller))))
      throw new StoreError('VERSION_NOT_FOUND');
    return row;
  }

  /** Whether somebody publishes an item together with its author; of programs those that may read. */
  private async isTogether(item: StoreItem, caller: StoreCaller | null): Promise<boolean> {
    if (!caller || (caller.scopes && !caller.scopes.includes('read'))) return false;
    if (caller.itemId != null && caller.itemId !== item.id) return false;
    return this.coAuthors.isAuthor(item, caller.id);
  }
}

function maySee(item: StoreItem, caller: StoreCaller | null): boolean {
  return item.status === 'approved' || isInsider(item, caller);
}

/** Whether somebody sees an item whatever its state: its author, administrators; of programs those that may read. */
function isInsider(item: StoreItem, caller: StoreCaller | null): boolean {
  if (!caller || (caller.scopes && !caller.scopes.includes('read'))) return false;
  if (caller.itemId != null && caller.itemId !== item.id) return false;
  return caller.id === item.authorId || (caller.role === 'admin' && caller.scopes === null);
}
