import type { ServerResponse } from 'node:http';

import { All, Controller, Get, Next, Req, Res } from '@nestjs/common';
import type { Request } from 'express';

import { AppConfig } from '../../config/index.js';
import { sendRedirect } from '../../operations/index.js';

import { StorePages } from './store-pages.js';

/** The pages and their files; `page-list.ts` has the addresses. */
@Controller('store')
export class PagesController {
  constructor(private readonly pages: StorePages) {}

  @Get()
  start(@Res() res: ServerResponse): void {
    sendRedirect(res, '/store/');
  }

  @Get('{*path}')
  serve(@Req() req: Request, @Res() res: ServerResponse): Promise<void> {
    return this.pages.serve(req, res);
  }
}

/** What is left of a store by itself. Beside a panel these addresses are the panel's. It stands behind everything else. */
@Controller()
export class LeftOverController {
  constructor(
    private readonly config: AppConfig,
    private readonly pages: StorePages,
  ) {}

  @All(['/', '*path'])
  async leftOver(@Req() req: Request, @Res() res: ServerResponse, @Next() next: () => void): Promise<void> {
    if (this.config.runs('panel')) return next();
    if (req.path === '/') return sendRedirect(res, '/store/');
    await this.pages.notFound(req, res);
  }
}
