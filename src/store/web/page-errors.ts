import type { ServerResponse } from 'node:http';

import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request } from 'express';

import { type Locale, loggerFor } from '../../common/index.js';
import { localeOfRequest, toErrorResponse } from '../../http/index.js';
import type { StoreRequest } from '../call/index.js';
import { StoreError, type StoreErrorCode } from '../errors.js';
import { toStoreError } from '../http/index.js';

import { pathOfReferer } from './page-request.js';
import { StorePageSender } from './store-page-sender.js';

const log = loggerFor('store');

/** Error pages by error code, as prefixes of their text keys. */
const MESSAGES: Partial<Record<StoreErrorCode, string>> = {
  ADMIN_REQUIRED: 'storePages.forbidden',
  CROSS_SITE: 'storePages.cross_site',
  NOT_FOUND: 'storePages.not_found',
  ITEM_NOT_FOUND: 'storePages.not_found',
  ITEM_NOT_YOURS: 'storePages.not_found',
};

/** Handles errors thrown by page guards and methods. */
@Catch()
export class PageErrors implements ExceptionFilter {
  constructor(private readonly pages: StorePageSender) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const req = http.getRequest<StoreRequest & Request>();
    const res = http.getResponse<ServerResponse>();
    if (res.headersSent) return void res.destroy();
    if (req.method === 'GET' && this.pages.switchLanguage(req, res)) return;
    const error = toStoreError(thrown, req.originalUrl);
    if (error instanceof StoreError && error.code === 'LOGIN_REQUIRED') return this.signIn(req, res);
    try {
      await this.sendError(error, req, res);
    } catch (failure) {
      log.error({ err: failure, path: req.originalUrl }, 'a page of the store failed');
      res.writeHead(500).end();
    }
  }

  private async sendError(error: unknown, req: StoreRequest & Request, res: ServerResponse): Promise<void> {
    const { status = 400, text, headers } = toErrorResponse(error, localeOf(req), { path: req.originalUrl });
    const known = error instanceof StoreError ? MESSAGES[error.code] : undefined;
    if (known) return this.pages.sendMessage(req, res, status, `${known}.title`, `${known}.text`);
    if (status === 500) return this.pages.sendMessage(req, res, 500, 'storePages.internal.title', 'storePages.internal.text');
    return this.pages.sendMessage(req, res, status, 'storePages.refused.title', text, headers);
  }

  /** Redirects to the login page and back; a form submission returns to its page and is not repeated. */
  private signIn(req: StoreRequest & Request, res: ServerResponse): void {
    const from = req.method === 'GET' ? req.originalUrl : (pathOfReferer(req.headers.referer) ?? '/store/');
    this.pages.redirect(req, res, `/store/login?next=${encodeURIComponent(from)}`);
  }
}

const localeOf = (req: StoreRequest): Locale => req.store?.locale ?? localeOfRequest(req);
