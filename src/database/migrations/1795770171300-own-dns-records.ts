import { TableIndex, TableUnique, type MigrationInterface, type QueryRunner } from 'typeorm';

import { columnOf, createTable, id, integer, string, text, time } from './schema.js';

const TABLE = 'SVC_dns_record';

/** Records customers set below their names: what they want, and a row of each beside the one of the name. */
export class OwnDnsRecords1795770171300 implements MigrationInterface {
  name = 'OwnDnsRecords1795770171300';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_dns_own',
      [id(), integer('name_id'), string('name', 253), string('type', 8), text('value'), integer('ttl'), time('created_at')],
      {
        indexes: { IX_SVC_dns_own_name: ['name_id', 'id'] },
        foreignKeys: [{ name: 'FK_SVC_dns_own_name', column: 'name_id', table: 'SVC_ym_name', references: 'id', onDelete: 'CASCADE' }],
      },
    );
    await runner.addColumn(TABLE, columnOf(runner, integer('slot', { default: '0' })));
    await runner.addColumn(TABLE, columnOf(runner, integer('ttl', { default: '600' })));
    await runner.addColumn(TABLE, columnOf(runner, text('content', { isNullable: true })));
    await runner.createIndex(TABLE, new TableIndex({ name: 'IX_SVC_dns_record_slot', columnNames: ['slot', 'id'] }));
    await exchangeUnique(runner, 'UQ_SVC_dns_record_name', 'UQ_SVC_dns_record_slot', ['name', 'slot']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM ${TABLE} WHERE slot <> 0`);
    await exchangeUnique(runner, 'UQ_SVC_dns_record_slot', 'UQ_SVC_dns_record_name', ['name']);
    await runner.dropIndex(TABLE, 'IX_SVC_dns_record_slot');
    for (const column of ['content', 'ttl', 'slot']) await runner.dropColumn(TABLE, column);
    await runner.dropTable('SVC_dns_own');
  }
}

/** On MySQL a unique key is an index. */
async function exchangeUnique(runner: QueryRunner, old: string, name: string, columnNames: string[]): Promise<void> {
  if (runner.dataSource.options.type === 'better-sqlite3') {
    await runner.dropUniqueConstraint(TABLE, old);
    await runner.createUniqueConstraint(TABLE, new TableUnique({ name, columnNames }));
    return;
  }
  await runner.createIndex(TABLE, new TableIndex({ name, columnNames, isUnique: true }));
  await runner.dropIndex(TABLE, old);
}
