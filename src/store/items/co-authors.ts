import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { nameKey, StoreCoAuthor, StoreItem, StoreUser } from '../entities/index.js';
import { StoreError } from '../errors.js';

/** Of one item. */
const MOST = 10;

/** Somebody beside the author. */
export interface CoAuthorState {
  readonly user_id: number;
  readonly username: string;
  /** Whether the invitation was accepted. */
  readonly accepted: boolean;
  /** Whether the item is offered to him. */
  readonly offered: boolean;
}

/** Something somebody is asked. */
export interface Invitation {
  readonly item_id: number;
  readonly item_name: string;
  readonly author_name: string;
  /** To publish it together with its author, or to take it over. */
  readonly kind: 'co_author' | 'transfer';
}

/**
 * Who publishes an item together with its author: somebody with an account who was asked and said yes. Only the author asks, and only to a
 * co-author he may hand the item over, who says yes to that as well.
 */
@Injectable()
export class CoAuthors {
  private readonly lockItem;
  private readonly handOver;
  private readonly handSlug;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.lockItem = database.statement(
      'UPDATE {StoreItem} SET {StoreItem.authorId} = {StoreItem.authorId} WHERE {StoreItem.id} = ? AND {StoreItem.authorId} = ?',
    );
    this.handOver = database.statement(
      `UPDATE {StoreItem} SET {StoreItem.authorId} = ?, {StoreItem.authorName} = ?, {StoreItem.updatedAt} = ?
       WHERE {StoreItem.id} = ? AND {StoreItem.authorId} = ?`,
    );
    this.handSlug = database.statement(
      'UPDATE {StoreSlugHistory} SET {StoreSlugHistory.authorId} = ? WHERE {StoreSlugHistory.type} = ? AND {StoreSlugHistory.slugKey} = ?',
    );
  }

  /** Whether somebody may do with an item what its author may. */
  async isAuthor(item: Pick<StoreItem, 'id' | 'authorId'>, userId: number): Promise<boolean> {
    if (item.authorId === userId) return true;
    return this.rows.existsBy({ itemId: item.id, userId, acceptedAt: Not(IsNull()) });
  }

  /** Items somebody publishes together with their authors. */
  async itemsOf(userId: number): Promise<number[]> {
    const rows = await this.rows.find({ select: { itemId: true }, where: { userId, acceptedAt: Not(IsNull()) }, take: 1_000 });
    return rows.map(({ itemId }) => itemId);
  }

  /** Those of an item. */
  async of(itemId: number): Promise<CoAuthorState[]> {
    const rows = await this.rows.find({ where: { itemId }, relations: { user: true }, order: { id: 'ASC' } });
    return rows.map(({ userId, user, acceptedAt, offeredAt }) => ({
      user_id: userId,
      username: user!.username,
      accepted: acceptedAt !== null,
      offered: offeredAt !== null,
    }));
  }

  /** What somebody is asked. */
  async invitations(userId: number): Promise<Invitation[]> {
    const rows = await this.rows.find({ where: { userId }, relations: { item: true }, order: { id: 'ASC' }, take: 200 });
    return rows.flatMap(({ item, itemId, acceptedAt, offeredAt }): Invitation[] => {
      if (acceptedAt !== null && offeredAt === null) return [];
      const about = { item_id: itemId, item_name: item!.name, author_name: item!.authorName };
      return [{ ...about, kind: acceptedAt === null ? 'co_author' : 'transfer' }];
    });
  }

  /** Asks somebody; asking twice asks once. @throws StoreError USER_MISSING, CO_AUTHOR_SELF, CO_AUTHOR_LIMIT, ITEM_NOT_YOURS */
  async invite(item: StoreItem, username: string): Promise<void> {
    const user = await this.database.repository(StoreUser).findOneBy({ usernameKey: nameKey(username.trim()), status: 'active' });
    if (!user) throw new StoreError('USER_MISSING');
    if (user.id === item.authorId) throw new StoreError('CO_AUTHOR_SELF');
    await this.asAuthor(item, async () => {
      if (await this.rows.existsBy({ itemId: item.id, userId: user.id })) return;
      if ((await this.rows.countBy({ itemId: item.id })) >= MOST) throw new StoreError('CO_AUTHOR_LIMIT', { most: MOST });
      const times = { acceptedAt: null, offeredAt: null, createdAt: this.clock.now() };
      await this.rows.insert({ itemId: item.id, userId: user.id, ...times });
    });
  }

  /** Ends it: the author takes it back, or somebody leaves or declines. @throws StoreError CO_AUTHOR_MISSING */
  async remove(itemId: number, userId: number): Promise<void> {
    if (((await this.rows.delete({ itemId, userId })).affected ?? 0) === 0) throw new StoreError('CO_AUTHOR_MISSING');
  }

  /** Offers the item to a co-author, and to nobody else any more. @throws StoreError CO_AUTHOR_MISSING, ITEM_NOT_YOURS */
  async offer(item: StoreItem, userId: number): Promise<void> {
    await this.asAuthor(item, async () => {
      await this.rows.update({ itemId: item.id }, { offeredAt: null });
      const { affected } = await this.rows.update({ itemId: item.id, userId, acceptedAt: Not(IsNull()) }, { offeredAt: this.clock.now() });
      if ((affected ?? 0) === 0) throw new StoreError('CO_AUTHOR_MISSING');
    });
  }

  /**
   * Says yes to what one is asked: to publish it together, or, where it is offered, to take it over; its author before is a co-author then.
   *
   * @throws StoreError CO_AUTHOR_MISSING where nothing is asked (any more)
   */
  async accept(itemId: number, userId: number): Promise<'co_author' | 'transfer'> {
    return this.database.transaction(async () => {
      const now = this.clock.now();
      const joined = await this.rows.update({ itemId, userId, acceptedAt: IsNull() }, { acceptedAt: now });
      if ((joined.affected ?? 0) > 0) return 'co_author';
      const item = await this.database.repository(StoreItem).findOneBy({ id: itemId });
      const user = await this.database.repository(StoreUser).findOneBy({ id: userId, status: 'active' });
      if (!item || !user) throw new StoreError('CO_AUTHOR_MISSING');
      // The lock, and that the author is still the one who offered it.
      if ((await this.handOver.run(userId, user.username, now, itemId, item.authorId)).affected === 0)
        throw new StoreError('CO_AUTHOR_MISSING');
      const taken = await this.rows.delete({ itemId, userId, offeredAt: Not(IsNull()) });
      if ((taken.affected ?? 0) === 0) throw new StoreError('CO_AUTHOR_MISSING');
      await this.rows.insert({ itemId, userId: item.authorId, acceptedAt: now, offeredAt: null, createdAt: now });
      await this.handSlug.run(userId, item.type, item.slugKey);
      return 'transfer';
    });
  }

  /** Does something while the item is still its author's. */
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
