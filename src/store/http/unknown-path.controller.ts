import { All, Controller, Next, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';

import { Limited } from '../../http/index.js';
import { AppConfig } from '../../config/index.js';
import { StoreError } from '../errors.js';

import { StoreErrors } from './store-errors.filter.js';

/** Answers 404 to unknown paths under `/api/`; the panel's paths there end in `.php` and are passed on. */
@Controller('api')
@UseFilters(StoreErrors)
export class UnknownPathController {
  constructor(private readonly config: AppConfig) {}

  @All('*path')
  @Limited('public')
  unknown(@Req() req: Request, @Next() next: () => void): void {
    if (this.config.runs('panel') && /^\/api\/\w+\.php$/.test(req.path)) return next();
    throw new StoreError('NOT_FOUND');
  }
}
