import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';

import { AdminGuard, Limited, Needs, UserGuard } from '../../operations/index.js';
import type { SiteBackup } from '../entities/index.js';
import { type DownloadKind, SiteDownloads } from '../files/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { siteBackupError } from './backup-errors.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupStorage } from './backup-storage.js';

const LINK = /^backup:(\d{1,10})$/;

/** Where backups of a site are downloaded, as they lie in their place. Source: docs/panel-api.md "Backups of sites". */
@Controller()
export class SiteBackupDownloadController {
  private readonly backup: DownloadKind = {
    pages: { user: 'backups', admin: 'site-backups' },
    open: async ({ accountId, path }) => {
      const row = await this.records.find(accountId, Number(LINK.exec(path)?.[1] ?? 0));
      const { size, content } = await this.open(accountId, row);
      return { name: row.name, type: 'application/gzip', bytes: size, content };
    },
  };

  constructor(
    private readonly sites: SiteAccess,
    private readonly records: SiteBackupRecords,
    private readonly storage: SiteBackupStorage,
    private readonly downloads: SiteDownloads,
  ) {}

  @Get('user/backups/file')
  @Limited('public')
  @UseGuards(UserGuard)
  async own(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    await this.downloads.answer(req, res, this.backup);
  }

  @Get('admin/site-backups/file')
  @Limited('public')
  @UseGuards(AdminGuard)
  @Needs('sitebackup_download')
  async ofHost(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    await this.downloads.answer(req, res, this.backup);
  }

  private async open(accountId: number, { place, name }: SiteBackup): Promise<{ size: number; content: Readable }> {
    if (place === 's3') return this.storage.open(name);
    const site = await this.sites.ofHost(accountId);
    return site.ask('backups', (backups, account, deadline) => backups.open(account, name, deadline), siteBackupError);
  }
}
