import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

const TABLE = 'SVC_dns_provider';

/** Which plugin brings the kind of an account at a DNS provider: until now it was read out of the kind's name, `{plugin}:{kind}`. */
export class DnsPlugin1795772000000 implements MigrationInterface {
  name = 'DnsPlugin1795772000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn(TABLE, columnOf(runner, string('plugin', 64, { default: "''" })));
    await runner.query(`UPDATE ${TABLE} SET plugin = SUBSTR(slug, 1, INSTR(slug, ':') - 1) WHERE INSTR(slug, ':') > 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn(TABLE, 'plugin');
  }
}
