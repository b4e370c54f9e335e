import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

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
import type { SiteBackup } from '../entities/index.js';
import { callerOf, FileLinks, type LinkedFile } from '../files/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { siteBackupError } from './backup-errors.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupStorage } from './backup-storage.js';

const LINK = /^backup:(\d{1,10})$/;

/** Where backups of a site are downloaded, as they lie in their place. Source: docs/panel-api.md "Backups of sites". */
@Controller()
export class SiteBackupDownloadController {
  constructor(
    private readonly sites: SiteAccess,
    private readonly records: SiteBackupRecords,
    private readonly storage: SiteBackupStorage,
    private readonly links: FileLinks,
  ) {}

  @Get('user/backups/file')
  @Limited('public')
  @UseGuards(UserGuard)
  async own(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const call = callOf(req)!;
    const link = await this.links.redeem(call.query.t ?? '', callerOf(call));
    if (link?.accountId !== call.user?.id) return sendLocalRedirect(res, '/user/backups');
    await this.send(res, call, link!, '/user/backups');
  }

  @Get('admin/site-backups/file')
  @Limited('public')
  @UseGuards(AdminGuard)
  @Needs('sitebackup_download')
  async ofHost(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const call = callOf(req)!;
    const link = await this.links.redeem(call.query.t ?? '', callerOf(call));
    if (!link) return sendLocalRedirect(res, '/admin/hosts');
    await this.send(res, call, link, `/admin/site-backups?id=${link.accountId}`);
  }

  private async send(res: ServerResponse, call: RequestContext, { accountId, path }: LinkedFile, back: string): Promise<void> {
    try {
      const row = await this.records.find(accountId, Number(LINK.exec(path)?.[1] ?? 0));
      const { content } = await this.open(accountId, row);
      const headers = {
        'Content-Type': 'application/gzip',
        'Content-Disposition': `attachment; filename="${row.name}"`,
        'Content-Security-Policy': "sandbox; default-src 'none'",
      };
      await sendRouteResult(res, { headers, body: content }, call);
    } catch (error) {
      if (!(error instanceof AppError) || res.headersSent) throw error;
      sendLocalRedirect(res, back);
    }
  }

  private async open(accountId: number, { place, name }: SiteBackup): Promise<{ content: Readable }> {
    if (place === 's3') return this.storage.open(name);
    const site = await this.sites.ofHost(accountId);
    return site.ask('backups', (backups, account, deadline) => backups.open(account, name, deadline), siteBackupError);
  }
}
