import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Post, Req, Res } from '@nestjs/common';

import { Limited, sendRedirect } from '../operations/index.js';

import { AdminPages } from './admin-pages.js';
import { PluginPages } from './plugin-pages.js';
import { WebEntry } from './web-entry.js';

/** Pages of the admin side; its dashboard `/admin/` is served by SiteController, because Nest drops the slash of a path. */
@Limited('public')
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

  @Get('login')
  login(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.open(req, res, 'admin', (call) => this.pages.login(res, call));
  }

  @Get('settings')
  settings(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'admin', (call) => this.pages.settings(res, call));
  }

  @Get('servers')
  servers(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'admin', (call) => this.pages.servers(res, call));
  }

  @Get(['hosts', 'agents', 'scans', 'orders', 'plugins', 'events', 'sessions', 'log'])
  list(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'admin', (call) => this.pages.list(res, call));
  }

  @Get('plugin-calls')
  pluginCalls(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'admin', (call) => this.pages.pluginCalls(res, call));
  }

  @Get('plugin.php')
  pluginPage(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'admin', (call) => this.pluginPages.send(res, call, 'admin'));
  }

  @Post('plugin.php')
  pluginForm(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.pluginPage(req, res);
  }
}
