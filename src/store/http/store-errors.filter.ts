import type { ServerResponse } from 'node:http';

import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';

import { RateLimited } from '../../auth/index.js';
import { loggerFor } from '../../common/index.js';
import { DatabaseBusy } from '../../database/index.js';
import {
  BodyError,
  type BodyErrorCode,
  closingHeaders,
  drain,
  localeOfRequest,
  newErrorId,
  pathOf,
  sendBody,
  StaleForm,
  storeEnvelope,
  toErrorResponse,
} from '../../http/index.js';
import type { StoreRequest } from '../call/index.js';
import { StoreError, type StoreErrorCode } from '../errors.js';
import { StorageError } from '../packages/index.js';

import { ENVELOPE_TYPE } from './envelope.js';

const log = loggerFor('store');
/** `Retry-After` while the package storage is unreachable, in seconds. */
const STORAGE_SECONDS = 30;

/** Maps body errors to the store's codes. */
const BODY_ERRORS: Readonly<Record<BodyErrorCode, StoreErrorCode>> = {
  BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  BODY_BUSY: 'SERVER_BUSY',
  BODY_MALFORMED: 'BODY_MALFORMED',
  BODY_ABORTED: 'BODY_MALFORMED',
};

/** Answers every error of the store's API as `{code, msg, data: null}`; `code` is the HTTP status. */
@Catch()
export class StoreErrors implements ExceptionFilter {
  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const req = http.getRequest<StoreRequest>();
    const res = http.getResponse<ServerResponse>();
    const path = pathOf(req.url ?? '');
    const error = toStoreError(thrown, path);
    // The guard does not run for unknown paths.
    const locale = req.store?.locale ?? localeOfRequest(req);
    const { status, body, headers } = storeEnvelope.failure(toErrorResponse(error, locale, { path }));
    if (res.headersSent) return void res.destroy();
    await drain(req);
    sendBody(res, status, ENVELOPE_TYPE, JSON.stringify(body), { ...headers, ...closingHeaders(req) });
  }
}

/** Translates errors of shared code (bodies, rate limits, storage) into {@link StoreError}; other errors come back as they are. */
export function toStoreError(error: unknown, path: string): unknown {
  if (error instanceof BodyError) return new StoreError(BODY_ERRORS[error.code], error.params, { cause: error });
  if (error instanceof StaleForm) return new StoreError('FORM_STALE', { fields: Object.keys(error.fields!).join(', ') }, { cause: error });
  if (error instanceof RateLimited) return new StoreError('TOO_MANY_REQUESTS', error.params);
  if (error instanceof DatabaseBusy) return new StoreError('SERVER_BUSY', error.params);
  if (error instanceof HttpException && error.getStatus() === 404) return new StoreError('NOT_FOUND');
  if (error instanceof StorageError && error.code === 'UNAVAILABLE') {
    const id = newErrorId();
    log.error({ err: error, errorId: id, path }, 'packages cannot be reached');
    return new StoreError('STORAGE_AWAY', { id, seconds: STORAGE_SECONDS });
  }
  return error;
}
