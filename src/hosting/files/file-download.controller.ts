import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';

import { AppError, localeOf, translate } from '../../common/index.js';
import { failureReply, Limited, sendJson } from '../../http/index.js';
import { AdminGuard, callOf, Needs, type RequestContext, UserGuard } from '../../operations/index.js';
import { SiteAccess } from '../site-tools/index.js';
import { TrafficMeter } from '../traffic/index.js';

import { callerOf } from './caller.js';
import { FileLinks, type LinkedFile } from './file-links.js';
import { folderAndName, pathIn } from './file-names.js';
import { type DownloadKind, type DownloadRequest, type SiteDownload, SiteDownloads } from './site-downloads.js';
import { SiteFiles } from './site-files.js';

/** Downloads files of a site, and issues links for older themes. Source: docs/panel-api.md "Files". */
@Controller()
export class FileDownloadController {
  /** A link to a file that is gone redirects to its folder. */
  private readonly file: DownloadKind = {
    pages: { user: 'files', admin: 'files' },
    shown: (path) => ({ path: folderAndName(path).folder }),
    open: (link, request) => this.open(link, request),
  };

  constructor(
    private readonly sites: SiteAccess,
    private readonly files: SiteFiles,
    private readonly links: FileLinks,
    private readonly meter: TrafficMeter,
    private readonly downloads: SiteDownloads,
  ) {}

  @Get('user/wjxz.php')
  @Limited('public')
  @UseGuards(UserGuard)
  async own(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const call = callOf(req)!;
    if (call.query.dowtype === 'dowbtfile') return this.answerLink(res, call);
    await this.downloads.answer(req, res, this.file);
  }

  @Get('admin/wjxz.php')
  @Limited('public')
  @UseGuards(AdminGuard)
  @Needs('wjxz')
  async ofHost(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    await this.downloads.answer(req, res, this.file);
  }

  /** Handles `GET /user/wjxz.php?dowtype=dowbtfile&filepath&filename`: the response contains the link. */
  private async answerLink(res: ServerResponse, call: RequestContext): Promise<void> {
    const { locale } = call;
    try {
      const site = await this.sites.ofOwner(call, 'read');
      const path = pathIn(call.query.filepath || '/', call.query.filename ?? '');
      await this.files.find(site, path);
      const token = await this.links.issue({ accountId: site.account.id, path }, callerOf(call));
      sendJson(res, {
        status: 200,
        body: { code: 1, msg: translate(localeOf(locale), 'sitefiles.link'), url: `${call.baseUrl}/user/wjxz.php?t=${token}` },
      });
    } catch (error) {
      sendJson(res, failureReply(error instanceof AppError ? error.forOwner : error, locale));
    }
  }

  /**
   * A download by the owner counts as traffic of the site, if this machine counts it. It is never blocked or cut off when the traffic is
   * used up, so that owners can always get their files.
   */
  private async open({ accountId, path }: LinkedFile, { req, res, call }: DownloadRequest): Promise<SiteDownload> {
    const site = await this.sites.ofHost(accountId);
    const { size, content } = await this.files.open(site, path);
    if (call.scope === 'user' && site.has('traffic') && site.port('traffic').isCountedHere)
      this.meter.count(accountId, req, res, { stops: false });
    return { name: folderAndName(path).name, bytes: size, content };
  }
}
