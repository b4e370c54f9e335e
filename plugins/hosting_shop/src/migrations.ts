import type { MigrationStep, PluginDatabase } from '@svc/sdk';

import { PERIODS, PERIOD_NAMES } from './periods.js';

/** Tables of the shop. Money is fen. */
export const migrationsOf = (db: PluginDatabase): MigrationStep[] => [
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
  {
    id: '005_periods_stock_extras',
    up: async (schema) => {
      await schema.addColumn('plan', { name: 'category', type: 'string', length: 50, default: '' });
      await schema.addColumn('plan', { name: 'sort', type: 'integer', default: 50 });
      await schema.addColumn('plan', { name: 'free', type: 'boolean', default: false });
      await schema.addColumn('plan', { name: 'periods', type: 'string', length: 100, default: PERIOD_NAMES.join(',') });
      for (const name of PERIOD_NAMES.slice(1)) await schema.addColumn('plan', { name: `price_${name}`, type: 'money', default: 0 });
      await schema.addColumn('plan', { name: 'setup_fee', type: 'money', default: 0 });
      await schema.addColumn('plan', { name: 'stock', type: 'integer', nullable: true });
      await schema.addColumn('plan', { name: 'taken', type: 'integer', default: 0 });
      await schema.addColumn('plan', { name: 'per_customer', type: 'integer', default: 0 });
      await schema.addColumn('plan', { name: 'trial_days', type: 'integer', default: 0 });
      await schema.createTable({
        name: 'extra',
        columns: [
          { name: 'plan_id', type: 'integer' },
          { name: 'kind', type: 'string', length: 20 },
          { name: 'unit', type: 'integer' },
          { name: 'most', type: 'integer' },
          { name: 'periods', type: 'string', length: 100 },
          ...PERIOD_NAMES.map((name) => ({ name: `price_${name}`, type: 'money' as const, default: 0 })),
        ],
        indexes: [{ columns: ['plan_id', 'kind'], unique: true }],
      });
      await schema.createTable({
        name: 'share',
        columns: [
          { name: 'name', type: 'string', length: 190 },
          { name: 'used', type: 'integer', default: 0 },
          { name: 'day', type: 'string', length: 10, default: '' },
        ],
        indexes: [{ columns: ['name'], unique: true }, { columns: ['day', 'id'] }],
      });
      await schema.addColumn('purchase', { name: 'kind', type: 'string', length: 10, default: 'paid' });
      await schema.addColumn('purchase', { name: 'plan_name', type: 'string', length: 120, default: '' });
      await schema.addColumn('purchase', { name: 'days', type: 'integer', default: 0 });
      await schema.addColumn('purchase', { name: 'amount', type: 'money', default: 0 });
      await schema.addColumn('purchase', { name: 'extras', type: 'string', length: 255, default: '' });
      await schema.addColumn('purchase', { name: 'email', type: 'string', length: 128, default: '' });
      await schema.addColumn('purchase', { name: 'customer_id', type: 'integer', nullable: true });
      await schema.addColumn('purchase', { name: 'cart', type: 'string', length: 64, nullable: true });
      await schema.addColumn('purchase', { name: 'request_key', type: 'string', length: 64, nullable: true });
      await schema.addColumn('purchase', { name: 'hold', type: 'string', length: 10, default: 'none' });
      await schema.addColumn('purchase', { name: 'shares', type: 'text', nullable: true });
      await schema.addColumn('purchase', { name: 'past_stock', type: 'boolean', default: false });
      await schema.addColumn('purchase', { name: 'ordered_at', type: 'string', length: 24, default: '' });
      await schema.addIndex('purchase', { columns: ['request_key'], unique: true });
      await schema.addIndex('purchase', { columns: ['cart', 'id'] });
      await schema.addIndex('purchase', { columns: ['kind', 'state', 'id'] });
      await schema.addIndex('purchase', { columns: ['customer_id', 'id'] });
    },
  },
  {
    id: '006_prices',
    up: async () => {
      // Plans sold only by the month get proportional prices for longer periods.
      const prices = PERIOD_NAMES.slice(1).map((name) => `price_${name} = price_month * ${PERIODS[name]}`);
      await db.run(`UPDATE {plan} SET ${prices.join(', ')}`);
    },
  },
  {
    id: '007_expiry',
    up: async (schema) => {
      await schema.addColumn('plan', { name: 'grace_days', type: 'integer', nullable: true });
      await schema.addColumn('plan', { name: 'keep_days', type: 'integer', nullable: true });
    },
  },
  {
    id: '008_packages',
    up: async (schema) => {
      await schema.addColumn('purchase', { name: 'setup_fee', type: 'money', default: 0 });
    },
  },
  {
    id: '009_seats',
    up: async (schema) => {
      await schema.createTable({
        name: 'seat',
        columns: [
          { name: 'host_id', type: 'integer' },
          { name: 'plan_id', type: 'integer' },
          { name: 'shares', type: 'text' },
        ],
        indexes: [{ columns: ['host_id'], unique: true }],
      });
    },
  },
  {
    id: '010_seats_of_before',
    up: async () => {
      await db.run(`INSERT INTO {seat} (host_id, plan_id, shares) SELECT host_id, plan_id, COALESCE(shares, '[]') FROM {purchase}
        WHERE id IN (SELECT MAX(id) FROM {purchase} WHERE state = 'opened' AND hold = 'sold' AND host_id IS NOT NULL GROUP BY host_id)`);
    },
  },
];
