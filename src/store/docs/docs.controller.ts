import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { Get, Res } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { BaseUrl } from '../../config/index.js';
import { Describe, StoreAccess, StoreController } from '../http/index.js';

import { docsPage } from './docs-page.js';
import { openApi, type OpenApiDocument } from './open-api.js';
import { StoreRoutes } from './store-routes.js';

/** The API's description of itself. */
@StoreController('docs')
export class DocsController {
  constructor(
    private readonly routes: StoreRoutes,
    private readonly baseUrl: BaseUrl,
  ) {}

  @Get()
  @Rate('read')
  @StoreAccess('public')
  @Describe({ summary: 'The description of this API as a page', answers: 'text/html' })
  page(@Res() res: ServerResponse): void {
    const nonce = randomBytes(16).toString('base64');
    send(res, 'text/html; charset=utf-8', docsPage(this.description(), nonce), {
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'same-origin',
    });
  }

  @Get('openapi.json')
  @Rate('read')
  @StoreAccess('public')
  @Describe({ summary: 'The same as an OpenAPI 3.1 document', answers: 'application/json' })
  document(@Res() res: ServerResponse): void {
    send(res, 'application/json; charset=utf-8', JSON.stringify(this.description()));
  }

  private description(): OpenApiDocument {
    return openApi(this.routes.list(), this.baseUrl.current());
  }
}

function send(res: ServerResponse, type: string, body: string, headers: Record<string, string> = {}): void {
  res.writeHead(200, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
    ...headers,
  });
  res.end(body);
}
