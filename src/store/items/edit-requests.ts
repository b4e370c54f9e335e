import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { checkVersion, type FormValues, versionOf } from '../../http/index.js';
import { StoreEditRequest, StoreItem } from '../entities/index.js';
import { StoreError } from '../errors.js';

import { EDIT_FIELDS, EVERY_FIELD, isEditField, ITEM_FIELDS, type EditField } from './item-fields.js';

/** Maximum requests in a response. */
const MAX_LISTED = 200;

/** Changes requested by authors; the item stays unchanged until an administrator decides. */
@Injectable()
export class EditRequests {
  private readonly lockItem;
  private readonly supersede;
  private readonly decideOnce;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.lockItem = database.statement('UPDATE {StoreItem} SET {StoreItem.authorId} = {StoreItem.authorId} WHERE {StoreItem.id} = ?');
    this.supersede = database.statement(
      `UPDATE {StoreEditRequest} SET {StoreEditRequest.status} = 'superseded', {StoreEditRequest.decidedAt} = ?
       WHERE {StoreEditRequest.itemId} = ? AND {StoreEditRequest.field} = ? AND {StoreEditRequest.status} = 'pending'`,
    );
    this.decideOnce = database.statement(
      `UPDATE {StoreEditRequest} SET {StoreEditRequest.status} = ?, {StoreEditRequest.reviewMessage} = ?, {StoreEditRequest.decidedAt} = ?,
        {StoreEditRequest.decidedBy} = ?
       WHERE {StoreEditRequest.id} = ? AND {StoreEditRequest.status} = 'pending'`,
    );
  }

  /**
   * Requests changes, one request per field, skipping null values and values that change nothing. A newer request supersedes a pending one
   * for the same field.
   *
   * @param fields fields that may be changed here
   * @param rowVersion of the item's form, see {@link EditRequests.rowVersion}
   * @returns number of requests created
   * @throws StoreError INVALID (a field that cannot be changed, or an invalid value; no request is then created), NOT_FOUND
   * @throws StaleForm if another user changed the field meanwhile or requested a change
   */
  async request(
    itemId: number,
    changes: Readonly<Record<string, unknown>>,
    fields: readonly EditField[] = EDIT_FIELDS,
    rowVersion?: string,
  ): Promise<number> {
    const wanted = Object.entries(changes).flatMap(([name, value]) => {
      if (!isEditField(name) || !fields.includes(name)) throw new StoreError('FIELD_NOT_EDITABLE', { field: name.slice(0, 60) });
      // Null means unchanged, as in every JSON body of the store; the price rule would read it as 0.
      return value === null ? [] : [{ field: name, newValue: ITEM_FIELDS[name].read(value) }];
    });
    return this.database.transaction(async () => {
      if ((await this.lockItem.run(itemId)).affected === 0) throw new StoreError('ITEM_NOT_FOUND_OR_YOURS');
      const item = await this.database.repository(StoreItem).findOneByOrFail({ id: itemId });
      const requests = this.database.repository(StoreEditRequest);
      const pending = await this.pending(itemId);
      const changed = wanted
        .map((change) => ({ ...change, oldValue: ITEM_FIELDS[change.field].of(item) }))
        .filter(({ field, oldValue, newValue }) => newValue !== oldValue && newValue !== pending.get(field));
      checkVersion(
        rowVersion,
        itemForm(item, pending),
        changed.map(({ field }) => field),
      );
      const now = this.clock.now();
      for (const { field, oldValue, newValue } of changed) {
        await this.supersede.run(now, itemId, field);
        await requests.insert({
          itemId,
          field,
          oldValue,
          newValue,
          status: 'pending',
          reviewMessage: '',
          createdAt: now,
          decidedAt: null,
          decidedBy: null,
        });
      }
      return changed.length;
    });
  }

  /** Row version of an item's forms. Pending changes count as made, because another request would supersede them. */
  async rowVersion(item: StoreItem): Promise<string> {
    return versionOf(itemForm(item, await this.pending(item.id)));
  }

  /** Returns the newest requests of an item. */
  of(itemId: number): Promise<StoreEditRequest[]> {
    return this.database.repository(StoreEditRequest).find({ where: { itemId }, order: { id: 'DESC' }, take: MAX_LISTED });
  }

  /** Returns requests with their items, newest first, at most 200. */
  list(status: StoreEditRequest['status'] | undefined): Promise<StoreEditRequest[]> {
    return this.database
      .repository(StoreEditRequest)
      .find({ where: status ? { status } : {}, relations: { item: true }, order: { id: 'DESC' }, take: MAX_LISTED });
  }

  /**
   * Decides a pending request; call it in a transaction. An approved change is validated again and applied.
   *
   * @throws StoreError NOT_FOUND, INVALID (already decided, or no longer valid)
   */
  async decide(id: number, status: 'approved' | 'rejected', note: string, decidedBy: number): Promise<StoreEditRequest> {
    const request = await this.database.repository(StoreEditRequest).findOneBy({ id });
    if (!request) throw new StoreError('EDIT_REQUEST_GONE');
    const now = this.clock.now();
    if ((await this.decideOnce.run(status, note, now, decidedBy, id)).affected === 0) throw new StoreError('EDIT_REQUEST_DECIDED');
    if (status === 'approved' && isEditField(request.field)) {
      await this.database
        .repository(StoreItem)
        .update(request.itemId, { ...ITEM_FIELDS[request.field].change(request.newValue), updatedAt: now });
    }
    return request;
  }

  /** Returns the pending values by field. */
  private async pending(itemId: number): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.repository(StoreEditRequest).findBy({ itemId, status: 'pending' });
    return new Map(rows.map(({ field, newValue }) => [field, newValue]));
  }
}

/** Form values of an item, with pending values in place of current ones. */
function itemForm(item: StoreItem, pending: ReadonlyMap<string, string>): FormValues {
  const { tags, main_image, screenshots, ...others } = Object.fromEntries(
    EVERY_FIELD.map((field) => [field, pending.get(field) ?? ITEM_FIELDS[field].of(item)]),
  ) as Record<EditField, string>;
  // Picture paths mean nothing to users, so the form only reports that they changed.
  return {
    ...others,
    tags: (JSON.parse(tags) as string[]).join(', '),
    main_image: { secret: main_image },
    screenshots: { secret: screenshots },
  };
}
