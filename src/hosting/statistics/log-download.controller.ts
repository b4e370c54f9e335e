import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';

import { AppError } from '../../common/index.js';
import {
  AdminGuard,
  callOf,
  Limited,
  Needs,
  type RequestContext,
  sendLocalRedirect,
  sendRouteResult,
  UserGuard,
} from '../../operations/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { LogMissing, RawLogs } from './raw-logs.js';

/** Where raw logs of a site are downloaded. */
@Controller()
export class LogDownloadController {
  constructor(
    private readonly sites: SiteAccess,
    private readonly logs: RawLogs,
  ) {}

  @Get('user/rzxz.php')
  @Limited('public')
  @UseGuards(UserGuard)
  async own(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const call = callOf(req)!;
    const linked = await this.logs.redeem(call.query.t ?? '', call);
    if (linked?.accountId !== call.user?.id) return sendLocalRedirect(res, '/user/statistics');
    await this.send(res, call, linked!, '/user/statistics');
  }

  @Get('admin/rzxz.php')
  @Limited('public')
  @UseGuards(AdminGuard)
  @Needs('rzxz')
  async ofHost(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const call = callOf(req)!;
    const linked = await this.logs.redeem(call.query.t ?? '', call);
    if (!linked) return sendLocalRedirect(res, '/admin/hosts');
    await this.send(res, call, linked, `/admin/host-statistics?id=${linked.accountId}`);
  }

  /** A log that went meanwhile leads back to the page. What is in one is a stranger's: it is saved, and never shown as a page. */
  private async send(
    res: ServerResponse,
    call: RequestContext,
    { accountId, day }: { accountId: number; day: string },
    back: string,
  ): Promise<void> {
    try {
      const site = await this.sites.ofHost(accountId);
      const { log, content } = await site
        .ask('statistics', (port, account, deadline) => port.open(account, day, deadline))
        .catch((error: unknown) => {
          throw error instanceof AppError && error.code === 'SITE_MISSING' ? new LogMissing(day) : error;
        });
      const name = `${site.account.username.replace(/[^A-Za-z0-9._-]/g, '_')}-${day}.log${log.isPacked ? '.gz' : ''}`;
      const headers = {
        'Content-Type': log.isPacked ? 'application/gzip' : 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${name}"`,
        'Content-Length': String(log.bytes),
        'Content-Security-Policy': "sandbox; default-src 'none'",
      };
      await sendRouteResult(res, { headers, body: content }, call);
    } catch (error) {
      if (!(error instanceof AppError) || res.headersSent) throw error;
      sendLocalRedirect(res, back);
    }
  }
}
