import type { IncomingMessage, ServerResponse } from 'node:http';

import { Post, Req, Res } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { translate } from '../../common/index.js';
import { ApiOperation, storeEnvelope } from '../../http/index.js';
import { NotAudited } from '../audit/index.js';
import { Call, type StoreCall } from '../call/index.js';
import { Body, ApiRequestHeaders, ApiData, ApiEmpty, ENVELOPE_TYPE, sendCacheable, StoreAccess, StoreController } from '../http/index.js';

import { UpdateCheck } from './update-check.js';
import { UpdateCheckForm } from './update-check.forms.js';
import { Updates } from './update-check.dto.js';

/** How long a panel may cache an update check, in seconds. */
const CHECK_SECONDS = 300;
const CHECK_HEADERS = { ETag: 'Version of the response', 'Cache-Control': `Cache lifetime: ${CHECK_SECONDS} seconds` };

/** Update check of panels for the items they have installed. */
@StoreController('items')
export class UpdateCheckController {
  constructor(private readonly updates: UpdateCheck) {}

  @Post('update-check')
  @Rate('read')
  @StoreAccess('public', 'read')
  @NotAudited('a query with a body because of its length')
  @ApiOperation({ summary: 'Returns newer versions of installed items, and items that are no longer offered' })
  @ApiData(Updates, CHECK_HEADERS)
  @ApiRequestHeaders({ 'If-None-Match': 'The `ETag` of a previous response' })
  @ApiEmpty(304, 'Not modified', CHECK_HEADERS)
  async check(
    @Body() form: UpdateCheckForm,
    @Call() call: StoreCall,
    @Req() req: IncomingMessage,
    @Res() res: ServerResponse,
  ): Promise<void> {
    const data = await this.updates.check(form.panel_version, form.items, form.beta);
    const body = JSON.stringify(storeEnvelope.success(translate(call.locale, 'store.ok'), data));
    sendCacheable(req, res, ENVELOPE_TYPE, body, { 'Cache-Control': `max-age=${CHECK_SECONDS}` });
  }
}
