import { Injectable } from '@nestjs/common';

import { Database, type SqlValue } from '../../database/index.js';
import type { PluginDatabase } from '../../sdk/index.js';

import { PluginMigration } from '../entities/index.js';

import { notePluginChange } from './plugin-changes.js';
import { PluginDataSource, type PluginEntity } from './plugin-data-source.js';
import { PluginSteps } from './plugin-steps.js';
import { fullNames } from './table-names.js';

/** Tables that belong to plugins: `SVC_plg_<slug>_<name>`. */
@Injectable()
export class PluginTables {
  constructor(
    private readonly database: Database,
    private readonly steps: PluginSteps,
  ) {}

  /** The database as one plugin sees it. */
  forPlugin(slug: string): PluginDatabase {
    return {
      migrate: (steps) => this.steps.migrate(slug, steps),
      query: async <T>(sql: string, params: unknown[] = []) =>
        (await this.steps.statement(sql, () => this.database.query(fullNames(slug, sql), params as SqlValue[]))) as T[],
      run: (sql, params = []) => this.steps.statement(sql, () => this.database.run(fullNames(slug, sql), params as SqlValue[])),
      transaction: (work) => this.database.transaction(work),
      noteChange: (subject, before, after) => notePluginChange(this.database, slug, subject, before, after),
    };
  }

  /**
   * The data source behind the repositories of one plugin.
   *
   * @param check throws once the plugin is over
   * @throws PluginError ENTITY_TABLE
   */
  dataSourceFor(slug: string, entities: readonly PluginEntity[], check: () => void): Promise<PluginDataSource> {
    return new PluginDataSource(this.database, slug, entities, () => {
      check();
      this.steps.requireNone();
    }).prepare();
  }

  /** Drops every table of a plugin and forgets its migrations. */
  async drop(slug: string): Promise<void> {
    const runner = this.database.dataSource.createQueryRunner();
    try {
      // What it made is written down: by name alone the tables of "shop" and of "shop_extra" could not be told apart.
      const steps = await this.database.repository(PluginMigration).find({ where: { slug }, order: { id: 'DESC' }, take: 10_000 });
      for (const table of steps.flatMap((step) => step.tables)) await runner.dropTable(table, true);
    } finally {
      await runner.release();
    }
    await this.database.repository(PluginMigration).delete({ slug });
  }
}
