import type { FactoryProvider } from '@nestjs/common';
import { type MigrationStep, PluginDatabase, type PluginColumn } from '@svc/sdk';

/** Token of the plugin's database after migration: injecting it delays a provider until the tables exist. */
export const POOL_DATABASE = Symbol('resource pool database');

/** MB, MB and GB per month; 0: unlimited. */
const AMOUNTS: PluginColumn[] = ['web_mb', 'database_mb', 'traffic_gb'].map((name) => ({ name, type: 'integer', default: 0 }));

const STEPS: MigrationStep[] = [
  {
    id: '001_pools',
    up: async (schema) => {
      await schema.createTable({
        name: 'pool',
        columns: [
          { name: 'name', type: 'string', length: 120 },
          { name: 'username', type: 'string', length: 32 },
          // Lower case, so that names are unique ignoring case on both engines.
          { name: 'username_key', type: 'string', length: 32 },
          { name: 'password_hash', type: 'string', length: 100 },
          // JSON list of codes of servers and groups; empty: any.
          { name: 'nodes', type: 'text' },
          ...AMOUNTS,
          // Expiry date, empty for none.
          { name: 'expires_on', type: 'string', length: 10, default: '' },
          { name: 'status', type: 'string', length: 10, default: 'enabled' },
          { name: 'remark', type: 'string', length: 255, default: '' },
          // Incremented by every change of the pool's members, which locks the row.
          { name: 'revision', type: 'integer', default: 0 },
          { name: 'created_at', type: 'string', length: 24 },
          { name: 'updated_at', type: 'string', length: 24 },
        ],
        indexes: [{ columns: ['username_key'], unique: true }],
      });
      await schema.createTable({
        name: 'member',
        columns: [
          { name: 'pool_id', type: 'integer' },
          // Null until the host is opened.
          { name: 'host_id', type: 'integer', nullable: true },
          { name: 'host_user', type: 'string', length: 64 },
          { name: 'state', type: 'string', length: 10 },
          // Reserved while the host is being opened or changed; afterwards its own limits count.
          ...AMOUNTS,
          { name: 'starts_paused', type: 'boolean', default: false },
          { name: 'opening_key', type: 'string', length: 40 },
          { name: 'request_key', type: 'string', length: 80, nullable: true },
          { name: 'since', type: 'string', length: 24 },
        ],
        indexes: [
          { columns: ['host_id'], unique: true },
          { columns: ['request_key'], unique: true },
          { columns: ['pool_id', 'id'] },
          { columns: ['state', 'since'] },
        ],
      });
      await schema.createTable({
        name: 'session',
        columns: [
          { name: 'pool_id', type: 'integer' },
          { name: 'token_hash', type: 'string', length: 64 },
          { name: 'expires_at', type: 'string', length: 24 },
        ],
        indexes: [{ columns: ['token_hash'], unique: true }, { columns: ['pool_id', 'id'] }, { columns: ['expires_at'] }],
      });
    },
  },
];

/** Migrates the tables, then provides the database. */
export const poolDatabase: FactoryProvider<PluginDatabase> = {
  provide: POOL_DATABASE,
  inject: [PluginDatabase],
  useFactory: async (db: PluginDatabase) => {
    await db.migrate(STEPS);
    return db;
  },
};
