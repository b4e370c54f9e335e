import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';

import { Limited, sendRedirect } from '../http/index.js';
import { UserGuard } from '../operations/index.js';
import { PageFilter, WebEntry } from '../web/index.js';

import { PluginPages } from './plugin-pages.js';

/** Pages of the user side. */
@Limited('public')
@UseFilters(PageFilter)
@Controller('user')
export class UserController {
  constructor(
    private readonly entry: WebEntry,
    private readonly pluginPages: PluginPages,
  ) {}

  @Get()
  root(@Res() res: ServerResponse): void {
    sendRedirect(res, '/user/');
  }

  @Get('plugin.php')
  @UseGuards(UserGuard)
  pluginPage(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'user', (call) => this.pluginPages.send(res, call, 'user'));
  }

  @Post('plugin.php')
  @UseGuards(UserGuard)
  pluginForm(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.pluginPage(req, res);
  }
}
