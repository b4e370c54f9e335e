import type { IncomingMessage, ServerResponse } from 'node:http';

import { Controller, Post, Req, Res } from '@nestjs/common';

import { ExternalApi } from '../hosting/index.js';
import { CallFactory, failureReply, sendJson } from '../operations/index.js';

/** The provisioning API that shops call. Source: docs/panel-api.md "Provisioning API". */
@Controller()
export class ExternalApiController {
  constructor(
    private readonly calls: CallFactory,
    private readonly api: ExternalApi,
  ) {}

  /** HTTP 200 whatever the answer is: known clients take any other status for a network error. */
  @Post('api/api.php')
  async serve(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    try {
      const call = await this.calls.create(req, 'public');
      const answer = await this.api.handle(call.query.gn ?? call.gn ?? '', call.body, call.ip);
      sendJson(res, { status: 200, body: answer });
    } catch (error) {
      const { body } = failureReply(error, 'zh-CN');
      sendJson(res, { status: 200, body: { success: false, code: 100, msg: (body as { msg: string }).msg } });
    }
  }
}
