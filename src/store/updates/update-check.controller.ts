import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { Post, Req, Res } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { translate } from '../../common/index.js';
import { NotAudited } from '../audit/index.js';
import { Call, type StoreCall } from '../call/index.js';
import { Body, Describe, StoreAccess, StoreController } from '../http/index.js';

import { UpdateCheck } from './update-check.js';
import { UpdateCheckForm } from './update-check.forms.js';
import { UPDATE_CHECK } from './update-shapes.js';

/** How long a panel may keep what it was told about updates, in seconds. */
const CHECK_SECONDS = 300;
const CHECK_HEADERS = { ETag: 'What the answer is known by', 'Cache-Control': `For how long it may be kept: ${CHECK_SECONDS} seconds` };

/** What panels ask about the items they have installed. */
@StoreController('items')
export class UpdateCheckController {
  constructor(private readonly updates: UpdateCheck) {}

  @Post('update-check')
  @Rate('read')
  @StoreAccess('public', 'read')
  @NotAudited('asks, by a body because it is long')
  @Describe({
    summary: 'Which of the installed items have newer versions, and which are gone',
    answers: UPDATE_CHECK,
    headers: CHECK_HEADERS,
    asks: { 'If-None-Match': 'The `ETag` of an answer from before' },
    others: { 304: { description: 'Nothing has changed since', headers: CHECK_HEADERS } },
  })
  async check(
    @Body(UpdateCheckForm) form: UpdateCheckForm,
    @Call() call: StoreCall,
    @Req() req: IncomingMessage,
    @Res() res: ServerResponse,
  ): Promise<void> {
    const data = await this.updates.check(form.panel_version, form.items);
    const body = JSON.stringify({ code: 0, msg: translate(call.locale, 'store.ok'), data });
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const headers = { ETag: etag, 'Cache-Control': `max-age=${CHECK_SECONDS}`, 'X-Content-Type-Options': 'nosniff' };
    if (req.headers['if-none-match'] === etag) return void res.writeHead(304, headers).end();
    res
      .writeHead(200, { ...headers, 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) })
      .end(body);
  }
}
