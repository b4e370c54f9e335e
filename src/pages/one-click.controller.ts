import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Post, Req, Res } from '@nestjs/common';

import { Limited } from '../http/index.js';
import { FORM_ONLY } from '../operations/index.js';
import { WebEntry } from '../web/index.js';

import { OneClickPages } from './one-click-pages.js';

/** Sign-in from another site; intentionally without a cross-site check. */
@Limited('sign-in')
@Controller('user')
export class OneClickController {
  constructor(
    private readonly entry: WebEntry,
    private readonly pages: OneClickPages,
  ) {}

  @Get('idcdl.php')
  address(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.open(req, res, 'user', (call) => this.pages.withPassword(res, call), FORM_ONLY);
  }

  @Post('idcdl.php')
  form(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.address(req, res);
  }

  @Get('dl.php')
  link(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.open(req, res, 'user', (call) => this.pages.withLink(res, call));
  }
}
