import type { FactoryProvider } from '@nestjs/common';
import { type MigrationStep, PluginDatabase } from '@svc/sdk';

/** Token of the plugin's database after migration: injecting it delays a provider until the table exists. */
export const DELIVERY_DATABASE = Symbol('delivery database');

const STEPS: MigrationStep[] = [
  {
    id: '001_deliveries',
    up: (schema) =>
      schema.createTable({
        name: 'delivery',
        columns: [
          { name: 'event_key', type: 'string', length: 128 },
          { name: 'event', type: 'string', length: 40 },
          { name: 'body', type: 'text' },
          { name: 'state', type: 'string', length: 10 },
          { name: 'attempts', type: 'integer', default: 0 },
          { name: 'created_at', type: 'bigint' },
          { name: 'due_at', type: 'bigint' },
          { name: 'sent_at', type: 'bigint', nullable: true },
          { name: 'status', type: 'integer', default: 0 },
          { name: 'error', type: 'string', length: 200, default: '' },
        ],
        indexes: [{ columns: ['event_key'], unique: true }, { columns: ['state', 'due_at'] }, { columns: ['created_at'] }],
      }),
    down: (schema) => schema.dropTable('delivery'),
  },
];

/** Migrates the table, then provides the database. */
export const deliveryDatabase: FactoryProvider<PluginDatabase> = {
  provide: DELIVERY_DATABASE,
  inject: [PluginDatabase],
  useFactory: async (db: PluginDatabase) => {
    await db.migrate(STEPS);
    return db;
  },
};
