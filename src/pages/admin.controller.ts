import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';

import { AdminGuard, Limited, sendRedirect } from '../operations/index.js';
import { PageFilter, WebEntry } from '../web/index.js';

import { AdminPages } from './admin-pages.js';
import { PluginPages } from './plugin-pages.js';

/** Pages of the admin side. */
@Limited('public')
@UseFilters(PageFilter)
@Controller('admin')
export class AdminController {
  constructor(
    private readonly entry: WebEntry,
    private readonly pages: AdminPages,
    private readonly pluginPages: PluginPages,
  ) {}

  @Get()
  root(@Res() res: ServerResponse): void {
    sendRedirect(res, '/admin/');
  }

  /** `/admin/`: Nest would drop a plain slash at the end of a path. */
  @Get('{/}')
  @UseGuards(AdminGuard)
  dashboard(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'admin', (call) => this.pages.dashboard(res, call));
  }

  @Get('login')
  login(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.open(req, res, 'admin', (call) => this.pages.login(res, call));
  }

  @Get('settings')
  @UseGuards(AdminGuard)
  settings(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'admin', (call) => this.pages.settings(res, call));
  }

  @Get('plugin.php')
  @UseGuards(AdminGuard)
  pluginPage(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'admin', (call) => this.pluginPages.send(res, call, 'admin'));
  }

  @Post('plugin.php')
  @UseGuards(AdminGuard)
  pluginForm(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.pluginPage(req, res);
  }
}
