import type { ServerResponse } from 'node:http';

import { All, Controller, Param, Res } from '@nestjs/common';

import { Limited, sendJson } from '../http/index.js';

import { MonitorRepository } from './records/index.js';

/** Where monitors wait to be called: whoever knows the address may, by GET, HEAD or POST. Source: docs/panel-api.md "Monitors". */
@Limited('public')
@Controller('push')
export class PushController {
  constructor(private readonly repository: MonitorRepository) {}

  @All(':key')
  async called(@Param('key') key: string, @Res() res: ServerResponse): Promise<void> {
    const known = /^[0-9a-f]{48}$/.test(key) && (await this.repository.pushed(key));
    res.setHeader('Cache-Control', 'no-store');
    sendJson(
      res,
      known ? { status: 200, body: { ok: true } } : { status: 404, body: { ok: false, msg: 'No monitor waits at this address.' } },
    );
  }
}
