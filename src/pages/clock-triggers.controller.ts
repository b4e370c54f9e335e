import type { ServerResponse } from 'node:http';

import { All, Controller, Query, Res } from '@nestjs/common';

import { Limited, sendBody, TEXT_TYPE } from '../http/index.js';
import { GuardedInText } from '../operations/index.js';

import { ClockTriggers } from './clock-triggers.js';
import { CrontabGuard } from './crontab.guard.js';

/** URLs for the crontab of older installations: `my` is the key of the provisioning API, responses are plain text. */
@GuardedInText(CrontabGuard)
@Limited('expensive')
@Controller()
export class ClockTriggersController {
  constructor(private readonly triggers: ClockTriggers) {}

  @All('jk_monitor.php')
  async monitor(@Res() res: ServerResponse): Promise<void> {
    sendBody(res, 200, TEXT_TYPE, await this.triggers.runDue());
  }

  @All('jk.php')
  async usage(@Res() res: ServerResponse, @Query('gn') gn: unknown): Promise<void> {
    sendBody(res, 200, TEXT_TYPE, await this.triggers.maintain(typeof gn === 'string' ? gn : ''));
  }

  @All('docker_cron.php')
  containers(@Res() res: ServerResponse): void {
    sendBody(res, 200, TEXT_TYPE, this.triggers.runContainers());
  }
}
