import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { StoreItem, StoreVersion } from '../entities/index.js';
import { StoreError } from '../errors.js';

import { SlugClaims } from './slug-claims.js';

/** Withdraws and deletes versions for their authors. A version string stays used either way. */
@Injectable()
export class OwnVersions {
  private readonly touchItem;
  private readonly withdrawOne;
  private readonly showVersion;
  private readonly closeItem;
  private readonly rejectItem;

  constructor(
    private readonly database: Database,
    private readonly slugs: SlugClaims,
    private readonly clock: Clock,
  ) {
    // Locks the item, so that a withdrawal and a concurrent decision run one after another.
    this.touchItem = database.statement('UPDATE {StoreItem} SET {StoreItem.updatedAt} = ? WHERE {StoreItem.id} = ?');
    this.withdrawOne = database.statement(
      `UPDATE {StoreVersion} SET {StoreVersion.status} = 'withdrawn', {StoreVersion.withdrawnAt} = ?, {StoreVersion.withdrawnReason} = ?
       WHERE {StoreVersion.id} = ? AND {StoreVersion.status} = 'approved'`,
    );
    this.showVersion = database.statement(
      'UPDATE {StoreItem} SET {StoreItem.version} = ?, {StoreItem.sha256} = ?, {StoreItem.zipSize} = ? WHERE {StoreItem.id} = ?',
    );
    this.closeItem = database.statement(
      `UPDATE {StoreItem} SET {StoreItem.status} = 'suspended', {StoreItem.reviewMessage} = ?
       WHERE {StoreItem.id} = ? AND {StoreItem.status} = 'approved'`,
    );
    this.rejectItem = database.statement(
      "UPDATE {StoreItem} SET {StoreItem.status} = 'rejected' WHERE {StoreItem.id} = ? AND {StoreItem.status} = 'pending'",
    );
  }

  /**
   * Withdraws a published version: it can no longer be downloaded, and panels that have it are told the reason. The newest other published
   * version replaces it; if none exists, the item is unlisted until another version is approved.
   *
   * @throws StoreError VERSION_NOT_FOUND, VERSION_NOT_PUBLISHED
   */
  async withdraw(itemId: number, version: string, reason: string): Promise<StoreVersion> {
    return this.database.transaction(async () => {
      const now = this.clock.now();
      await this.touchItem.run(now, itemId);
      const row = await this.require(itemId, version);
      if ((await this.withdrawOne.run(now, reason, row.id)).affected === 0) throw new StoreError('VERSION_NOT_PUBLISHED', { version });
      const item = await this.database.repository(StoreItem).findOneByOrFail({ id: itemId });
      if (item.version.toLowerCase() === row.versionKey) {
        const before = await this.newest(itemId, 'approved');
        if (before) await this.showVersion.run(before.version, before.sha256, before.zipSize, itemId);
        else if ((await this.closeItem.run(reason, itemId)).affected > 0) await this.slugs.close(item, reason, now);
      }
      return this.require(itemId, version);
    });
  }

  /**
   * Deletes a version that was never published, with its findings. Deleting the last version of a never published item deletes the item
   * also; its slug stays reserved for its author.
   *
   * @throws StoreError VERSION_NOT_FOUND, VERSION_PUBLISHED
   * @returns whether the item was deleted
   */
  async remove(itemId: number, version: string): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.touchItem.run(this.clock.now(), itemId);
      const { id, status, versionKey } = await this.require(itemId, version);
      if (status === 'approved' || status === 'withdrawn') throw new StoreError('VERSION_PUBLISHED', { version });
      await this.database.repository(StoreVersion).delete({ id });
      const item = await this.database.repository(StoreItem).findOneByOrFail({ id: itemId });
      const left = await this.newest(itemId);
      if (!left) await this.database.repository(StoreItem).delete({ id: itemId });
      else if (item.status === 'pending' || item.status === 'rejected') {
        if (item.version.toLowerCase() === versionKey) await this.showVersion.run(left.version, left.sha256, left.zipSize, itemId);
        if (status === 'pending') await this.rejectItem.run(itemId);
      }
      return !left;
    });
  }

  private async require(itemId: number, version: string): Promise<StoreVersion> {
    const row = await this.database.repository(StoreVersion).findOneBy({ itemId, versionKey: version.toLowerCase() });
    if (!row) throw new StoreError('VERSION_NOT_FOUND');
    return row;
  }

  private newest(itemId: number, status?: StoreVersion['status']): Promise<StoreVersion | null> {
    return this.database
      .repository(StoreVersion)
      .findOne({ where: { itemId, ...(status ? { status, channel: 'stable' as const } : {}) }, order: { id: 'DESC' } });
  }
}
