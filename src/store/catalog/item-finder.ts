import { Injectable } from '@nestjs/common';

import { Database, type EntityRows } from '../../database/index.js';
import { StoreItem } from '../entities/index.js';
import { foldText, type ItemQuery } from '../search/index.js';

import { FollowedIndex } from './followed-index.js';

/** A page of items. */
export interface FoundItems {
  readonly items: StoreItem[];
  /** Total items on all pages. */
  readonly total: number;
}

/** Finds published items with the index of this process. */
@Injectable()
export class ItemFinder {
  private readonly rows: EntityRows<StoreItem>;

  constructor(
    private readonly database: Database,
    private readonly index: FollowedIndex,
  ) {
    this.rows = database.entityRows(StoreItem);
  }

  /** Returns a page in a stable order; an exact name or slug match comes first. */
  async find(query: ItemQuery): Promise<FoundItems> {
    const index = await this.index.current();
    const { ids, total } = await index.find(foldText(query.keyword ?? ''), query);
    return { items: await this.read(ids), total };
  }

  /** Reads current rows and skips items no longer published, even if the index still has them. */
  private async read(ids: readonly number[]): Promise<StoreItem[]> {
    if (ids.length === 0) return [];
    const sql = `SELECT ${this.rows.columns} FROM {StoreItem} WHERE {StoreItem.id} IN (${ids.map(() => '?').join(', ')})`;
    const found = (await this.database.query(this.database.resolve(sql), [...ids])).map((row) => this.rows.read(row));
    // Filtered here: as an SQL condition it might make the engine choose the status index.
    const byId = new Map(found.filter((item) => item.status === 'approved').map((item) => [item.id, item]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}
