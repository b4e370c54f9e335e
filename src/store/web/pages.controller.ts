import type { ServerResponse } from 'node:http';

import { All, Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { Request } from 'express';

import { ApiExcludeController, Limited, pathOf, sendRedirect } from '../../http/index.js';
import { StoreError } from '../errors.js';

import { PageErrors } from './page-errors.js';
import { StoreFiles } from './store-files.js';

/** Redirects `/store` to `/store/`. Registered before the pages, whose first route would match it. */
@ApiExcludeController()
@Controller('store')
export class StoreRootController {
  @Get()
  @Limited('public')
  start(@Res() res: ServerResponse): void {
    sendRedirect(res, '/store/');
  }
}

/** Serves the pages' files and 404 for unknown paths. */
@ApiExcludeController()
@Controller('store')
@UseFilters(PageErrors)
export class PagesController {
  constructor(private readonly files: StoreFiles) {}

  @Get('assets/{*path}')
  @Limited('public')
  async file(@Req() req: Request, @Res() res: ServerResponse): Promise<void> {
    if (!(await this.files.handle(req, res, pathOf(req.originalUrl)))) throw new StoreError('NOT_FOUND');
  }

  @Get('{*path}')
  @Limited('public')
  notFound(): never {
    throw new StoreError('NOT_FOUND');
  }
}

/** Handles all remaining paths in a process without a panel. */
@ApiExcludeController()
@Controller()
@UseFilters(PageErrors)
export class FallbackController {
  @All(['/', '*path'])
  @Limited('public')
  fallback(@Req() req: Request, @Res() res: ServerResponse): void {
    if (req.path !== '/') throw new StoreError('NOT_FOUND');
    sendRedirect(res, '/store/');
  }
}
