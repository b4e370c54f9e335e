import type { FactoryProvider } from '@nestjs/common';
import { PluginDatabase } from '@svc/sdk';

import { migrationsOf } from './migrations.js';

/** Token of the plugin's database after migration: injecting it delays a provider until the tables exist. */
export const SHOP_DATABASE = Symbol('shop database');

/** Migrates the tables, then provides the database. */
export const shopDatabase: FactoryProvider<PluginDatabase> = {
  provide: SHOP_DATABASE,
  inject: [PluginDatabase],
  useFactory: async (db: PluginDatabase) => {
    await db.migrate(migrationsOf(db));
    return db;
  },
};
