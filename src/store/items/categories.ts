import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';

/** Category names that front ends may always offer. Source: docs/store-api.md "Finding". */
const SUGGESTED = ['支付', '通知', '管理', '界面', '安全', 'SEO', '备份', '监控', '其他'];
/** Maximum categories in a response. */
const MAX_LISTED = 500;

/** A category and its number of published items. */
export interface Category {
  readonly name: string;
  readonly count: number;
}

/** The categories of the published items. */
@Injectable()
export class Categories {
  private readonly inUse;

  constructor(database: Database) {
    this.inUse = database.statement<Category>(
      `SELECT {StoreItem.category} AS name, COUNT(*) AS count FROM {StoreItem} WHERE {StoreItem.status} = 'approved'
        AND {StoreItem.category} <> ''
       GROUP BY {StoreItem.category} ORDER BY COUNT(*) DESC, {StoreItem.category} LIMIT ?`,
    );
  }

  /** Returns the suggested categories in their order, then the others by item count. */
  async list(): Promise<Category[]> {
    const counts = new Map((await this.inUse.all(MAX_LISTED)).map(({ name, count }) => [name, Number(count)]));
    const names = new Set([...SUGGESTED, ...counts.keys()]);
    return [...names].map((name) => ({ name, count: counts.get(name) ?? 0 }));
  }
}
