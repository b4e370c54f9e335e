import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';

import { Limited, sendLocalRedirect } from '../../http/index.js';
import { AdminGuard, Needs, UserGuard } from '../../operations/index.js';
import { type DownloadKind, SiteDownloads } from '../files/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { BACKUP_LINK } from './database-backup.operations.js';
import { DatabaseBackups } from './database-backups.js';
import { ProgramError, programError } from './program-errors.js';

/** Serves backups of databases as downloads. Source: docs/panel-api.md "Databases of sites". */
@Controller()
export class DatabaseDownloadController {
  private readonly backup: DownloadKind = {
    pages: { user: 'database', admin: 'host-database' },
    open: async ({ accountId, path }) => {
      if (!path.startsWith(BACKUP_LINK)) throw new ProgramError('DATABASE_BACKUP_GONE');
      const site = await this.sites.ofHost(accountId);
      const { id, fileName: name } = await this.backups.find(site, path.slice(BACKUP_LINK.length));
      const { size: bytes, content } = await site.ask(
        'database',
        (port, account, deadline) => port.openBackup(account, id, deadline),
        programError,
      );
      return { name, type: name.endsWith('.gz') ? 'application/gzip' : 'application/octet-stream', bytes, content };
    },
  };

  constructor(
    private readonly sites: SiteAccess,
    private readonly backups: DatabaseBackups,
    private readonly downloads: SiteDownloads,
  ) {}

  @Get('user/database/file')
  @Limited('public')
  @UseGuards(UserGuard)
  async own(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    await this.downloads.answer(req, res, this.backup);
  }

  @Get('admin/host-database/file')
  @Limited('public')
  @UseGuards(AdminGuard)
  @Needs('databasedownload')
  async ofHost(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    await this.downloads.answer(req, res, this.backup);
  }

  /** Redirects existing links that open the database to the page with the button. */
  @Get('user/mysql.php')
  @Limited('public')
  follow(@Res() res: ServerResponse): void {
    sendLocalRedirect(res, '/user/database');
  }
}
