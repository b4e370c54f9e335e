import type { MigrationInterface, QueryRunner } from 'typeorm';

import { columnOf, string } from './schema.js';

/** What a browser works on besides reading a captcha. */
export class CaptchaWork1795400100000 implements MigrationInterface {
  name = 'CaptchaWork1795400100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('SVC_captcha', columnOf(runner, string('challenge', 16, { default: "''" })));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('SVC_captcha', 'challenge');
  }
}
