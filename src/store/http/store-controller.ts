import { applyDecorators, Controller, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';

import { ApiTags } from '../../http/index.js';

import { AuditTrail } from '../audit/index.js';

import { Envelope } from './envelope.js';
import { StoreGuard } from './store-access.js';
import { StoreErrors } from './store-errors.filter.js';

/** A controller of the JSON API under `/api/…`, with guard, envelope, audit trail and error filter. */
export const StoreController = (path: string): ClassDecorator =>
  applyDecorators(
    Controller(`api/${path}`),
    UseGuards(StoreGuard),
    UseInterceptors(Envelope, AuditTrail),
    UseFilters(StoreErrors),
    ApiTags(path.split('/')[0]!),
  );
