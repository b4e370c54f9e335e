import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { pathOf } from '../../http/index.js';
import { StoreError } from '../errors.js';

import {
  STORE_FORM_METADATA,
  STORE_PAGE_METADATA,
  patternOf,
  type StoreFormDeclaration,
  type StorePageDeclaration,
} from './page-declaration.js';

/** Requires the exact declared path, because the router also accepts other case and trailing slashes. */
@Injectable()
export class ExactAddress implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    const declared = (Reflect.getMetadata(STORE_PAGE_METADATA, handler) ?? Reflect.getMetadata(STORE_FORM_METADATA, handler)) as
      StorePageDeclaration | StoreFormDeclaration;
    const path = pathOf(context.switchToHttp().getRequest<Request>().originalUrl);
    if (!patternOf(declared.path).test(path)) throw new StoreError('NOT_FOUND');
    return true;
  }
}
