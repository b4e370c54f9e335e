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

  /**
   * The database as one plugin sees it.
   *
   * @param check looks at each statement, as it was given, or at steps, which are none; throws where the plugin may not
   */
  forPlugin(slug: string, check: (sql: string) => void = () => undefined): PluginDatabase {
    const told = (sql: string): string => {
      check(sql);
      return fullNames(slug, sql);
    };
    return {
      migrate: async (steps) => {
        check('');
        await this.steps.migrate(slug, steps);
      },
      query: async <T>(sql: string, params: unknown[] = []) => {
        const full = told(sql);
        return (await this.steps.statement(sql, () => this.database.query(full, params as SqlValue[]))) as T[];
      },
      run: async (sql, params = []) => {
        const full = told(sql);
        return this.steps.statement(sql, () => this.database.run(full, params as SqlValue[]));
      },
      transaction: (work) => this.database.transaction(work),
      noteChange: (subject, before, after) => notePluginChange(this.database, slug, subject, before, after),
    };
  }

  /**
   * The data source behind the repositories of one plugin.
   *
   * @param check throws once the plugin is over
   * @param checkStatement looks at each statement that is given as a text; throws where the plugin may not
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
