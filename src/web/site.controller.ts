import type { IncomingMessage, ServerResponse } from 'node:http';

import { All, Controller, Get, Req, Res } from '@nestjs/common';

import { Limited, sendRedirect } from '../operations/index.js';

import { AdminPages } from './admin-pages.js';
import { AssetFiles } from './asset-files.js';
import { SitePages } from './site-pages.js';
import { UserPages } from './user-pages.js';
import { WebEntry } from './web-entry.js';

/** The catch-all behind every other controller: files, dashboards, plugins' routes, the home page. Registered last. */
@Limited('public')
@Controller()
export class SiteController {
  constructor(
    private readonly entry: WebEntry,
    private readonly pages: SitePages,
    private readonly assets: AssetFiles,
    private readonly adminPages: AdminPages,
    private readonly userPages: UserPages,
  ) {}

  @Get('favicon.ico')
  favicon(@Res() res: ServerResponse): void {
    sendRedirect(res, this.assets.faviconUrl());
  }

  @All(['/', '*path'])
  async serve(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    if (await this.assets.handle(req, res)) return;
    const dashboard = req.method === 'GET' ? /^\/(admin|user)\/(?:\?|$)/.exec(req.url ?? '')?.[1] : undefined;
    if (dashboard === 'admin') return this.entry.side(req, res, 'admin', (call) => this.adminPages.dashboard(res, call));
    if (dashboard === 'user') return this.entry.side(req, res, 'user', (call) => this.userPages.dashboard(res, call));
    await this.entry.open(req, res, 'public', (call) => this.pages.serve(req, res, call));
  }
}
