import { Injectable } from '@nestjs/common';

import { Database, fromSqlTime } from '../../database/index.js';
import type { ItemStatus } from '../entities/index.js';
import type { IndexedItem } from '../search/index.js';

/** An item with its current stored state. */
export interface FollowedRow extends IndexedItem {
  /** Only `approved` items are public. */
  readonly status: ItemStatus;
}

/** A {@link FollowedRow} in database types. */
interface Row {
  id: number;
  price: string | number;
  createdAt: string | number;
  updatedAt: string | number;
}

const PROPERTIES = [
  'id',
  'type',
  'slug',
  'name',
  'description',
  'category',
  'authorId',
  'price',
  'downloads',
  'createdAt',
  'updatedAt',
  'status',
];
const COLUMNS = PROPERTIES.map((property) => `{StoreItem.${property}} AS ${property}`).join(', ');

/** Statements with which the item index reads the database. */
@Injectable()
export class IndexedRows {
  private readonly next;
  private readonly changedSince;
  private readonly count;
  private readonly nextIds;
  private readonly lastDownload;
  private readonly countedSince;

  constructor(private readonly database: Database) {
    this.next = database.statement<Row>(`SELECT ${COLUMNS} FROM {StoreItem} WHERE {StoreItem.id} > ? ORDER BY {StoreItem.id} LIMIT ?`);
    this.changedSince = database.statement<Row>(
      `SELECT ${COLUMNS} FROM {StoreItem} WHERE {StoreItem.updatedAt} >= ? AND ({StoreItem.updatedAt} > ? OR {StoreItem.id} > ?)
       ORDER BY {StoreItem.updatedAt}, {StoreItem.id} LIMIT ?`,
    );
    this.count = database.statement<{ total: number; last: number | null }>(
      `SELECT COUNT(*) AS total, MAX(id) AS last FROM (
         SELECT {StoreItem.id} AS id FROM {StoreItem} WHERE {StoreItem.status} = 'approved' AND {StoreItem.id} > ?
         ORDER BY {StoreItem.id} LIMIT ?
       ) AS part`,
    );
    this.nextIds = database.statement<{ id: number }>(
      `SELECT {StoreItem.id} AS id FROM {StoreItem} WHERE {StoreItem.status} = 'approved' AND {StoreItem.id} > ? ORDER BY {StoreItem.id}
        LIMIT ?`,
    );
    this.lastDownload = database.statement<{ id: number | null }>('SELECT MAX({StoreDownload.id}) AS id FROM {StoreDownload}');
    this.countedSince = database.statement<{ id: number; downloads: number }>(
      `SELECT {StoreItem.id} AS id, {StoreItem.downloads} AS downloads FROM {StoreItem}
       WHERE {StoreItem.id} IN (SELECT {StoreDownload.itemId} FROM {StoreDownload} WHERE {StoreDownload.id} > ?)`,
    );
  }

  /** Returns the next items by id. */
  async after(id: number, limit: number): Promise<FollowedRow[]> {
    return (await this.next.all(id, limit)).map(read);
  }

  /** Returns the next items by change time, starting at `moment` and `id`. */
  async changedAfter(moment: Date, id: number, limit: number): Promise<FollowedRow[]> {
    return (await this.changedSince.all(moment, moment, id, limit)).map(read);
  }

  /** Returns those of these items that exist. */
  async byIds(ids: readonly number[]): Promise<FollowedRow[]> {
    const placeholders = ids.map(() => '?').join(', ');
    return (
      await this.database.query<Row>(
        this.database.resolve(`SELECT ${COLUMNS} FROM {StoreItem} WHERE {StoreItem.id} IN (${placeholders})`),
        [...ids],
      )
    ).map(read);
  }

  /** Counts published items in id order, at most `limit`. @param after id before the first one */
  async countPublished(after: number, limit: number): Promise<{ total: number; last: number }> {
    const { total, last } = (await this.count.get(after, limit))!;
    return { total: Number(total), last: Number(last ?? after) };
  }

  /** Returns the next ids of published items. */
  async publishedAfter(id: number, limit: number): Promise<number[]> {
    return (await this.nextIds.all(id, limit)).map((row) => Number(row.id));
  }

  /** Returns the id of the newest download log entry; 0 for none. */
  async newestDownload(): Promise<number> {
    return Number((await this.lastDownload.get())?.id ?? 0);
  }

  /** Returns the counters of items downloaded after a log entry. */
  countersAfter(entry: number): Promise<{ id: number; downloads: number }[]> {
    return this.countedSince.all(entry);
  }
}

/** Converts in place: new objects for a hundred thousand rows would be promoted by the garbage collector and cause long pauses later. */
function read(row: Row): FollowedRow {
  row.price = Math.round(Number(row.price) * 100);
  row.createdAt = fromSqlTime(String(row.createdAt)).getTime();
  row.updatedAt = fromSqlTime(String(row.updatedAt)).getTime();
  return row as unknown as FollowedRow;
}
