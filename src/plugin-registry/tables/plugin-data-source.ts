import type { getRepositoryToken } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions, type EntityManager, type QueryRunner, type ReplicationMode } from 'typeorm';

import type { Database } from '../../database/index.js';

import { PluginError } from '../errors.js';

import { MAX_TABLE_NAME, NAME_PATTERN } from './table-names.js';

/** A class that `@Entity` decorated, or a schema. */
export type PluginEntity = Parameters<typeof getRepositoryToken>[0];

/**
 * The entities of one plugin, on the panel's connection: their tables are `SVC_plg_<slug>_<name>`, and no entity of the panel
 * or of another plugin is among them. It opens and closes nothing; repositories join `svc.db.transaction` and wait for
 * SQLite's one writer as all others do.
 */
export class PluginDataSource extends DataSource {
  /** Full names of the entities' tables. */
  private ownTables: ReadonlySet<string> = new Set();

  /**
   * @param entities classes or schemas; their tables are made by the plugin's migration steps
   * @param check called before anything is asked of the database; throws where the plugin may not
   * @param checkStatement called with each statement that is given as a text, and the names of the entities' tables; throws likewise
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

  /** Makes the repositories usable. @throws PluginError ENTITY_TABLE for an entity of another table than the plugin's own */
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

  /** Its transactions are those of {@link Database}: what else runs in one joins it, instead of waiting for the writer that it holds. */
  override createEntityManager(queryRunner?: QueryRunner): EntityManager {
    const manager = super.createEntityManager(queryRunner);
    manager.transaction = async <T>(...args: unknown[]): Promise<T> => {
      this.check();
      return this.database.transaction(() => (args.at(-1) as (manager: EntityManager) => Promise<T>)(this.manager));
    };
    return manager;
  }

  /** The connection is the panel's. @throws PluginError DATA_SOURCE */
  override initialize(): Promise<this> {
    return Promise.reject(new PluginError('DATA_SOURCE'));
  }

  /** The tables are everybody's. @throws PluginError DATA_SOURCE */
  override dropDatabase(): Promise<void> {
    return Promise.reject(new PluginError('DATA_SOURCE'));
  }
}
