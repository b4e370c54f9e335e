import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';

import { Limited, sendRedirect } from '../http/index.js';
import { AdminGuard, Needs } from '../operations/index.js';
import { PageFilter, WebEntry } from '../web/index.js';

import { PluginPages } from './plugin-pages.js';

/** Pages of the admin side. */
@Limited('public')
@UseFilters(PageFilter)
@Controller('admin')
export class AdminController {
  constructor(
    private readonly entry: WebEntry,
    private readonly pluginPages: PluginPages,
  ) {}

  @Get()
  root(@Res() res: ServerResponse): void {
    sendRedirect(res, '/admin/');
  }

  @Get('plugin.php')
  @UseGuards(AdminGuard)
  @Needs()
  pluginPage(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'admin', (call) => this.pluginPages.send(res, call, 'admin'));
  }

  @Post('plugin.php')
  @UseGuards(AdminGuard)
  @Needs()
  pluginForm(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.pluginPage(req, res);
  }
}
