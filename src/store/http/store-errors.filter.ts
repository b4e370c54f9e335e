import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';

import { RateLimited } from '../../auth/index.js';
import { AppError, assertUnreachable, chooseLocale, loggerFor, translate, type TextParams } from '../../common/index.js';
import { DatabaseBusy } from '../../database/index.js';
import { BodyError, closingHeaders, drain } from '../../http/index.js';
import { StoreError, type StoreStatus } from '../errors.js';
import { StorageError } from '../packages/index.js';

import { cookiesOf } from './cookies.js';
import type { StoreRequest } from '../call/index.js';

const log = loggerFor('store');
/** When to try again while packages cannot be reached. */
const STORAGE_SECONDS = 30;

/** How an error is told. */
interface Told {
  readonly status: StoreStatus;
  readonly text: string;
  readonly params: TextParams;
}

/** Answers every error of the store's API as `{code, msg, data: null}`; `code` is the HTTP status. */
@Catch()
export class StoreErrors implements ExceptionFilter {
  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const req = http.getRequest<StoreRequest>();
    const res = http.getResponse<ServerResponse>();
    const { status, text, params } = tell(error, req.url ?? '');
    if (res.headersSent) return void res.destroy();
    await drain(req);
    // Of an address that is nobody's, no guard has looked at the request.
    const locale = req.store?.locale ?? chooseLocale(cookiesOf(req.headers.cookie).lang, undefined, req.headers['accept-language']);
    const body = JSON.stringify({ code: status, msg: translate(locale, text, params), data: null });
    res.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(typeof params.seconds === 'number' ? { 'Retry-After': String(params.seconds) } : {}),
      ...closingHeaders(req),
    });
    res.end(body);
  }
}

function tell(thrown: unknown, url: string): Told {
  const error = thrown instanceof BodyError ? ofBody(thrown) : thrown;
  if (error instanceof StoreError) return { status: error.status, text: error.text, params: error.params };
  if (error instanceof RateLimited) return tell(new StoreError('TOO_MANY_REQUESTS', error.params), url);
  if (error instanceof DatabaseBusy) return tell(new StoreError('SERVER_BUSY', error.params), url);
  // What a package, a picture or a text broke: their own rules say which, in their own words.
  if (error instanceof AppError) return { status: 400, text: error.shape.text, params: error.params };
  if (error instanceof HttpException && error.getStatus() === 404) return { status: 404, text: 'store.not_found', params: {} };
  const id = randomBytes(4).toString('hex');
  if (error instanceof StorageError && error.code === 'UNAVAILABLE') {
    log.error({ err: error, id, path: url.split('?')[0] }, 'packages cannot be reached');
    const away = new StoreError('STORAGE_AWAY', { id, seconds: STORAGE_SECONDS });
    return { status: away.status, text: away.text, params: away.params };
  }
  log.error({ err: error, id, path: url.split('?')[0] }, 'a request to the store failed');
  return { status: 500, text: 'store.internal', params: { id } };
}

/** A body that is refused, in the store's words. */
function ofBody(error: BodyError): StoreError {
  switch (error.code) {
    case 'BODY_TOO_LARGE':
      return new StoreError('BODY_TOO_LARGE', {}, undefined, { cause: error });
    case 'BODY_BUSY':
      return new StoreError('SERVER_BUSY', error.params, undefined, { cause: error });
    case 'BODY_MALFORMED':
    case 'BODY_ABORTED':
      return new StoreError('BODY_MALFORMED', {}, undefined, { cause: error });
    default:
      return assertUnreachable(error.code);
  }
}
