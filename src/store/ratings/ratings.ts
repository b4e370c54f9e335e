import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { checkVersion, type FormValues, versionOf } from '../../http/index.js';
import { type Actor, StoreAuditLog } from '../audit/index.js';
import type { PageSlice } from '../call/index.js';
import { type StoreItem, StoreRating, StoreUser, StoreVersion } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { CoAuthors } from '../items/index.js';

import type { Rating } from './rating.dto.js';

/** A submitted rating. */
export interface GivenRating {
  /** 1 to 5. */
  readonly stars: number;
  readonly text: string;
}

/**
 * Ratings of versions, one per account and version. An item stores the number of accounts that rated it and the sum of their stars,
 * counting only each account's newest visible rating.
 */
@Injectable()
export class Ratings {
  private readonly lockItem;
  private readonly give;
  private readonly count;
  private readonly setStatus;

  constructor(
    private readonly database: Database,
    private readonly audit: StoreAuditLog,
    private readonly clock: Clock,
    private readonly coAuthors: CoAuthors,
  ) {
    this.lockItem = database.statement('UPDATE {StoreItem} SET {StoreItem.ratingCount} = {StoreItem.ratingCount} WHERE {StoreItem.id} = ?');
    this.give = database.statement(
      `${database.insertIgnore} {StoreRating} ({StoreRating.itemId}, {StoreRating.versionId}, {StoreRating.userId}, {StoreRating.stars},
        {StoreRating.text}, {StoreRating.createdAt}, {StoreRating.updatedAt}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    const shown = "FROM {StoreRating} WHERE {StoreRating.itemId} = ? AND {StoreRating.status} = 'shown'";
    const newest = `SELECT MAX({StoreRating.id}) ${shown} GROUP BY {StoreRating.userId}`;
    this.count = database.statement(
      `UPDATE {StoreItem} SET {StoreItem.ratingCount} = (SELECT COUNT(DISTINCT {StoreRating.userId}) ${shown}),
        {StoreItem.ratingSum} = (SELECT COALESCE(SUM({StoreRating.stars}), 0) FROM {StoreRating} WHERE {StoreRating.id} IN (${newest}))
        WHERE {StoreItem.id} = ?`,
    );
    this.setStatus = database.statement(
      'UPDATE {StoreRating} SET {StoreRating.status} = ? WHERE {StoreRating.id} = ? AND {StoreRating.status} <> ?',
    );
  }

  /** Returns ratings of an item, newest first. @param withHidden whether to include hidden ratings */
  async page(itemId: number, { page, pageSize, offset }: PageSlice, withHidden = false) {
    const [rows, total] = await this.database.repository(StoreRating).findAndCount({
      where: { itemId, ...(withHidden ? {} : { status: 'shown' as const }) },
      relations: { version: true },
      order: { id: 'DESC' },
      skip: offset,
      take: pageSize,
    });
    return { items: await this.withNames(rows), total, page, page_size: pageSize };
  }

  /** Returns an account's ratings of an item's versions, newest first. */
  async of(itemId: number, userId: number): Promise<Rating[]> {
    const rows = await this.database
      .repository(StoreRating)
      .find({ where: { itemId, userId }, relations: { version: true }, order: { id: 'DESC' }, take: 200 });
    return this.withNames(rows);
  }

  /** Returns ratings by their ids, including hidden ones. */
  async byIds(ids: readonly number[]): Promise<Rating[]> {
    if (ids.length === 0) return [];
    return this.withNames(await this.database.repository(StoreRating).find({ where: { id: In([...ids]) }, relations: { version: true } }));
  }

  /**
   * Rates a published version or changes the account's existing rating.
   *
   * @param rowVersion of the existing rating, see {@link Rating.row_version}, or {@link NO_RATING}
   * @throws StoreError RATING_OWN (one's own item), VERSION_NOT_FOUND
   * @throws StaleForm
   */
  async rate(item: StoreItem, userId: number, version: string, { stars, text }: GivenRating, rowVersion?: string): Promise<Rating> {
    if (await this.coAuthors.isAuthor(item, userId)) throw new StoreError('RATING_OWN');
    return this.withRecount(item.id, async () => {
      const versionId = await this.requirePublished(item.id, version);
      const now = this.clock.now();
      const ratings = this.database.repository(StoreRating);
      checkVersion(rowVersion, ratingForm(await ratings.findOneBy({ versionId, userId })), ['stars', 'text']);
      if ((await this.give.run(item.id, versionId, userId, stars, text, now, now)).affected === 0)
        await ratings.update({ versionId, userId }, { stars, text, updatedAt: now });
      const row = await ratings.findOneOrFail({ where: { versionId, userId }, relations: { version: true } });
      return (await this.withNames([row]))[0]!;
    });
  }

  /** Removes the account's own rating of a version. @throws StoreError RATING_NOT_FOUND */
  async remove(itemId: number, userId: number, version: string): Promise<void> {
    await this.withRecount(itemId, async () => {
      const row = await this.database.repository(StoreVersion).findOneBy({ itemId, versionKey: version.toLowerCase() });
      const { affected } = await this.database.repository(StoreRating).delete({ versionId: row?.id ?? 0, userId });
      if (affected === 0) throw new StoreError('RATING_NOT_FOUND');
    });
  }

  /** Returns a visible rating. @throws StoreError RATING_NOT_FOUND */
  async require(id: number): Promise<StoreRating & { item: StoreItem }> {
    const row = await this.database.repository(StoreRating).findOne({ where: { id, status: 'shown' }, relations: { item: true } });
    if (!row) throw new StoreError('RATING_NOT_FOUND');
    return row as StoreRating & { item: StoreItem };
  }

  /** Sets the author's reply; an empty text removes it. @throws StoreError RATING_NOT_FOUND @throws StaleForm */
  async reply(id: number, text: string, rowVersion?: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.lockRow('StoreRating', 'id', id);
      checkVersion(rowVersion, ratingForm(await this.require(id)), ['reply']);
      await this.database.repository(StoreRating).update({ id }, { reply: text, repliedAt: text === '' ? null : this.clock.now() });
    });
  }

  /** Hides a rating or shows it again. @throws StoreError RATING_NOT_FOUND, RATING_DECIDED (already in that state) */
  async decide(id: number, status: StoreRating['status'], note: string, actor: Actor): Promise<void> {
    const row = await this.database.repository(StoreRating).findOneBy({ id });
    if (!row) throw new StoreError('RATING_NOT_FOUND');
    await this.withRecount(row.itemId, async () => {
      if ((await this.setStatus.run(status, id, status)).affected === 0) throw new StoreError('RATING_DECIDED');
      const action = status === 'hidden' ? 'rating.hide' : 'rating.show';
      await this.audit.record(actor, { action, subject: 'rating', subjectId: id, detail: { item_id: row.itemId, msg: note } });
    });
  }

  /** Changes ratings of an item and recalculates its totals; concurrent calls for one item run one after another. */
  private withRecount<T>(itemId: number, work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      if ((await this.lockItem.run(itemId)).affected === 0) throw new StoreError('ITEM_NOT_FOUND');
      const result = await work();
      await this.count.run(itemId, itemId, itemId);
      return result;
    });
  }

  private async requirePublished(itemId: number, version: string): Promise<number> {
    const row = await this.database
      .repository(StoreVersion)
      .findOneBy({ itemId, versionKey: version.toLowerCase(), status: In(['approved', 'withdrawn']) });
    if (!row) throw new StoreError('VERSION_NOT_FOUND');
    return row.id;
  }

  private async withNames(rows: readonly StoreRating[]): Promise<Rating[]> {
    if (rows.length === 0) return [];
    const users = await this.database
      .repository(StoreUser)
      .find({ select: { id: true, username: true }, where: { id: In([...new Set(rows.map(({ userId }) => userId))]) } });
    const names = new Map(users.map(({ id, username }) => [id, username]));
    return rows.map((row) => ({
      id: row.id,
      item_id: row.itemId,
      version: row.version!.version,
      stars: row.stars,
      text: row.text,
      user_id: row.userId,
      username: names.get(row.userId) ?? '',
      status: row.status,
      reply: row.reply,
      replied_at: row.repliedAt?.toISOString() ?? null,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
      row_version: versionOf(ratingForm(row)),
    }));
  }
}

/** Form values of a rating and of the author's reply. */
function ratingForm(row: StoreRating | null): FormValues {
  return { stars: row?.stars ?? null, text: row?.text ?? '', reply: row?.reply ?? '' };
}

/** Row version for an account without a rating. */
export const NO_RATING = versionOf(ratingForm(null));
