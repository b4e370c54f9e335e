import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';

import { Limited } from '../../http/index.js';
import { AdminGuard, Needs, UserGuard } from '../../operations/index.js';
import type { OpenedArchive } from '../driver/index.js';
import type { SiteBackup } from '../entities/index.js';
import { type DownloadKind, SiteDownloads } from '../files/index.js';

import { SiteBackupArchiver } from './backup-archiver.js';
import { SiteBackupError } from './backup-errors.js';
import { SiteBackupRecords } from './backup-records.js';

const LINK = /^backup:(\d{1,10})$/;

/**
 * Serves backups of a site as stored; interrupted downloads can be resumed.
 * Source: docs/panel-api.md "Backups of sites".
 */
@Controller()
export class SiteBackupDownloadController {
  private readonly backup: DownloadKind = {
    pages: { user: 'backups', admin: 'site-backups' },
    keeps: true,
    open: async ({ accountId, path }) => {
      const row = await this.records.find(accountId, Number(LINK.exec(path)?.[1] ?? 0));
      const { name, size: bytes, sha256: version } = row;
      return { name, type: 'application/gzip', bytes, version, content: (from) => this.open(row, from) };
    },
  };

  constructor(
    private readonly records: SiteBackupRecords,
    private readonly archiver: SiteBackupArchiver,
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

  private async open(row: SiteBackup, from: number): Promise<OpenedArchive> {
    const opened = await this.archiver.open(row, from);
    if (opened.size === row.size) return opened;
    opened.content.destroy();
    throw new SiteBackupError('BACKUP_DAMAGED');
  }
}
