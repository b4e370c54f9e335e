import type { IncomingMessage, ServerResponse } from 'node:http';

import { All, Controller, Query, Req, Res } from '@nestjs/common';

import { ClientAddress } from '../auth/index.js';
import { Limited, TEXT_TYPE, sendBody } from '../operations/index.js';

import { ClockTriggers } from './clock-triggers.js';

/** Addresses for the crontab of older installations: `my` is the key of the provisioning API, answers are plain text. */
@Limited('expensive')
@Controller()
export class ClockTriggersController {
  constructor(
    private readonly triggers: ClockTriggers,
    private readonly addresses: ClientAddress,
  ) {}

  @All('jk_monitor.php')
  monitor(@Req() req: IncomingMessage, @Res() res: ServerResponse, @Query('my') my: unknown): Promise<void> {
    return this.answer(req, res, my, () => this.triggers.runDue());
  }

  @All('jk.php')
  usage(@Req() req: IncomingMessage, @Res() res: ServerResponse, @Query('my') my: unknown, @Query('gn') gn: unknown): Promise<void> {
    return this.answer(req, res, my, () => this.triggers.measure(typeof gn === 'string' ? gn : ''));
  }

  @All('docker_cron.php')
  containers(@Req() req: IncomingMessage, @Res() res: ServerResponse, @Query('my') my: unknown): Promise<void> {
    return this.answer(req, res, my, async () => this.triggers.runContainers());
  }

  private async answer(req: IncomingMessage, res: ServerResponse, my: unknown, work: () => Promise<string>): Promise<void> {
    const text = await this.triggers.admit(typeof my === 'string' ? my : '', this.addresses.of(req), work);
    sendBody(res, 200, TEXT_TYPE, text);
  }
}
