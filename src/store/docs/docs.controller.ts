import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { Get, Res } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { ApiOperation, sendWhole } from '../../http/index.js';
import { ApiFile, StoreAccess, StoreController } from '../http/index.js';

import { docsPage } from './docs-page.js';
import { StoreDescription } from './store-description.js';

/** The API's description of itself. */
@StoreController('docs')
export class DocsController {
  constructor(private readonly description: StoreDescription) {}

  @Get()
  @Rate('read')
  @StoreAccess('public')
  @ApiOperation({ summary: 'The description of this API as a page' })
  @ApiFile('text/html')
  async page(@Res() res: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    send(res, 'text/html; charset=utf-8', docsPage(await this.description.document(), nonce), {
      'Content-Security-Policy':
        `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; ` + `form-action 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'same-origin',
    });
  }

  @Get('openapi.json')
  @Rate('read')
  @StoreAccess('public')
  @ApiOperation({ summary: 'The same as an OpenAPI 3.1 document' })
  @ApiFile('application/json')
  async document(@Res() res: ServerResponse): Promise<void> {
    send(res, 'application/json; charset=utf-8', JSON.stringify(await this.description.document()));
  }
}

function send(res: ServerResponse, type: string, body: string, headers: Record<string, string> = {}): void {
  sendWhole(res, 200, { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache', ...headers }, body);
}
