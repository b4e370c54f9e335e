import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';

import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { CaptchaService, FailedSignIns, type UnseenFailures } from '../../auth/index.js';
import { LOCALES, PROGRAM_ROOT, translate, type Locale } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import {
  closingHeaders,
  cookiesOf,
  inputFields,
  HTML_TYPE,
  localeOfRequest,
  pathOf,
  queryOf,
  sendBody,
  sendRedirect,
  switchLanguage,
} from '../../http/index.js';
import { OwnViews } from '../../theme/index.js';
import { StoreAccounts } from '../accounts/index.js';
import { type Answer, type StoreCaller, StoreCallers, type StoreRequest } from '../call/index.js';
import { SESSION_COOKIE } from '../http/index.js';

import { clockText, durationText } from './formats.js';
import { frameOf } from './frame.js';
import type { FormRedirect } from './form-results.js';
import { KIT_PARTIALS } from './kit-partials.js';
import { STORE_FORMS, STORE_PAGES, type DeclaredStoreForm, type StorePageDeclaration } from './page-declaration.js';
import { storePageHeaders } from './page-policy.js';
import type { Refusal } from './refusals.js';
import { readFlash, clearFlash, setFlash } from './flash-message.js';
import { StoreFiles } from './store-files.js';
import { PAGE_TEXTS } from './texts.js';

type PageReq = StoreRequest & Pick<Request, 'originalUrl'>;

/** Returns whether htmx sent the request, and handles the response itself. */
export function isFetched(req: IncomingMessage): boolean {
  return req.headers['hx-request'] === 'true';
}

/** Renders store views and sends them with the common headers. */
@Injectable()
export class StorePageSender {
  private readonly views: OwnViews;

  constructor(
    private readonly config: AppConfig,
    files: StoreFiles,
    private readonly callers: StoreCallers,
    private readonly accounts: StoreAccounts,
    private readonly captchas: CaptchaService,
    private readonly failures: FailedSignIns,
    @Inject(STORE_PAGES) private readonly list: readonly StorePageDeclaration[],
    @Inject(STORE_FORMS) forms: ReadonlyMap<string, DeclaredStoreForm>,
  ) {
    this.views = new OwnViews({
      folder: join(PROGRAM_ROOT, 'store/web/views'),
      name: 'store',
      partials: KIT_PARTIALS,
      texts: PAGE_TEXTS,
      inputOf: (path) => {
        const form = forms.get(path);
        return form && (form.input ? inputFields(form.input) : null);
      },
      asset: (name) => (files.names.includes(name) ? files.base + name : null),
      timezone: config.timezone,
    });
  }

  /**
   * Sends a page: its view in the frame, with warnings for the signed-in user.
   *
   * @param address address of the page, if different from the request's
   */
  async send(
    req: PageReq,
    res: ServerResponse,
    page: StorePageDeclaration,
    vars: object,
    { status = 200, address = req.originalUrl } = {},
  ): Promise<void> {
    const { caller } = req.store!;
    const isForWork = page.needs !== undefined;
    const [hasDefaultPassword, failures] = caller
      ? await Promise.all([isForWork && this.accounts.hasDefaultPassword(caller.id), this.failures.unseen('store', caller.id)])
      : [false, null];
    const warnings = { has_default_password: hasDefaultPassword, failures: failures && failuresText(failures, req.store!.locale) };
    await this.render(
      req,
      res,
      page.view,
      { title: translate(req.store!.locale, `storePages.${page.title}`), warnings, ...vars },
      { status, address, page },
    );
  }

  /** Sends a message page, for errors. @param title text key; `text` is a key or already translated */
  async sendMessage(req: PageReq, res: ServerResponse, status: number, title: string, text: string, headers = {}): Promise<void> {
    const { locale } = await this.readerOf(req);
    const say = (key: string): string => translate(locale, key);
    for (const [name, value] of Object.entries({ ...headers, ...closingHeaders(req) })) res.setHeader(name, String(value));
    await this.render(req, res, 'message', { title: say(title), text: say(text) }, { status });
  }

  /** Sends the fragment with a form's error. */
  async sendProblem(req: PageReq, res: ServerResponse, problem: Refusal): Promise<void> {
    const html = await this.views.render('refused', { problem: this.problemView(problem, req.store!.locale) }, req.store!.locale);
    sendBody(res, problem.status, HTML_TYPE, html, { ...storePageHeaders(false, true), ...problem.headers, ...closingHeaders(req) });
  }

  /** Sends a fragment of a page. */
  async sendFragment(req: PageReq, res: ServerResponse, view: string, vars: object): Promise<void> {
    sendBody(res, 200, HTML_TYPE, await this.views.render(view, vars, req.store!.locale), storePageHeaders(true, true));
  }

  /** Redirects after a successful form; the next page shows the message. */
  redirectAfter(req: PageReq, res: ServerResponse, { to, text, params }: FormRedirect): void {
    res.appendHeader('Set-Cookie', setFlash(text, params, req.store!.secure));
    this.redirect(req, res, to, 303);
  }

  /** Redirects; a script that requested a fragment navigates the whole page. @param to path on this site */
  redirect(req: IncomingMessage, res: ServerResponse, to: string, status = 302): void {
    if (isFetched(req)) sendBody(res, 200, HTML_TYPE, '', { 'HX-Redirect': to });
    else sendRedirect(res, to, status);
  }

  /** Translates the message of a response. */
  messageOf(req: StoreRequest, { text, params }: Answer): string {
    return translate(req.store!.locale, text, params);
  }

  /** Handles `?lang=` on any page: stores the choice as the panel does and redirects to the page without it. Returns true if handled. */
  switchLanguage(req: PageReq, res: ServerResponse): boolean {
    return switchLanguage(res, pathOf(req.originalUrl), new URLSearchParams(queryOf(req.originalUrl)));
  }

  /** Returns the reader of a page, even if the guard did not run; in that case by cookie only, because tokens are for programs. */
  private async readerOf(req: StoreRequest): Promise<{ caller: StoreCaller | null; locale: Locale }> {
    if (req.store) return req.store;
    const cookies = cookiesOf(req.headers);
    const locale = localeOfRequest(req, undefined, cookies);
    return { caller: await this.callers.find(cookies[SESSION_COOKIE], undefined), locale };
  }

  private async render(
    req: PageReq,
    res: ServerResponse,
    view: string,
    vars: Readonly<Record<string, unknown>> & { readonly problem?: Refusal },
    { status, address = req.originalUrl, page }: { status: number; address?: string; page?: StorePageDeclaration },
  ): Promise<void> {
    const { caller, locale } = await this.readerOf(req);
    const flash = readFlash(cookiesOf(req.headers), locale);
    const html = await this.views.render(
      view,
      {
        ...frameOf(page, this.list, { caller, address }),
        said: flash,
        captcha: this.captchas.enabled && this.captchaField(locale, vars.problem),
        languages: LOCALES.filter((other) => other !== locale),
        ...vars,
        ...(vars.problem ? { problem: this.problemView(vars.problem, locale) } : {}),
      },
      locale,
    );
    if (flash) res.appendHeader('Set-Cookie', clearFlash(req.store?.secure ?? false));
    sendBody(res, status, HTML_TYPE, html, storePageHeaders(page?.showsDescriptions ?? false, caller !== null));
  }

  /** Data of the partial `captcha_field`: the picture works without scripts, but proof of work needs one. */
  private captchaField(locale: Locale, problem: Refusal | undefined): object {
    const say = (key: string): string => translate(locale, `storePages.captcha.${key}`);
    return {
      name: 'captcha',
      length: 4,
      required: true,
      wrong: problem?.field === 'captcha',
      picture: '/api/auth/captcha',
      hint: say('hint'),
      needs_script: this.config.captchaWork > 0 ? say('needs_script') : '',
    };
  }

  /** View data of a rejection, with the time of the next attempt if the wait is long. */
  private problemView(problem: Refusal, locale: Locale): object {
    const seconds = Number(problem.headers['Retry-After'] ?? 0);
    const at = new Date(Date.now() + seconds * 1_000);
    return {
      ...problem,
      again: seconds > LONG_WAIT ? { duration: durationText(locale, seconds), at, clock: clockText(locale, at) } : null,
    };
  }
}

/** Wait in seconds above which the time of day is also shown. */
const LONG_WAIT = 90;

function failuresText({ failures, networks, since }: UnseenFailures, locale: Locale): string {
  const key = networks > 1 ? 'failures.banner' : failures > 1 ? 'failures.banner_here' : 'failures.banner_one';
  return translate(locale, `storePages.${key}`, { failures, networks, since: since.toISOString().slice(0, 16).replace('T', ' ') });
}
