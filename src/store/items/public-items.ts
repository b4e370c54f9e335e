import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { type ItemType, StoreItem, StoreVersion } from '../entities/index.js';
import { type ItemMissing, StoreError } from '../errors.js';
import type { StoreCaller } from '../call/index.js';

import { CoAuthors } from './co-authors.js';
import { itemRow, MAX_VERSIONS, ownItemRow, ownVersionRow, versionRow } from './item-rows.js';

/** Reads items and versions for the public: approved ones. Authors also see their own, administrators all. */
@Injectable()
export class PublicItems {
  constructor(
    private readonly database: Database,
    private readonly coAuthors: CoAuthors,
  ) {}

  /** Returns an item visible to the caller. @throws StoreError NOT_FOUND if it does not exist or is not visible, indistinguishably */
  async require(
    where: { id: number } | { type: ItemType; slugKey: string },
    caller: StoreCaller | null,
    missing: ItemMissing = 'ITEM_NOT_FOUND',
  ): Promise<StoreItem> {
    const item = await this.database.repository(StoreItem).findOneBy(where);
    if (!item || !(isVisible(item, caller) || (await this.isCoAuthor(item, caller)))) throw new StoreError(missing);
    return item;
  }

  /** Response form of an item for this caller. */
  row(item: StoreItem, caller: StoreCaller | null) {
    return isInsider(item, caller) ? ownItemRow(item) : itemRow(item);
  }

  /** Returns the newest {@link MAX_VERSIONS} versions, newest first: approved ones, or all if the item is not public yet. */
  async versions(item: StoreItem) {
    const isPublic = item.status === 'approved';
    const versions = await this.database.repository(StoreVersion).find({
      where: { itemId: item.id, ...(isPublic ? { status: 'approved' as const } : {}) },
      order: { id: 'DESC' },
      take: MAX_VERSIONS,
    });
    return versions.map((version) => (isPublic ? versionRow : ownVersionRow)(version, item.type));
  }

  /** Returns a version the caller may download. @throws StoreError NOT_FOUND */
  async requireVersion(item: StoreItem, version: string, caller: StoreCaller | null): Promise<StoreVersion> {
    const row = await this.database.repository(StoreVersion).findOneBy({ itemId: item.id, versionKey: version.toLowerCase() });
    if (!row || !(row.status === 'approved' || isInsider(item, caller) || (await this.isCoAuthor(item, caller))))
      throw new StoreError('VERSION_NOT_FOUND');
    return row;
  }

  /** Whether the caller is a co-author; API tokens need the `read` scope. */
  private async isCoAuthor(item: StoreItem, caller: StoreCaller | null): Promise<boolean> {
    if (!caller || (caller.scopes && !caller.scopes.includes('read'))) return false;
    if (caller.itemId != null && caller.itemId !== item.id) return false;
    return this.coAuthors.isAuthor(item, caller.id);
  }
}

function isVisible(item: StoreItem, caller: StoreCaller | null): boolean {
  return item.status === 'approved' || isInsider(item, caller);
}

/** Whether the caller sees the item in any status: its author or an administrator; API tokens need the `read` scope. */
function isInsider(item: StoreItem, caller: StoreCaller | null): boolean {
  if (!caller || (caller.scopes && !caller.scopes.includes('read'))) return false;
  if (caller.itemId != null && caller.itemId !== item.id) return false;
  return caller.id === item.authorId || (caller.role === 'admin' && caller.scopes === null);
}
