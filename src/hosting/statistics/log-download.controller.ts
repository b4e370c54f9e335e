import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';

import { Limited } from '../../http/index.js';
import { AdminGuard, Needs, UserGuard } from '../../operations/index.js';
import { type DownloadKind, SiteDownloads } from '../files/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { RawLogs } from './raw-logs.js';

/** Serves raw logs of a site as downloads. */
@Controller()
export class LogDownloadController {
  private readonly log: DownloadKind = {
    pages: { user: 'statistics', admin: 'host-statistics' },
    open: async ({ accountId, path }) => this.logs.open(await this.sites.ofHost(accountId), path),
  };

  constructor(
    private readonly sites: SiteAccess,
    private readonly logs: RawLogs,
    private readonly downloads: SiteDownloads,
  ) {}

  @Get('user/rzxz.php')
  @Limited('public')
  @UseGuards(UserGuard)
  async own(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    await this.downloads.answer(req, res, this.log);
  }

  @Get('admin/rzxz.php')
  @Limited('public')
  @UseGuards(AdminGuard)
  @Needs('rzxz')
  async ofHost(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    await this.downloads.answer(req, res, this.log);
  }
}
