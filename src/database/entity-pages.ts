import type { EntityTarget, ObjectLiteral } from 'typeorm';

import type { Database } from './database.js';
import type { EntityRows } from './entity-rows.js';
import { Paginator } from './paginator.js';
import type { RowQuery } from './row-query.js';

/**
 * Pages of a table as entities: a {@link Paginator} whose rows are converted by {@link EntityRows}.
 *
 * @example
 * ```ts
 * const list = new EntityPages(database, Order);
 * const alices = { conditions: ['{Order.user} = ?'], params: ['alice'] };
 * const { total, rows } = await list.page({ ...alices, sort: null, direction: 'desc', offset: 0, limit: 20 });
 * ```
 */
export class EntityPages<Entity extends ObjectLiteral, Property extends keyof Entity = keyof Entity> {
  private readonly entities: EntityRows<Entity, Property>;
  private readonly list: Paginator<Record<string, unknown>>;

  /**
   * @param target an entity with the property `id`
   * @param properties properties to read; default: all those a `SELECT` of the entity reads
   */
  constructor(database: Database, target: EntityTarget<Entity>, properties?: readonly Property[]) {
    this.entities = database.entityRows(target, properties);
    this.list = new Paginator(database, database.dataSource.getMetadata(target).name, this.entities.columns);
  }

  /** Returns the entities of a page, and the total. */
  async page(query: RowQuery): Promise<{ total: number; rows: Pick<Entity, Property>[] }> {
    const { total, rows } = await this.list.page(query);
    return { total, rows: rows.map((row) => this.entities.read(row)) };
  }
}
