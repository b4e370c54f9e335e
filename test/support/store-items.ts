import type { Database } from '../../src/database/index.js';
import { StoreItem } from '../../src/store/entities/index.js';

/** Inserts a published plugin without its package, for tests that only read rows. */
export function insertItem(database: Database, fields: Partial<StoreItem> & Pick<StoreItem, 'slug' | 'authorId'>): Promise<StoreItem> {
  const items = database.repository(StoreItem);
  const now = new Date('2026-11-21T00:00:00.000Z');
  return items.save(
    items.create({
      type: 'plugin',
      slugKey: fields.slug.toLowerCase(),
      name: fields.slug,
      version: '1.0',
      authorName: 'author',
      price: 0,
      description: '<p>text</p>',
      mainImage: '',
      screenshots: [],
      sha256: 'a'.repeat(64),
      zipSize: 10,
      downloads: 0,
      status: 'approved',
      reviewMessage: '',
      requiresPanel: '',
      category: '',
      tags: [],
      homepage: '',
      createdAt: now,
      updatedAt: now,
      ...fields,
    }),
  );
}
