import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Param, Req, Res } from '@nestjs/common';

import { Limited } from '../../http/index.js';
import { PageSender, WebEntry } from '../../web/index.js';

import { PublicStatus } from './public-status.js';

/** Serves public status pages. A hidden page responds like a missing one; a disabled one says so without the reason. */
@Limited('public')
@Controller('status')
export class PublicStatusController {
  constructor(
    private readonly entry: WebEntry,
    private readonly pages: PageSender,
    private readonly status: PublicStatus,
  ) {}

  @Get(':slug')
  show(@Param('slug') slug: string, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.entry.open(req, res, 'public', async (call) => {
      const page = await this.status.find(slug);
      if (!page) return this.pages.sendError(res, call, 'home', 404, 'web.not_found', 'web.not_found_text');
      if (page.offReason !== null) return this.pages.sendError(res, call, 'home', 404, 'monitor.status_off', 'monitor.status_off_text');
      const vars = { title: page.title, ...(await this.status.view(page)), by_customer: page.accountId !== 0 };
      await this.pages.send(res, call, 'home', 'status', vars, { plain: true });
    });
  }
}
