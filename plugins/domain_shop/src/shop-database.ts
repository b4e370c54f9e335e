import type { FactoryProvider } from '@nestjs/common';
import { type MigrationStep, PluginDatabase } from '@svc/sdk';

/** Token of the plugin's database after migration: injecting it delays a provider until the tables exist. */
export const SHOP_DATABASE = Symbol('domain shop database');

/** Tables of the shop. Money is fen. */
const STEPS: MigrationStep[] = [
  {
    id: '001_sales',
    up: (schema) =>
      schema.createTable({
        name: 'sale',
        columns: [
          { name: 'order_no', type: 'string', length: 40 },
          { name: 'kind', type: 'string', length: 10 },
          { name: 'zone', type: 'integer' },
          { name: 'name', type: 'string', length: 253 },
          { name: 'prefix', type: 'string', length: 63 },
          { name: 'folder', type: 'string', length: 255, default: '' },
          { name: 'name_id', type: 'integer', nullable: true },
          { name: 'host_id', type: 'integer', nullable: true },
          { name: 'customer_id', type: 'integer', nullable: true },
          { name: 'buyer', type: 'string', length: 64, default: '' },
          { name: 'months', type: 'integer', default: 0 },
          { name: 'amount', type: 'money', default: 0 },
          { name: 'view_key', type: 'string', length: 64 },
          { name: 'request_key', type: 'string', length: 64, nullable: true },
          { name: 'state', type: 'string', length: 20, default: 'pending' },
          { name: 'shown', type: 'string', length: 10, default: 'no' },
          { name: 'tries', type: 'integer', default: 0 },
          { name: 'remark', type: 'string', length: 255, default: '' },
          { name: 'ordered_at', type: 'string', length: 24 },
        ],
        indexes: [
          { columns: ['order_no'], unique: true },
          { columns: ['view_key'], unique: true },
          { columns: ['request_key'], unique: true },
          { columns: ['state', 'id'] },
          { columns: ['shown', 'state', 'id'] },
          { columns: ['name', 'id'] },
        ],
      }),
  },
];

/** Migrates the tables, then provides the database. */
export const shopDatabase: FactoryProvider<PluginDatabase> = {
  provide: SHOP_DATABASE,
  inject: [PluginDatabase],
  useFactory: async (db: PluginDatabase) => {
    await db.migrate(STEPS);
    return db;
  },
};
