import type { IncomingMessage, ServerResponse } from 'node:http';

import { All, Controller, Param, Req, Res } from '@nestjs/common';

import { translate } from '../common/index.js';
import { Limited, localeOfRequest, sendJson, SiteLocale } from '../http/index.js';

import { MonitorRepository } from './records/index.js';

/** Receives calls of push monitors by GET, HEAD or POST; the address is the credential. Source: docs/panel-api.md "Monitors". */
@Limited('public')
@Controller('push')
export class PushController {
  constructor(
    private readonly repository: MonitorRepository,
    private readonly siteLocale: SiteLocale,
  ) {}

  @All(':key')
  async called(@Param('key') key: string, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const known = /^[0-9a-f]{48}$/.test(key) && (await this.repository.pushed(key));
    res.setHeader('Cache-Control', 'no-store');
    if (known) return sendJson(res, { status: 200, body: { ok: true } });
    const msg = translate(localeOfRequest(req, this.siteLocale.current()), 'monitor.push_missing');
    sendJson(res, { status: 404, body: { ok: false, msg } });
  }
}
