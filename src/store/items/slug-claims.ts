import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { type ItemType, StoreItem, StoreSlugHistory } from '../entities/index.js';
import { StoreError } from '../errors.js';

/** Maximum bytes of all version strings of one slug: the size of their column. */
const MAX_VERSIONS_BYTES = 60_000;

/** Registry of slugs, used version strings and discontinued items; its rows outlive the items. */
@Injectable()
export class SlugClaims {
  private readonly reserve;
  private readonly lock;
  private readonly write;
  private readonly markClosed;
  private readonly markOpen;

  constructor(private readonly database: Database) {
    this.reserve = database.statement(
      `${database.insertIgnore} {StoreSlugHistory} ({StoreSlugHistory.type}, {StoreSlugHistory.slugKey}, {StoreSlugHistory.authorId},
        {StoreSlugHistory.versions})
       VALUES (?, ?, ?, '[]')`,
    );
    // A concurrent claim of the same slug waits here for the other's commit.
    this.lock = database.statement(
      `UPDATE {StoreSlugHistory} SET {StoreSlugHistory.authorId} = {StoreSlugHistory.authorId}
       WHERE {StoreSlugHistory.type} = ? AND {StoreSlugHistory.slugKey} = ?`,
    );
    this.write = database.statement('UPDATE {StoreSlugHistory} SET {StoreSlugHistory.versions} = ? WHERE {StoreSlugHistory.id} = ?');
    // A deletion after a suspension keeps the earlier time but may replace the reason.
    this.markClosed = database.statement(
      `UPDATE {StoreSlugHistory} SET {StoreSlugHistory.closedAt} = COALESCE({StoreSlugHistory.closedAt}, ?),
        {StoreSlugHistory.closedReason} = ?
       WHERE {StoreSlugHistory.type} = ? AND {StoreSlugHistory.slugKey} = ?`,
    );
    this.markOpen = database.statement(
      `UPDATE {StoreSlugHistory} SET {StoreSlugHistory.closedAt} = NULL, {StoreSlugHistory.closedReason} = ''
       WHERE {StoreSlugHistory.type} = ? AND {StoreSlugHistory.slugKey} = ? AND {StoreSlugHistory.closedAt} IS NOT NULL`,
    );
  }

  /** Checks that `authorId` could publish a new item under this slug now. @throws StoreError INVALID */
  async checkFree(type: ItemType, slug: string, authorId: number): Promise<void> {
    const slugKey = slug.toLowerCase();
    const history = await this.database.repository(StoreSlugHistory).findOneBy({ type, slugKey });
    const isTaken = await this.database.repository(StoreItem).existsBy({ type, slugKey });
    if (isTaken || (history && history.authorId !== authorId)) throw taken(type, slug);
  }

  /**
   * Claims a slug and a version, in the transaction that creates the item or version. Concurrent claims run one after another.
   *
   * @param isNew whether no item may exist under that slug
   * @throws StoreError INVALID (taken, version used, too many versions)
   */
  async claim(type: ItemType, slug: string, authorId: number, version: string, isNew: boolean): Promise<void> {
    const slugKey = slug.toLowerCase();
    await this.reserve.run(type, slugKey, authorId);
    await this.lock.run(type, slugKey);
    if (isNew) await this.checkFree(type, slug, authorId);
    const { id, versions } = await this.database.repository(StoreSlugHistory).findOneByOrFail({ type, slugKey });
    const used = JSON.parse(versions) as string[];
    if (used.includes(version.toLowerCase())) throw new StoreError('VERSION_USED', { version });
    const text = JSON.stringify([...used, version.toLowerCase()]);
    if (text.length > MAX_VERSIONS_BYTES) throw new StoreError('TOO_MANY_VERSIONS');
    await this.write.run(text, id);
  }

  /** Records that the item published under a slug is no longer available; call it in the transaction that unlists the item. */
  async close({ type, slugKey, authorId }: Pick<StoreItem, 'type' | 'slugKey' | 'authorId'>, reason: string, now: Date): Promise<void> {
    await this.reserve.run(type, slugKey, authorId);
    await this.markClosed.run(now, reason, type, slugKey);
  }

  /** Reverts {@link close}; call it in the transaction that publishes the item. */
  async reopen({ type, slugKey }: Pick<StoreItem, 'type' | 'slugKey'>): Promise<void> {
    await this.markOpen.run(type, slugKey);
  }
}

function taken(type: ItemType, slug: string): StoreError {
  return new StoreError(type === 'plugin' ? 'PLUGIN_EXISTS' : 'THEME_EXISTS', { slug });
}
