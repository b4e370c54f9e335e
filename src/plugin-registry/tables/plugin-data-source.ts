import type { getRepositoryToken } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions, type EntityManager, type QueryRunner, type ReplicationMode } from 'typeorm';

import type { Database } from '../../database/index.js';

import { PluginError } from '../errors.js';

import { MAX_TABLE_NAME, NAME_PATTERN } from './table-names.js';

/** A class decorated with `@Entity`, or a schema. */
export type PluginEntity = Parameters<typeof getRepositoryToken>[0];

/**
 * Entities of one plugin on the panel's connection: their tables are `SVC_plg_<slug>_<name>`, without entities of the panel or other
 * plugins. It opens and closes no connection; repositories join `svc.db.transaction` and wait for SQLite's single writer like all others.
 */
export class PluginDataSource extends DataSource {
  /** Full names of the entities' tables. */
  private ownTables: ReadonlySet<string> = new Set();

  /**
   * @param entities classes or schemas; their tables are created by the plugin's migration steps
   * @param check called before each database access; throws if the plugin is not allowed
   * @param checkStatement called with each textual statement and the names of the entities' tables; throws likewise
   */
  constructor(
    private readonly database: Database,
    slug: string,
    entities: readonly PluginEntity[],
    private readonly check: () => void,
    private readonly checkStatement: (sql: string, own: ReadonlySet<string>) => void,
  ) {
    const { dataSource } = database;
    super({ ...dataSource.options, entities: [...entities], migrations: [], entityPrefix: `SVC_plg_${slug}_` } as DataSourceOptions);
    Object.assign(this, { driver: Object.create(dataSource.driver, { dataSource: { value: this } }) as unknown });
  }

  /** Prepares the repositories. @throws PluginError ENTITY_TABLE for an entity outside the plugin's own tables */
  async prepare(): Promise<this> {
    await this.buildMetadatas();
    this.ownTables = new Set(this.entityMetadatas.map(({ tableName }) => tableName));
    for (const { targetName, tableName, tableNameWithoutPrefix: name, tableMetadataArgs: table } of this.entityMetadatas) {
      if (NAME_PATTERN.test(name) && tableName.length <= MAX_TABLE_NAME && !table.database && !table.schema) continue;
      throw new PluginError('ENTITY_TABLE', { class: targetName, table: [table.database, table.schema, name].filter(Boolean).join('.') });
    }
    return this;
  }

  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    this.check();
    return super.createQueryRunner(mode);
  }

  override query<T>(sql: string, ...rest: [unknown[]?, QueryRunner?]): Promise<T> {
    this.checkStatement(sql, this.ownTables);
    return super.query(sql, ...rest);
  }

  /** Uses transactions of {@link Database}, so that other queries in one join it instead of waiting for the write lock it holds. */
  override createEntityManager(queryRunner?: QueryRunner): EntityManager {
    const manager = super.createEntityManager(queryRunner);
    manager.transaction = async <T>(...args: unknown[]): Promise<T> => {
      this.check();
      return this.database.transaction(() => (args.at(-1) as (manager: EntityManager) => Promise<T>)(this.manager));
    };
    return manager;
  }

  /** The connection belongs to the panel. @throws PluginError DATA_SOURCE */
  override initialize(): Promise<this> {
    return Promise.reject(new PluginError('DATA_SOURCE'));
  }

  /** The database is shared. @throws PluginError DATA_SOURCE */
  override dropDatabase(): Promise<void> {
    return Promise.reject(new PluginError('DATA_SOURCE'));
  }
}
