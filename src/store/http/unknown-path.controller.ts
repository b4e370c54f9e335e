import { All, Controller, Next, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';

import { Limited } from '../../http/index.js';
import { AppConfig } from '../../config/index.js';
import { StoreError } from '../errors.js';

import { StoreErrors } from './store-errors.filter.js';

/** What is left under `/api/`: nothing of the store's. The panel's own addresses there end in `.php` and come after it. */
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
