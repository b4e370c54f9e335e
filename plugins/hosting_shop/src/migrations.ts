import type { MigrationStep } from '@svc/sdk';

/** Tables of the shop. Money is fen. */
export const migrations: MigrationStep[] = [
  {
    id: '001_plans_and_orders',
    up: async (schema) => {
      await schema.createTable({
        name: 'plan',
        columns: [
          { name: 'name', type: 'string', length: 120 },
          { name: 'description', type: 'string', length: 255, default: '' },
          { name: 'node', type: 'string', length: 64 },
          { name: 'web_mb', type: 'integer', default: 1024 },
          { name: 'database_mb', type: 'integer', default: 256 },
          { name: 'traffic_gb', type: 'integer', default: 0 },
          { name: 'domains', type: 'integer', default: 5 },
          { name: 'price_month', type: 'money', default: 0 },
          { name: 'active', type: 'boolean', default: true },
        ],
        indexes: [{ columns: ['active', 'id'] }],
      });
      await schema.createTable({
        name: 'purchase',
        columns: [
          { name: 'order_no', type: 'string', length: 40 },
          { name: 'plan_id', type: 'integer' },
          { name: 'months', type: 'integer' },
          { name: 'username', type: 'string', length: 64 },
          { name: 'sealed_password', type: 'string', length: 255, nullable: true },
          { name: 'view_key', type: 'string', length: 64 },
          { name: 'state', type: 'string', length: 20, default: 'pending' },
          { name: 'host_id', type: 'integer', nullable: true },
          { name: 'remark', type: 'string', length: 255, default: '' },
        ],
        indexes: [{ columns: ['order_no'], unique: true }, { columns: ['view_key'], unique: true }, { columns: ['state', 'id'] }],
      });
    },
  },
  {
    id: '002_monitors',
    up: async (schema) => {
      await schema.addColumn('plan', { name: 'monitors', type: 'integer', nullable: true });
    },
  },
  {
    id: '003_backups',
    up: async (schema) => {
      await schema.addColumn('plan', { name: 'backups', type: 'integer', nullable: true });
    },
  },
  {
    id: '004_hosts',
    up: async (schema) => {
      await schema.addIndex('purchase', { columns: ['host_id', 'id'] });
    },
  },
];
