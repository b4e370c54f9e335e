import { Injectable } from '@nestjs/common';

import { Database, fromSqlTime } from '../../database/index.js';
import type { ItemType } from '../entities/index.js';

/** Maximum versions in a feed. */
const MAX_VERSIONS = 50;

/** A published version. */
export interface PublishedVersion {
  readonly type: ItemType;
  readonly slug: string;
  readonly name: string;
  readonly author: string;
  readonly version: string;
  readonly changelog: string;
  readonly at: Date;
}

interface Row extends Omit<PublishedVersion, 'at'> {
  at: string;
}

/** Reads the most recently published versions. */
@Injectable()
export class NewestVersions {
  private readonly ofAll;
  private readonly ofItem;

  constructor(database: Database) {
    const of = (table: string, property: string, name = property): string => `{${table}}.{${table}.${property}} AS ${name}`;
    const select = (where: string): string => `SELECT ${[
      ...['type', 'slug', 'name'].map((property) => of('StoreItem', property)),
      of('StoreItem', 'authorName', 'author'),
      ...['version', 'changelog'].map((property) => of('StoreVersion', property)),
      of('StoreVersion', 'decidedAt', 'at'),
    ].join(', ')}
      FROM {StoreVersion} JOIN {StoreItem} ON {StoreItem}.{StoreItem.id} = {StoreVersion}.{StoreVersion.itemId}
      WHERE {StoreVersion}.{StoreVersion.status} = 'approved' AND {StoreItem}.{StoreItem.status} = 'approved' ${where}
      ORDER BY {StoreVersion}.{StoreVersion.decidedAt} DESC, {StoreVersion}.{StoreVersion.id} DESC LIMIT ${MAX_VERSIONS}`;
    this.ofAll = database.statement<Row>(select(''));
    this.ofItem = database.statement<Row>(select('AND {StoreVersion}.{StoreVersion.itemId} = ?'));
  }

  /** Returns the newest 50 versions of the store or of one item, most recent first. */
  async list(itemId?: number): Promise<PublishedVersion[]> {
    const rows = await (itemId === undefined ? this.ofAll.all() : this.ofItem.all(itemId));
    return rows.map((row) => ({ ...row, at: fromSqlTime(row.at) }));
  }
}
