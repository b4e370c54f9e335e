import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Req, Res } from '@nestjs/common';

import { CaptchaService, LoginError } from '../auth/index.js';
import { translate } from '../common/index.js';
import { Limited, sendBody, TEXT_TYPE } from '../http/index.js';
import type { Scope } from '../sdk/index.js';
import { WebEntry } from '../web/index.js';

/** Captcha images for pages that load them by URL. */
@Limited('captcha')
@Controller()
export class CaptchaController {
  constructor(
    private readonly entry: WebEntry,
    private readonly captchas: CaptchaService,
  ) {}

  @Get('admin/code.php')
  admin(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.send('admin', req, res);
  }

  @Get('user/code.php')
  user(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.send('user', req, res);
  }

  private send(scope: Scope, req: IncomingMessage, res: ServerResponse): Promise<void> {
    return this.entry.open(req, res, scope, async (call) => {
      try {
        const { svg, cookie } = await this.captchas.issue(scope, call);
        sendBody(res, 200, 'image/svg+xml; charset=utf-8', svg, cookie ? { 'Set-Cookie': cookie } : {});
      } catch (error) {
        if (!(error instanceof LoginError)) throw error;
        const headers = { 'Retry-After': String(error.params.seconds) };
        sendBody(res, error.shape.status!, TEXT_TYPE, translate(call.locale, error.shape.text, error.params), headers);
      }
    });
  }
}
