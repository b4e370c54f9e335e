import type { ServerResponse } from 'node:http';

import { All, Controller, Get, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';

import { Rate } from '../../auth/index.js';
import { pathOf } from '../../http/index.js';
import { Limited, sendRedirect } from '../../operations/index.js';
import type { StoreRequest } from '../call/index.js';
import { StoreError } from '../errors.js';
import { StoreAccess, StoreGuard } from '../http/index.js';

import { PageErrors } from './page-errors.js';
import { clientPageAt } from './page-list.js';
import { PageSender } from './page-sender.js';
import { StoreFiles } from './store-files.js';

/** The store without its slash. Stands before the pages: the first of them would take it. */
@ApiExcludeController()
@Controller('store')
export class StoreRootController {
  @Get()
  @Limited('public')
  start(@Res() res: ServerResponse): void {
    sendRedirect(res, '/store/');
  }
}

/** Files of the pages, pages that their own scripts fill, and what is no page. */
@ApiExcludeController()
@Controller('store')
@UseFilters(PageErrors)
export class PagesController {
  constructor(
    private readonly pages: PageSender,
    private readonly files: StoreFiles,
  ) {}

  @Get('assets/{*path}')
  @Limited('public')
  async file(@Req() req: Request, @Res() res: ServerResponse): Promise<void> {
    if (!(await this.files.handle(req, res, pathOf(req.originalUrl)))) throw new StoreError('NOT_FOUND');
  }

  @Get('{*path}')
  @Rate('public')
  @StoreAccess('public')
  @UseGuards(StoreGuard)
  async serve(@Req() req: Request & StoreRequest, @Res() res: ServerResponse): Promise<void> {
    const path = pathOf(req.originalUrl);
    const page = clientPageAt(path);
    if (!page) throw new StoreError('NOT_FOUND');
    if (this.pages.switchLanguage(req, res)) return;
    const { caller, locale } = req.store!;
    if (page.audience !== 'everybody' && !caller) throw new StoreError('LOGIN_REQUIRED');
    if (page.audience === 'admin' && caller?.role !== 'admin') throw new StoreError('ADMIN_REQUIRED');
    await this.pages.send(req, res, page, { module: `pages/${page.module}.js`, preloads: preloadsOf(locale) });
  }
}

/** What most of these pages import, named so that browsers fetch it at once instead of one after the other. */
const preloadsOf = (locale: string): string[] =>
  ['api', 'dom', 'feedback', 'form', 'format', 'i18n', 'icons', `texts.${locale}`].map((name) => `lib/${name}.js`);

/** What is left in a process that runs a store and no panel. */
@ApiExcludeController()
@Controller()
@UseFilters(PageErrors)
export class FallbackController {
  @All(['/', '*path'])
  @Limited('public')
  leftOver(@Req() req: Request, @Res() res: ServerResponse): void {
    if (req.path !== '/') throw new StoreError('NOT_FOUND');
    sendRedirect(res, '/store/');
  }
}
