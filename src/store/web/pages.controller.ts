import type { ServerResponse } from 'node:http';

import { All, Controller, Get, Req, Res } from '@nestjs/common';
import type { Request } from 'express';

import { Limited, sendRedirect } from '../../operations/index.js';

import { StorePages } from './store-pages.js';

/** The pages and their files; `page-list.ts` has the addresses. */
@Controller('store')
export class PagesController {
  constructor(private readonly pages: StorePages) {}

  @Get()
  @Limited('public')
  start(@Res() res: ServerResponse): void {
    sendRedirect(res, '/store/');
  }

  @Get('{*path}')
  @Limited('public')
  serve(@Req() req: Request, @Res() res: ServerResponse): Promise<void> {
    return this.pages.serve(req, res);
  }
}

/** What is left in a process that runs a store and no panel. */
@Controller()
export class FallbackController {
  constructor(private readonly pages: StorePages) {}

  @All(['/', '*path'])
  @Limited('public')
  async leftOver(@Req() req: Request, @Res() res: ServerResponse): Promise<void> {
    if (req.path === '/') return sendRedirect(res, '/store/');
    await this.pages.notFound(req, res);
  }
}
