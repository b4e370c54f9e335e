import type { FactoryProvider } from '@nestjs/common';
import { PluginDatabase } from '@svc/sdk';

import { migrationsOf } from './migrations.js';

/** Token of the plugin's database once it has its tables: whoever injects it starts after them. */
export const SHOP_DATABASE = Symbol('shop database');

/** Makes the tables, then gives the database away. */
export const shopDatabase: FactoryProvider<PluginDatabase> = {
  provide: SHOP_DATABASE,
  inject: [PluginDatabase],
  useFactory: async (db: PluginDatabase) => {
    await db.migrate(migrationsOf(db));
    return db;
  },
};
