import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Database } from '../../database/index.js';
import { type ItemType, StoreAudit, StoreItem, StoreReport, StoreUser } from '../entities/index.js';

/** The item an entry is about. */
export interface NamedItem {
  readonly id: number;
  readonly type: ItemType;
  /** The current name, or the name at deletion. */
  readonly name: string;
  readonly exists: boolean;
}

/** The account an entry is about. */
export interface NamedUser {
  readonly id: number;
  readonly username: string;
}

/** Item and account an audit entry is about, by name. */
export interface Named {
  readonly item: NamedItem | null;
  readonly user: NamedUser | null;
}

/** Resolves log entries to the names of items and accounts; the entries themselves store only ids. */
@Injectable()
export class AuditNames {
  constructor(private readonly database: Database) {}

  /** Returns the names for a page of entries, in the same order. */
  async of(entries: readonly StoreAudit[]): Promise<Named[]> {
    const reported = await this.itemsOfReports(entries);
    const itemIds = entries.map(
      (entry) => itemIdOf(entry) ?? (entry.subject === 'report' ? (reported.get(entry.subjectId) ?? null) : null),
    );
    const userIds = entries.map(userIdOf);
    const [items, users] = await Promise.all([this.items(uniqueIds(itemIds)), this.users(uniqueIds(userIds))]);
    return entries.map((_entry, i) => ({ item: items.get(itemIds[i] ?? 0) ?? null, user: users.get(userIds[i] ?? 0) ?? null }));
  }

  /** Older report entries do not contain the id of the reported item. */
  private async itemsOfReports(entries: readonly StoreAudit[]): Promise<Map<number, number>> {
    const ids = entries.filter((entry) => entry.subject === 'report' && itemIdOf(entry) === null).map(({ subjectId }) => subjectId);
    const rows =
      ids.length === 0
        ? []
        : await this.database.repository(StoreReport).find({ select: { id: true, itemId: true }, where: { id: In(uniqueIds(ids)) } });
    return new Map(rows.map(({ id, itemId }) => [id, itemId]));
  }

  private async items(ids: readonly number[]): Promise<Map<number, NamedItem>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database
      .repository(StoreItem)
      .find({ select: { id: true, type: true, name: true }, where: { id: In([...ids]) } });
    const found = new Map<number, NamedItem>(rows.map(({ id, type, name }) => [id, { id, type, name, exists: true }]));
    const gone = ids.filter((id) => !found.has(id));
    if (gone.length === 0) return found;
    const deletions = await this.database
      .repository(StoreAudit)
      .find({ where: { subject: 'item', subjectId: In(gone), action: 'item.delete' } });
    for (const { subjectId: id, detail } of deletions)
      found.set(id, {
        id,
        type: detail.type === 'theme' ? 'theme' : 'plugin',
        name: textOf(detail.name) || textOf(detail.slug),
        exists: false,
      });
    return found;
  }

  private async users(ids: readonly number[]): Promise<Map<number, NamedUser>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.repository(StoreUser).find({ select: { id: true, username: true }, where: { id: In([...ids]) } });
    return new Map(rows.map(({ id, username }) => [id, { id, username }]));
  }
}

function itemIdOf({ subject, subjectId, detail }: StoreAudit): number | null {
  return subject === 'item' ? subjectId : idOf(detail.item_id);
}

/** The account that was changed, or the author of the deleted item. */
function userIdOf({ subject, subjectId, detail }: StoreAudit): number | null {
  return subject === 'user' ? subjectId : idOf(detail.author_id);
}

function idOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Removes nulls and duplicates. */
function uniqueIds(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
