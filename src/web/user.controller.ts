import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Post, Req, Res } from '@nestjs/common';

import { Limited, sendRedirect } from '../operations/index.js';

import { PluginPages } from './plugin-pages.js';
import { UserPages } from './user-pages.js';
import { WebEntry } from './web-entry.js';

/** Pages of the user side; its dashboard `/user/` is served by SiteController, because Nest drops the slash of a path. */
@Limited('public')
@Controller('user')
export class UserController {
  constructor(
    private readonly entry: WebEntry,
    private readonly pages: UserPages,
    private readonly pluginPages: PluginPages,
  ) {}

  @Get()
  root(@Res() res: ServerResponse): void {
    sendRedirect(res, '/user/');
  }

  @Get('login')
  login(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.open(req, res, 'user', (call) => this.pages.login(res, call));
  }

  @Get(['orders', 'sessions', 'password'])
  view(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'user', (call) => this.pages.view(res, call));
  }

  @Get('plugin.php')
  pluginPage(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.side(req, res, 'user', (call) => this.pluginPages.send(res, call, 'user'));
  }

  @Post('plugin.php')
  pluginForm(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.pluginPage(req, res);
  }
}
