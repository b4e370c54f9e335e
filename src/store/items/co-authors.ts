import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { nameKey, StoreCoAuthor, StoreItem, StoreUser } from '../entities/index.js';
import { StoreError } from '../errors.js';

/** Maximum co-authors per item. */
const MAX_CO_AUTHORS = 10;

/** A co-author of an item. */
export interface CoAuthorState {
  readonly user_id: number;
  readonly username: string;
  /** Whether the invitation was accepted. */
  readonly accepted: boolean;
  /** Whether the author offered to transfer the item to them. */
  readonly offered: boolean;
}

/** A pending invitation or transfer offer. */
export interface Invitation {
  readonly item_id: number;
  readonly item_name: string;
  readonly author_name: string;
  /** Co-authorship or transfer of the item. */
  readonly kind: 'co_author' | 'transfer';
}

/**
 * Manages co-authors of items: accounts that accepted the author's invitation. Only the author may invite, and may offer a transfer only to
 * a co-author, who must accept it as well.
 */
@Injectable()
export class CoAuthors {
  private readonly lockItem;
  private readonly transferItem;
  private readonly transferSlug;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.lockItem = database.statement(
      'UPDATE {StoreItem} SET {StoreItem.authorId} = {StoreItem.authorId} WHERE {StoreItem.id} = ? AND {StoreItem.authorId} = ?',
    );
    this.transferItem = database.statement(
      `UPDATE {StoreItem} SET {StoreItem.authorId} = ?, {StoreItem.authorName} = ?, {StoreItem.updatedAt} = ?
       WHERE {StoreItem.id} = ? AND {StoreItem.authorId} = ?`,
    );
    this.transferSlug = database.statement(
      'UPDATE {StoreSlugHistory} SET {StoreSlugHistory.authorId} = ? WHERE {StoreSlugHistory.type} = ? AND {StoreSlugHistory.slugKey} = ?',
    );
  }

  /** Whether a user has author rights for an item. */
  async isAuthor(item: Pick<StoreItem, 'id' | 'authorId'>, userId: number): Promise<boolean> {
    if (item.authorId === userId) return true;
    return this.rows.existsBy({ itemId: item.id, userId, acceptedAt: Not(IsNull()) });
  }

  /** Returns the items a user is a co-author of. */
  async itemsOf(userId: number): Promise<number[]> {
    const rows = await this.rows.find({ select: { itemId: true }, where: { userId, acceptedAt: Not(IsNull()) }, take: 1_000 });
    return rows.map(({ itemId }) => itemId);
  }

  /** Returns the co-authors of an item. */
  async of(itemId: number): Promise<CoAuthorState[]> {
    const rows = await this.rows.find({ where: { itemId }, relations: { user: true }, order: { id: 'ASC' } });
    return rows.map(({ userId, user, acceptedAt, offeredAt }) => ({
      user_id: userId,
      username: user!.username,
      accepted: acceptedAt !== null,
      offered: offeredAt !== null,
    }));
  }

  /** Returns a user's pending invitations and offers. */
  async invitations(userId: number): Promise<Invitation[]> {
    const rows = await this.rows.find({ where: { userId }, relations: { item: true }, order: { id: 'ASC' }, take: 200 });
    return rows.flatMap(({ item, itemId, acceptedAt, offeredAt }): Invitation[] => {
      if (acceptedAt !== null && offeredAt === null) return [];
      const about = { item_id: itemId, item_name: item!.name, author_name: item!.authorName };
      return [{ ...about, kind: acceptedAt === null ? 'co_author' : 'transfer' }];
    });
  }

  /** Invites a user; repeating it has no effect. @throws StoreError USER_MISSING, CO_AUTHOR_SELF, CO_AUTHOR_LIMIT, ITEM_NOT_YOURS */
  async invite(item: StoreItem, username: string): Promise<void> {
    const user = await this.database.repository(StoreUser).findOneBy({ usernameKey: nameKey(username.trim()), status: 'active' });
    if (!user) throw new StoreError('USER_MISSING');
    if (user.id === item.authorId) throw new StoreError('CO_AUTHOR_SELF');
    await this.asAuthor(item, async () => {
      if (await this.rows.existsBy({ itemId: item.id, userId: user.id })) return;
      if ((await this.rows.countBy({ itemId: item.id })) >= MAX_CO_AUTHORS)
        throw new StoreError('CO_AUTHOR_LIMIT', { most: MAX_CO_AUTHORS });
      const times = { acceptedAt: null, offeredAt: null, createdAt: this.clock.now() };
      await this.rows.insert({ itemId: item.id, userId: user.id, ...times });
    });
  }

  /** Removes a co-author or invitation: revoked by the author, declined, or left. @throws StoreError CO_AUTHOR_MISSING */
  async remove(itemId: number, userId: number): Promise<void> {
    if (((await this.rows.delete({ itemId, userId })).affected ?? 0) === 0) throw new StoreError('CO_AUTHOR_MISSING');
  }

  /** Offers the item to one co-author and withdraws any other offer. @throws StoreError CO_AUTHOR_MISSING, ITEM_NOT_YOURS */
  async offer(item: StoreItem, userId: number): Promise<void> {
    await this.asAuthor(item, async () => {
      await this.rows.update({ itemId: item.id }, { offeredAt: null });
      const { affected } = await this.rows.update({ itemId: item.id, userId, acceptedAt: Not(IsNull()) }, { offeredAt: this.clock.now() });
      if ((affected ?? 0) === 0) throw new StoreError('CO_AUTHOR_MISSING');
    });
  }

  /**
   * Accepts an invitation, or a transfer offer: the previous author then becomes a co-author.
   *
   * @throws StoreError CO_AUTHOR_MISSING if no invitation or offer exists (any longer)
   */
  async accept(itemId: number, userId: number): Promise<'co_author' | 'transfer'> {
    return this.database.transaction(async () => {
      const now = this.clock.now();
      const joined = await this.rows.update({ itemId, userId, acceptedAt: IsNull() }, { acceptedAt: now });
      if ((joined.affected ?? 0) > 0) return 'co_author';
      const item = await this.database.repository(StoreItem).findOneBy({ id: itemId });
      const user = await this.database.repository(StoreUser).findOneBy({ id: userId, status: 'active' });
      if (!item || !user) throw new StoreError('CO_AUTHOR_MISSING');
      // Locks the item and checks that its author is still the one who made the offer.
      if ((await this.transferItem.run(userId, user.username, now, itemId, item.authorId)).affected === 0)
        throw new StoreError('CO_AUTHOR_MISSING');
      const taken = await this.rows.delete({ itemId, userId, offeredAt: Not(IsNull()) });
      if ((taken.affected ?? 0) === 0) throw new StoreError('CO_AUTHOR_MISSING');
      await this.rows.insert({ itemId, userId: item.authorId, acceptedAt: now, offeredAt: null, createdAt: now });
      await this.transferSlug.run(userId, item.type, item.slugKey);
      return 'transfer';
    });
  }

  /** Runs work in a transaction while the item still belongs to its author. */
  private asAuthor(item: StoreItem, work: () => Promise<void>): Promise<void> {
    return this.database.transaction(async () => {
      if ((await this.lockItem.run(item.id, item.authorId)).affected === 0) throw new StoreError('ITEM_NOT_YOURS');
      await work();
    });
  }

  private get rows() {
    return this.database.repository(StoreCoAuthor);
  }
}
