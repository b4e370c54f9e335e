import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';

import { failureReply, Limited, sendFile, sendJson } from '../../http/index.js';
import { AdminGuard, callOf, Needs, readIdList } from '../../operations/index.js';

import { ProgramTransfer } from './program-transfer.js';

/** Serves exported programs as downloads. */
@Controller()
export class ProgramExportController {
  constructor(private readonly transfer: ProgramTransfer) {}

  @Get('admin/program-export')
  @Limited('public')
  @UseGuards(AdminGuard)
  @Needs('cxdc')
  async send(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const { query, locale } = callOf(req)!;
    try {
      const { size, content } = await this.transfer.pack(readIdList(query.id ?? '').ids);
      const disposition = 'attachment; filename="programs.zip"';
      await sendFile(req, res, { size, disposition, type: 'application/zip', open: () => Promise.resolve({ content }) });
    } catch (error) {
      sendJson(res, failureReply(error, locale));
    }
  }
}
