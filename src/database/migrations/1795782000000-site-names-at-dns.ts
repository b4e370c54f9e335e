import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, integer } from './schema.js';

/** The DNS provider at which the own names of sites are entered. */
export class SiteNamesAtDns1795782000000 implements MigrationInterface {
  name = 'SiteNamesAtDns1795782000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_config', columnOf(runner, integer('dns_sites_provider', { default: '0' })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_config', 'dns_sites_provider');
  }
}
