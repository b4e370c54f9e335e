import type { MigrationStep, PluginDatabase } from '@svc/sdk';

/** Tables of the proofs; times are milliseconds since 1970. */
export const migrationsOf = (db: PluginDatabase): MigrationStep[] => [
  {
    id: '001_proofs',
    up: async (schema) => {
      await schema.createTable({
        name: 'proof',
        columns: [
          { name: 'order_no', type: 'string', length: 40 },
          // The order while the proof is pending, then null: one pending proof per order.
          { name: 'waiting_for', type: 'string', length: 40, nullable: true },
          { name: 'order_name', type: 'string', length: 255 },
          { name: 'amount', type: 'money' },
          { name: 'state', type: 'string', length: 20 },
          { name: 'note', type: 'text' },
          { name: 'kind', type: 'string', length: 4, default: '' },
          // Size of the file while it is kept.
          { name: 'bytes', type: 'integer', default: 0 },
          { name: 'reason', type: 'string', length: 200, default: '' },
          { name: 'decided_by', type: 'string', length: 64, default: '' },
          { name: 'sent_at', type: 'bigint' },
          { name: 'held_until', type: 'bigint' },
          { name: 'decided_at', type: 'bigint', nullable: true },
          { name: 'ended_at', type: 'bigint', nullable: true },
        ],
        indexes: [{ columns: ['waiting_for'], unique: true }, { columns: ['order_no', 'id'] }, { columns: ['bytes', 'id'] }],
      });
      await schema.createTable({
        name: 'piece',
        columns: [
          { name: 'proof_id', type: 'integer' },
          { name: 'place', type: 'integer' },
          { name: 'content', type: 'text' },
        ],
        indexes: [{ columns: ['proof_id', 'place'], unique: true }],
      });
      // A single row that every writer updates first, which serializes them across processes.
      await schema.createTable({ name: 'turn', columns: [{ name: 'taken', type: 'bigint', default: 0 }] });
      await db.run('INSERT INTO {turn} (taken) VALUES (0)');
    },
  },
];
