import type { IncomingMessage, ServerResponse } from 'node:http';

import { All, Controller, Get, Req, Res } from '@nestjs/common';

import { Limited, sendRedirect } from '../http/index.js';
import { WebEntry } from '../web/index.js';

import { AssetFiles } from './asset-files.js';
import { SitePages } from './site-pages.js';

/** Fallback for all other requests: files, plugins' routes, the home page. Registered last. */
@Limited('public')
@Controller()
export class CatchAllController {
  constructor(
    private readonly entry: WebEntry,
    private readonly pages: SitePages,
    private readonly assets: AssetFiles,
  ) {}

  @Get('favicon.ico')
  favicon(@Res() res: ServerResponse): void {
    sendRedirect(res, this.assets.faviconUrl());
  }

  @All(['/', '*path'])
  async serve(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    if (await this.assets.handle(req, res)) return;
    await this.entry.open(req, res, 'public', (call) => this.pages.serve(req, res, call));
  }
}
