import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';

import { AppError, localeOf, translate } from '../../common/index.js';
import {
  AdminGuard,
  callOf,
  failureReply,
  Limited,
  Needs,
  type RequestContext,
  sendJson,
  sendLocalRedirect,
  sendRouteResult,
  UserGuard,
} from '../../operations/index.js';
import { SiteAccess } from '../site-tools/index.js';
import { TrafficMeter } from '../traffic/index.js';

import { callerOf } from './caller.js';
import { FileLinks, type LinkedFile } from './file-links.js';
import { folderAndName, pathIn } from './file-names.js';
import { SiteFiles } from './site-files.js';

/** Where files of a site are downloaded, and where older themes ask for a link. Source: docs/panel-api.md "Files". */
@Controller()
export class FileDownloadController {
  constructor(
    private readonly sites: SiteAccess,
    private readonly files: SiteFiles,
    private readonly links: FileLinks,
    private readonly meter: TrafficMeter,
  ) {}

  @Get('user/wjxz.php')
  @Limited('public')
  @UseGuards(UserGuard)
  async own(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const call = callOf(req)!;
    if (call.query.dowtype === 'dowbtfile') return this.answerLink(res, call);
    const file = await this.links.redeem(call.query.t ?? '', callerOf(call));
    if (file?.accountId !== call.user?.id) return sendLocalRedirect(res, '/user/files');
    await this.send(req, res, call, file!);
  }

  @Get('admin/wjxz.php')
  @Limited('public')
  @UseGuards(AdminGuard)
  @Needs('wjxz')
  async ofHost(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const call = callOf(req)!;
    const file = await this.links.redeem(call.query.t ?? '', callerOf(call));
    if (!file) return sendLocalRedirect(res, '/admin/hosts');
    await this.send(req, res, call, file);
  }

  /** `GET /user/wjxz.php?dowtype=dowbtfile&filepath&filename`: the answer names the link. */
  private async answerLink(res: ServerResponse, call: RequestContext): Promise<void> {
    const { locale } = call;
    try {
      const site = await this.sites.ofOwner(call, 'look');
      const path = pathIn(call.query.filepath || '/', call.query.filename ?? '');
      await this.files.find(site, path);
      const token = await this.links.issue({ accountId: site.account.id, path }, callerOf(call));
      sendJson(res, {
        status: 200,
        body: { code: 1, msg: translate(localeOf(locale), 'sitefiles.link'), url: `${call.baseUrl}/user/wjxz.php?t=${token}` },
      });
    } catch (error) {
      sendJson(res, failureReply(error, locale));
    }
  }

  /**
   * Somebody who follows a link to a file that is gone meanwhile is led to the folder it was in. What its owner takes along is traffic of the site, where this machine
   * counts that; it is neither refused nor cut short where that is used up, so that he gets at what is his.
   */
  private async send(req: IncomingMessage, res: ServerResponse, call: RequestContext, { accountId, path }: LinkedFile): Promise<void> {
    const { folder, name } = folderAndName(path);
    try {
      const site = await this.sites.ofHost(accountId);
      const { size, content } = await this.files.open(site, path);
      if (call.scope === 'user' && site.has('traffic') && site.port('traffic').isCountedHere)
        this.meter.count(accountId, req, res, { stops: false });
      const headers = {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${name.replace(/[^ -~]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeName(name)}`,
        'Content-Length': String(size),
        'Content-Security-Policy': "sandbox; default-src 'none'",
      };
      await sendRouteResult(res, { headers, body: content }, call);
    } catch (error) {
      if (!(error instanceof AppError) || res.headersSent) throw error;
      const host = call.scope === 'admin' ? `id=${accountId}&` : '';
      sendLocalRedirect(res, `/${call.scope}/files?${host}path=${encodeURIComponent(folder)}`);
    }
  }
}

/** As https://www.rfc-editor.org/rfc/rfc8187 has it. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
