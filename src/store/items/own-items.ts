import { Injectable } from '@nestjs/common';

import { In } from 'typeorm';

import { Clock, type Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { type ItemType, StoreFinding, StoreItem, StoreVersion } from '../entities/index.js';
import { type ItemMissing, StoreError } from '../errors.js';
import type { PageSlice, StoreCaller } from '../call/index.js';
import { blockedFinding, joinFindings } from '../packages/index.js';

import { BlockedFiles } from './blocked-files.js';
import { CoAuthors } from './co-authors.js';
import { editRequestRow, findingRow, MAX_VERSIONS, ownItemRow, ownVersionRow } from './item-rows.js';
import { EditRequests } from './edit-requests.js';

/** Reads items for their authors. */
@Injectable()
export class OwnItems {
  private readonly queue;

  constructor(
    private readonly database: Database,
    private readonly edits: EditRequests,
    private readonly blocked: BlockedFiles,
    private readonly coAuthors: CoAuthors,
    private readonly clock: Clock,
  ) {
    this.queue = database.statement<{ ahead: number }>(
      `SELECT COUNT(*) AS ahead FROM {StoreVersion} WHERE {StoreVersion.status} = 'pending' AND {StoreVersion.id} < ?`,
    );
  }

  /** Returns the items the caller is author or co-author of, newest first, in any status. */
  async list(caller: StoreCaller, type: ItemType | undefined, { page, pageSize, offset }: PageSlice) {
    const coAuthored = await this.coAuthors.itemsOf(caller.id);
    const [items, total] = await this.database.repository(StoreItem).findAndCount({
      where: [
        { authorId: caller.id, ...(type ? { type } : {}) },
        ...(coAuthored.length > 0 ? [{ id: In(coAuthored), ...(type ? { type } : {}) }] : []),
      ],
      order: { id: 'DESC' },
      skip: offset,
      take: pageSize,
    });
    return { items: items.map(ownItemRow), total, page, page_size: pageSize };
  }

  /**
   * Returns an item of which the caller is author or co-author.
   *
   * @param missing error code otherwise
   * @throws StoreError NOT_FOUND, NOT_YOURS (a public item of another user)
   */
  async require(caller: StoreCaller, id: number, missing: ItemMissing = 'ITEM_NOT_FOUND'): Promise<StoreItem> {
    const item = await this.database.repository(StoreItem).findOneBy({ id });
    if (item && (await this.coAuthors.isAuthor(item, caller.id))) return item;
    throw item?.status === 'approved' ? new StoreError('ITEM_NOT_YOURS') : new StoreError(missing);
  }

  /** Returns the newest {@link MAX_VERSIONS} versions of an item, newest first. */
  async versions(item: StoreItem) {
    const versions = await this.database
      .repository(StoreVersion)
      .find({ where: { itemId: item.id }, order: { id: 'DESC' }, take: MAX_VERSIONS });
    return versions.map((version) => ownVersionRow(version, item.type));
  }

  /** Returns one version of an item, as currently stored. */
  version(itemId: number, id: number): Promise<StoreVersion> {
    return this.database.repository(StoreVersion).findOneByOrFail({ id, itemId });
  }

  /** Returns the review state of the newest version with its findings; blocked files are looked up now. */
  async review(item: StoreItem, locale: Locale) {
    const version = await this.database.repository(StoreVersion).findOne({ where: { itemId: item.id }, order: { id: 'DESC' } });
    if (!version) throw new StoreError('ITEM_NOT_FOUND');
    const findings = await this.database.repository(StoreFinding).find({ where: { versionId: version.id }, order: { id: 'ASC' } });
    const blocked = (await this.blocked.ofVersion(version.id)).map(blockedFinding);
    const isWaiting = version.status === 'pending';
    const ahead = isWaiting ? Number((await this.queue.get(version.id))!.ahead) : null;
    return {
      item_status: item.status,
      review_msg: item.reviewMessage,
      version: ownVersionRow(version, item.type),
      findings: joinFindings(blocked, findings).map((finding) => findingRow(finding, locale)),
      manifest: version.manifest,
      queue_position: ahead === null ? null : ahead + 1,
      waiting_seconds: isWaiting ? Math.max(0, Math.floor((this.clock.now().getTime() - version.createdAt.getTime()) / 1_000)) : null,
      edit_requests: (await this.edits.of(item.id)).map(editRequestRow),
    };
  }
}
