import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

import { columnOf, createTable, flag, id, integer, string, time } from './schema.js';

const SCAN = 'SVC_forbidden_scan';
const MATCH = 'SVC_forbidden_match';

/** What follows of forbidden words that were found: whose they are, what is new, what is allowed, and how many a day. */
export class ScanConsequences1795600500000 implements MigrationInterface {
  name = 'ScanConsequences1795600500000';

  private readonly indexes = [
    new TableIndex({ name: 'IX_SVC_forbidden_match_host', columnNames: ['host_id', 'id'] }),
    new TableIndex({ name: 'IX_SVC_forbidden_match_file', columnNames: ['file_key', 'id'] }),
    new TableIndex({ name: 'IX_SVC_forbidden_match_key', columnNames: ['match_key'] }),
  ];

  async up(runner: QueryRunner): Promise<void> {
    const config = [integer('wjsctz', { default: '1' }), integer('wjsczt', { default: '0' })];
    await runner.addColumns(
      'SVC_config',
      config.map((column) => columnOf(runner, column)),
    );
    const scan = [string('content_key', 32, { isNullable: true }), time('seen_at', { isNullable: true })];
    await runner.addColumns(
      SCAN,
      scan.map((column) => columnOf(runner, column)),
    );
    const content = { name: 'UQ_SVC_forbidden_scan_content', columnNames: ['node_id', 'content_key'], isUnique: true };
    await runner.createIndex(SCAN, new TableIndex(content));
    const match = [
      integer('host_id', { isNullable: true }),
      string('file_key', 32, { default: "''" }),
      string('match_key', 32, { default: "''" }),
      flag('pending', { default: '0' }),
    ];
    await runner.addColumns(
      MATCH,
      match.map((column) => columnOf(runner, column)),
    );
    for (const index of this.indexes) await runner.createIndex(MATCH, index);
    await createTable(
      runner,
      'SVC_forbidden_allow',
      [
        id(),
        string('keyword', 250, { default: "''" }),
        integer('host_id', { isNullable: true }),
        string('path', 1000, { default: "''" }),
        string('note', 250, { default: "''" }),
        time('created_at'),
      ],
      { foreignKeys: [{ name: 'FK_SVC_forbidden_allow_host', column: 'host_id', table: 'SVC_zj', references: 'id', onDelete: 'CASCADE' }] },
    );
    await createTable(runner, 'SVC_forbidden_day', [
      { ...string('day', 10), isPrimary: true },
      { ...string('keyword', 250), isPrimary: true },
      integer('matches', { default: '0' }),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['SVC_forbidden_day', 'SVC_forbidden_allow']) await runner.dropTable(table);
    for (const { name } of this.indexes) await runner.dropIndex(MATCH, name!);
    await runner.dropColumns(MATCH, ['host_id', 'file_key', 'match_key', 'pending']);
    await runner.dropIndex(SCAN, 'UQ_SVC_forbidden_scan_content');
    await runner.dropColumns(SCAN, ['content_key', 'seen_at']);
    await runner.dropColumns('SVC_config', ['wjsctz', 'wjsczt']);
  }
}
