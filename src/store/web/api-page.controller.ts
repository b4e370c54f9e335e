import type { ServerResponse } from 'node:http';

import { Get, Req, Res } from '@nestjs/common';
import type { Request } from 'express';

import { Rate } from '../../auth/index.js';
import { ApiOperation } from '../../http/index.js';
import type { StoreRequest } from '../call/index.js';
import { docsView, StoreDescription } from '../docs/index.js';
import { ApiFile, StoreAccess, StoreController } from '../http/index.js';

import type { StorePageDeclaration } from './page-declaration.js';
import { StorePageSender } from './store-page-sender.js';

/** The page has the frame of every store page but is served under the API path. */
const PAGE: StorePageDeclaration = { path: '', view: 'api', title: 'api.title', open: true };

/** Serves the API documentation page. */
@StoreController('docs')
export class ApiPageController {
  constructor(
    private readonly description: StoreDescription,
    private readonly pages: StorePageSender,
  ) {}

  @Get()
  @Rate('read')
  @StoreAccess('public')
  @ApiOperation({ summary: 'Returns the description of this API as a web page' })
  @ApiFile('text/html')
  async page(@Req() req: StoreRequest & Request, @Res() res: ServerResponse): Promise<void> {
    if (this.pages.switchLanguage(req, res)) return;
    await this.pages.send(req, res, PAGE, docsView(await this.description.document()));
  }
}
