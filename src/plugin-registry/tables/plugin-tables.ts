import { Injectable } from '@nestjs/common';

import { Database, type SqlValue } from '../../database/index.js';
import type { PluginDatabase } from '../../sdk/index.js';

import { PluginMigration } from '../entities/index.js';

import { notePluginChange } from './plugin-changes.js';
import { PluginDataSource, type PluginEntity } from './plugin-data-source.js';
import { PluginSteps } from './plugin-steps.js';
import { fullNames } from './table-names.js';

/** Tables of plugins: `SVC_plg_<slug>_<name>`. */
@Injectable()
export class PluginTables {
  constructor(
    private readonly database: Database,
    private readonly steps: PluginSteps,
  ) {}

  /**
   * Returns the database as seen by one plugin.
   *
   * @param check called with each statement as written, and with an empty text for migration steps; throws if the plugin is not allowed
   */
  forPlugin(slug: string, check: (sql: string) => void = () => undefined): PluginDatabase {
    const checkedSql = (sql: string): string => {
      check(sql);
      return fullNames(slug, sql);
    };
    return {
      migrate: async (steps) => {
        check('');
        await this.steps.migrate(slug, steps);
      },
      query: async <T>(sql: string, params: unknown[] = []) => {
        const full = checkedSql(sql);
        return (await this.steps.statement(sql, () => this.database.query(full, params as SqlValue[]))) as T[];
      },
      run: async (sql, params = []) => {
        const full = checkedSql(sql);
        return this.steps.statement(sql, () => this.database.run(full, params as SqlValue[]));
      },
      transaction: (work) => this.database.transaction(work),
      noteChange: (subject, before, after) => notePluginChange(this.database, slug, subject, before, after),
    };
  }

  /**
   * Returns the data source for the repositories of one plugin.
   *
   * @param check throws once the plugin has ended
   * @param checkStatement called with each textual statement; throws if the plugin is not allowed
   * @throws PluginError ENTITY_TABLE
   */
  dataSourceFor(
    slug: string,
    entities: readonly PluginEntity[],
    check: () => void,
    checkStatement: (sql: string, own: ReadonlySet<string>) => void,
  ): Promise<PluginDataSource> {
    const checkAll = (): void => {
      check();
      this.steps.requireNone();
    };
    return new PluginDataSource(this.database, slug, entities, checkAll, checkStatement).prepare();
  }

  /** Drops all tables of a plugin and forgets its migrations. */
  async drop(slug: string): Promise<void> {
    const runner = this.database.dataSource.createQueryRunner();
    try {
      // Uses the recorded tables: by prefix alone the tables of "shop" and "shop_extra" could not be distinguished.
      const steps = await this.database.repository(PluginMigration).find({ where: { slug }, order: { id: 'DESC' }, take: 10_000 });
      for (const table of steps.flatMap((step) => step.tables)) await runner.dropTable(table, true);
    } finally {
      await runner.release();
    }
    await this.database.repository(PluginMigration).delete({ slug });
  }
}
