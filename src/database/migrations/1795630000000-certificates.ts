import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, createTable, flag, id, integer, string, text, time } from './schema.js';

const ofAccount = (name: string) => [{ name, column: 'zj_id', table: 'SVC_zj', references: 'id', onDelete: 'CASCADE' as const }];

/** Certificates of sites: what is installed, what is ordered, and what of the authorities' limits is used. */
export class Certificates1795630000000 implements MigrationInterface {
  name = 'Certificates1795630000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns('SVC_config', [
      columnOf(runner, flag('acme_on', { default: '0' })),
      columnOf(runner, string('acme_directory', 255, { default: "'https://acme-v02.api.letsencrypt.org/directory'" })),
      columnOf(runner, string('acme_mail', 254, { default: "''" })),
      columnOf(runner, string('acme_agreed', 255, { default: "''" })),
    ]);
    await createTable(
      runner,
      'SVC_site_cert',
      [
        { ...integer('zj_id'), isPrimary: true },
        string('version', 32),
        string('source', 10),
        text('names'),
        text('chain'),
        text('sealed_key'),
        string('issuer', 255),
        time('begins_at'),
        time('ends_at'),
        flag('force_https', { default: '0' }),
        string('directory', 255, { default: "''" }),
        time('renew_at', { isNullable: true }),
        integer('renew_failures', { default: '0' }),
        integer('warned_days', { default: '0' }),
        time('installed_at'),
      ],
      {
        indexes: { IX_SVC_site_cert_ends: ['ends_at', 'zj_id'], IX_SVC_site_cert_renew: ['renew_at', 'zj_id'] },
        foreignKeys: ofAccount('FK_SVC_site_cert_zj'),
      },
    );
    await createTable(
      runner,
      'SVC_cert_order',
      [
        id(),
        integer('zj_id'),
        string('state', 10),
        integer('open_for', { isNullable: true }),
        text('names'),
        string('directory', 255),
        flag('is_renewal', { default: '0' }),
        string('step', 20),
        string('order_url', 500, { default: "''" }),
        text('sealed_key', { isNullable: true }),
        string('problem', 20, { default: "''" }),
        text('problem_params'),
        time('retry_at', { isNullable: true }),
        time('created_at'),
        time('ended_at', { isNullable: true }),
      ],
      {
        uniques: { UQ_SVC_cert_order_open: ['open_for'] },
        indexes: { IX_SVC_cert_order_zj: ['zj_id', 'id'], IX_SVC_cert_order_state: ['state', 'retry_at', 'id'] },
        foreignKeys: ofAccount('FK_SVC_cert_order_zj'),
      },
    );
    await createTable(
      runner,
      'SVC_cert_proof',
      [id(), integer('zj_id'), string('token', 128), string('name', 253), string('answer', 255), time('ends_at')],
      {
        uniques: { UQ_SVC_cert_proof: ['token', 'name'] },
        indexes: { IX_SVC_cert_proof_zj: ['zj_id'], IX_SVC_cert_proof_ends: ['ends_at'] },
        foreignKeys: ofAccount('FK_SVC_cert_proof_zj'),
      },
    );
    await createTable(runner, 'SVC_cert_use', [id(), string('directory', 64), string('kind', 10), string('subject', 64), time('used_at')], {
      indexes: { IX_SVC_cert_use_subject: ['directory', 'kind', 'subject', 'used_at'], IX_SVC_cert_use_at: ['used_at'] },
    });
    await createTable(
      runner,
      'SVC_acme_account',
      [
        id(),
        string('directory', 255),
        text('sealed_key'),
        string('account_url', 500, { default: "''" }),
        string('mail', 254, { default: "''" }),
        time('created_at'),
      ],
      { uniques: { UQ_SVC_acme_account_directory: ['directory'] } },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['SVC_acme_account', 'SVC_cert_use', 'SVC_cert_proof', 'SVC_cert_order', 'SVC_site_cert']) await runner.dropTable(table);
    await runner.dropColumns('SVC_config', ['acme_on', 'acme_directory', 'acme_mail', 'acme_agreed']);
  }
}
