import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { checkVersion, type FormValues, versionOf } from '../../http/index.js';
import { StoreEditRequest, StoreItem } from '../entities/index.js';
import { StoreError } from '../errors.js';

import { EDIT_FIELDS, EVERY_FIELD, isEditField, ITEM_FIELDS, type EditField } from './item-fields.js';

/** Most requests of one answer. */
const MAX_LISTED = 200;

/** Changes authors ask for; the item stays as it is until an administrator has decided. */
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
   * Asks for changes, one request a field; of those that change nothing, and of a field that is null, none is made. A newer request
   * takes the place of a waiting one.
   *
   * @param fields what may be asked for here
   * @param rowVersion of the item's form, see {@link EditRequests.rowVersion}
   * @returns how many requests were made
   * @throws StoreError INVALID (a field that cannot be changed, a value that breaks its rule: then nothing is asked for), NOT_FOUND
   * @throws StaleForm for a field that is to be changed and that somebody else has changed, or asked to change
   */
  async ask(
    itemId: number,
    changes: Readonly<Record<string, unknown>>,
    fields: readonly EditField[] = EDIT_FIELDS,
    rowVersion?: string,
  ): Promise<number> {
    const wanted = Object.entries(changes).flatMap(([name, value]) => {
      if (!isEditField(name) || !fields.includes(name)) throw new StoreError('FIELD_NOT_EDITABLE', { field: name.slice(0, 60) });
      // Nothing given, as in every JSON body of the store: it stays as it is. Read as a price, it would be 0.
      return value === null ? [] : [{ field: name, newValue: ITEM_FIELDS[name].read(value) }];
    });
    return this.database.transaction(async () => {
      if ((await this.lockItem.run(itemId)).affected === 0) throw new StoreError('ITEM_NOT_FOUND_OR_YOURS');
      const item = await this.database.repository(StoreItem).findOneByOrFail({ id: itemId });
      const requests = this.database.repository(StoreEditRequest);
      const waiting = await this.waiting(itemId);
      const made = wanted
        .map((change) => ({ ...change, oldValue: ITEM_FIELDS[change.field].of(item) }))
        .filter(({ field, oldValue, newValue }) => newValue !== oldValue && newValue !== waiting.get(field));
      checkVersion(
        rowVersion,
        itemForm(item, waiting),
        made.map(({ field }) => field),
      );
      const now = this.clock.now();
      for (const { field, oldValue, newValue } of made) {
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
      return made.length;
    });
  }

  /** The version of what the forms of an item show. What waits for a decision counts as decided: another request would take its place. */
  async rowVersion(item: StoreItem): Promise<string> {
    return versionOf(itemForm(item, await this.waiting(item.id)));
  }

  /** The newest requests of an item. */
  of(itemId: number): Promise<StoreEditRequest[]> {
    return this.database.repository(StoreEditRequest).find({ where: { itemId }, order: { id: 'DESC' }, take: MAX_LISTED });
  }

  /** Requests with their items, newest first, at most 200. */
  list(status: StoreEditRequest['status'] | undefined): Promise<StoreEditRequest[]> {
    return this.database
      .repository(StoreEditRequest)
      .find({ where: status ? { status } : {}, relations: { item: true }, order: { id: 'DESC' }, take: MAX_LISTED });
  }

  /**
   * Decides a request, once; in a transaction of the caller's. An approved change is checked again and made.
   *
   * @throws StoreError NOT_FOUND, INVALID (decided already, or no longer allowed)
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

  /** What is asked for and not decided, by field. */
  private async waiting(itemId: number): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.repository(StoreEditRequest).findBy({ itemId, status: 'pending' });
    return new Map(rows.map(({ field, newValue }) => [field, newValue]));
  }
}

/** What the forms of an item show, with what waits in its place. */
function itemForm(item: StoreItem, waiting: ReadonlyMap<string, string>): FormValues {
  const { tags, main_image, screenshots, ...others } = Object.fromEntries(
    EVERY_FIELD.map((field) => [field, waiting.get(field) ?? ITEM_FIELDS[field].of(item)]),
  ) as Record<EditField, string>;
  // That a picture is another one is all that can be said of it: its address says nothing to anybody.
  return {
    ...others,
    tags: (JSON.parse(tags) as string[]).join(', '),
    main_image: { secret: main_image },
    screenshots: { secret: screenshots },
  };
}
