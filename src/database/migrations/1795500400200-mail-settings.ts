import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, integer, string, text } from './schema.js';

const COLUMNS = ['mailhost', 'mailport', 'mailuser', 'mailpassword', 'mail_tls', 'mail_sender', 'mail_from'];

/** The mail server of the installation; its password is sealed. */
export class MailSettings1795500400200 implements MigrationInterface {
  name = 'MailSettings1795500400200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumns(
      'SVC_config',
      [
        string('mailhost', 255, { default: "''" }),
        integer('mailport', { default: '465' }),
        string('mailuser', 254, { default: "''" }),
        text('mailpassword', { isNullable: true }),
        string('mail_tls', 10, { default: "'ssl'" }),
        string('mail_sender', 120, { default: "''" }),
        string('mail_from', 254, { default: "''" }),
      ].map((column) => columnOf(runner, column)),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('SVC_config', COLUMNS);
  }
}
