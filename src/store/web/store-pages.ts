import type { ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { CaptchaService, FailedSignIns } from '../../auth/index.js';
import { chooseLocale, isLocale, loggerFor } from '../../common/index.js';
import { cookiesOf, pathOf } from '../../http/index.js';
import { HTML_TYPE, sendBody, sendLocalRedirect, sendRedirect } from '../../operations/index.js';
import { StoreAccounts } from '../accounts/index.js';
import { type StoreCaller, StoreCallers } from '../call/index.js';
import { SESSION_COOKIE } from '../http/index.js';

import { pageAt } from './page-list.js';
import { pageHeaders } from './page-policy.js';
import { messagePage, pageShell, type Shell } from './page-shell.js';
import { StoreFiles } from './store-files.js';

const log = loggerFor('store');

/** A year, in seconds. */
const LANGUAGE_COOKIE_AGE = 365 * 24 * 3600;

/** Sends pages. They hold nothing of the store but the name of who is signed in; everything else their modules ask the API for. */
@Injectable()
export class StorePages {
  constructor(
    private readonly callers: StoreCallers,
    private readonly accounts: StoreAccounts,
    private readonly captchas: CaptchaService,
    private readonly failures: FailedSignIns,
    private readonly files: StoreFiles,
  ) {}

  /** Answers a `GET` or `HEAD` below `/store/`. */
  async serve(req: Request, res: ServerResponse): Promise<void> {
    try {
      await this.answer(req, res);
    } catch (error) {
      log.error({ err: error, path: addressOf(req).path }, 'a page of the store failed');
      if (res.headersSent) return void res.destroy();
      sendBody(res, 500, HTML_TYPE, messagePage('internal.title', 'internal.text', this.shellFor(req, null)), pageHeaders(false));
    }
  }

  private async answer(req: Request, res: ServerResponse): Promise<void> {
    const { path, query, search } = addressOf(req);
    if (await this.files.handle(req, res, path)) return;
    const page = pageAt(path);
    if (!page) return this.notFound(req, res);
    const language = query.get('lang');
    if (isLocale(language)) return switchLanguage(res, path, query, language);
    const shell = await this.shellOf(req);
    const { caller } = shell;
    if (page.audience !== 'everybody' && !caller) return sendRedirect(res, `/store/login?next=${encodeURIComponent(path + search)}`);
    if (page.audience === 'admin' && caller?.role !== 'admin') {
      return sendBody(res, 403, HTML_TYPE, messagePage('forbidden.title', 'forbidden.text', shell), pageHeaders(false));
    }
    const showsDescriptions = page.showsDescriptions ?? false;
    const warnings = {
      hasDefaultPassword: caller !== null && page.audience !== 'everybody' && (await this.accounts.hasDefaultPassword(caller.id)),
      failures: caller && (await this.failures.unseen('store', caller.id)),
    };
    sendBody(res, 200, HTML_TYPE, pageShell(page, shell, warnings), pageHeaders(showsDescriptions));
  }

  /** Says that there is nothing here. */
  async notFound(req: Request, res: ServerResponse): Promise<void> {
    sendBody(res, 404, HTML_TYPE, messagePage('not_found.title', 'not_found.text', await this.shellOf(req)), pageHeaders(false));
  }

  private async shellOf(req: Request): Promise<Shell> {
    // By cookie only: a token is for programs.
    return this.shellFor(req, await this.callers.find(cookiesOf(req.headers)[SESSION_COOKIE], undefined));
  }

  private shellFor(req: Request, caller: StoreCaller | null): Shell {
    const { path, search } = addressOf(req);
    return {
      locale: chooseLocale(cookiesOf(req.headers).lang, undefined, req.headers['accept-language']),
      base: this.files.base,
      caller,
      address: path + search,
      hasCaptcha: this.captchas.enabled,
    };
  }
}

function addressOf({ originalUrl }: Request): { path: string; search: string; query: URLSearchParams } {
  const path = pathOf(originalUrl);
  const search = originalUrl.slice(path.length);
  return { path, search, query: new URLSearchParams(search) };
}

/** `?lang=` on any page: keeps the choice, as the panel's pages do, and comes back without it. */
function switchLanguage(res: ServerResponse, path: string, query: URLSearchParams, language: string): void {
  query.delete('lang');
  const rest = query.toString();
  res.setHeader('Set-Cookie', `lang=${language}; Path=/; Max-Age=${LANGUAGE_COOKIE_AGE}; SameSite=Lax`);
  sendLocalRedirect(res, rest ? `${path}?${rest}` : path);
}
