import type { ServerResponse } from 'node:http';

import { Get, Res } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { ApiOperation, sendBody } from '../../http/index.js';
import { ApiFile, StoreAccess, StoreController } from '../http/index.js';

import { StoreDescription } from './store-description.js';

/** Serves the OpenAPI document of the store's API. */
@StoreController('docs')
export class DocsController {
  constructor(private readonly description: StoreDescription) {}

  @Get('openapi.json')
  @Rate('read')
  @StoreAccess('public')
  @ApiOperation({ summary: 'Returns the description of this API as an OpenAPI 3.1 document' })
  @ApiFile('application/json')
  async document(@Res() res: ServerResponse): Promise<void> {
    const text = JSON.stringify(await this.description.document());
    sendBody(res, 200, 'application/json; charset=utf-8', text, { 'Cache-Control': 'no-cache' });
  }
}
