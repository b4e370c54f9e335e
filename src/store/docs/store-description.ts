import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

import { BaseUrl } from '../../config/index.js';
import { openApi, type OpenApi } from '../../http/index.js';
import { SESSION_COOKIE } from '../http/index.js';

import { completeDocument } from './complete-document.js';
import type { OpenApiDocument } from './document.js';

type Settings = Omit<OpenAPIObject, 'paths'>;
type Scan = (api: OpenApi, settings: Settings) => OpenAPIObject;

/** The store's API as an OpenAPI document, generated on demand from the decorators of its controllers. */
@Injectable()
export class StoreDescription {
  private scan: Scan | null = null;
  private cached: { readonly server: string; readonly document: OpenApiDocument } | null = null;

  constructor(private readonly baseUrl: BaseUrl) {}

  /** `@nestjs/swagger` needs the application, which does not exist before its providers. */
  readFrom(scan: Scan): void {
    this.scan = scan;
  }

  async document(): Promise<OpenApiDocument> {
    const api = await openApi();
    const server = this.baseUrl.current();
    if (this.cached?.server !== server) this.cached = { server, document: completeDocument(this.scan!(api, settingsFor(api, server))) };
    return this.cached.document;
  }
}

function settingsFor({ DocumentBuilder }: OpenApi, server: string): Settings {
  return new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Store')
    .setVersion('1')
    .setDescription(
      'Every response is `{"code": 0, "msg", "data"}`; for an error, `code` is the HTTP status and `data` is null. ' +
        '`HEAD` responds like `GET`, without the body. Clients that send thousands of requests a minute get 429 ' +
        'anywhere.',
    )
    .addServer(server)
    .addSecurity('session', {
      type: 'apiKey',
      in: 'cookie',
      name: SESSION_COOKIE,
      description: 'Set at registration and sign-in; valid for 24 hours.',
    })
    .addSecurity('token', {
      type: 'http',
      scheme: 'bearer',
      description: 'A token from `POST /api/auth/tokens`, `svcs_…`, with the required scope: `read` or `publish`.',
    })
    .build();
}
