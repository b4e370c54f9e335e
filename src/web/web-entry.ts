import type { IncomingMessage, ServerResponse } from 'node:http';

import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';

import { CrossSiteCheck, RateLimited, loginAddress } from '../auth/index.js';
import { CORE_OWNER, AppError, PluginCallError, loggerFor, runInFrame, translate } from '../common/index.js';
import { DatabaseBusy } from '../database/index.js';
import { HookRegistry } from '../hooks/index.js';
import { closingHeaders, failureReply, type MultipartLimits, sendBody, sendRateLimited, sendRedirect, TEXT_TYPE } from '../http/index.js';
import { AuthFailure, CallFactory, OperationError, UserPanelSwitch, type RequestContext } from '../operations/index.js';
import type { Scope } from '../sdk/index.js';
import type { ThemeSide } from '../theme/index.js';

import { PageSender } from './page-sender.js';

const log = loggerFor('web');

/** Handles a page; everything around it (identity, language, errors) is done by {@link WebEntry}. */
export type PageHandler = (call: RequestContext) => Promise<void>;

/** Entry point of page requests: identity, language switch, cross-site check, then the page's handler. */
@Injectable()
export class WebEntry {
  constructor(
    private readonly calls: CallFactory,
    private readonly crossSite: CrossSiteCheck,
    private readonly pages: PageSender,
    private readonly userPanel: UserPanelSwitch,
    private readonly hooks: HookRegistry,
  ) {}

  /** Serves a public page. @param multipart limits of a multipart body, as in {@link CallFactory.create} */
  async open(
    req: IncomingMessage,
    res: ServerResponse,
    scope: Scope | 'public',
    handler: PageHandler,
    multipart?: MultipartLimits,
  ): Promise<void> {
    try {
      const call = await this.calls.of(req, res, scope, multipart);
      if (!this.pages.switchLanguage(res, call)) await handler(call);
    } catch (error) {
      await this.fail(req, res, error);
    }
  }

  /** Accepts a public form, but only from this site. */
  form(req: IncomingMessage, res: ServerResponse, scope: Scope | 'public', handler: PageHandler): Promise<void> {
    return this.open(req, res, scope, async (call) => {
      if (!this.crossSite.rejects(req)) return handler(call);
      await this.pages.sendError(res, call, sideOf(call), 403, 'web.cross_site', 'web.cross_site_text');
    });
  }

  /** Serves a page of a side after its guard has passed. */
  side(req: IncomingMessage, res: ServerResponse, scope: Scope, handler: PageHandler): Promise<void> {
    return this.form(req, res, scope, async (call) => {
      await runInFrame({ owner: CORE_OWNER, call }, async () => {
        await this.hooks.doAction(`init.${scope}`);
        await handler(call);
      });
    });
  }

  /** Handles a failed page request: redirects to the login page if sign-in is required, otherwise shows the error. */
  async fail(req: IncomingMessage, res: ServerResponse, error: unknown): Promise<void> {
    const call = this.calls.known(req);
    if (error instanceof RateLimited) return sendRateLimited(req, res, error, this.calls.localeOf(req));
    if (!call) return this.refuse(req, res, error);
    if (error instanceof AuthFailure) return this.signIn(req, res, call);
    if (error instanceof OperationError && error.code === 'SECOND_FACTOR_FIRST') return sendRedirect(res, `/${call.scope}/security`);
    if (res.headersSent) {
      log.error({ err: error, path: call.path }, 'page failed');
      res.destroy();
      return;
    }
    await this.sendFailure(res, call, error).catch((problem: unknown) => {
      // The error page itself needs a view, which may fail, too.
      log.error({ err: problem, path: call.path }, 'the error page could not be rendered');
      if (res.headersSent) res.destroy();
      else sendBody(res, 500, TEXT_TYPE, translate(call.locale, 'web.internal_text'));
    });
  }

  private signIn(req: IncomingMessage, res: ServerResponse, call: RequestContext): void {
    if (this.pages.switchLanguage(res, call)) return;
    const login = loginAddress(call.scope === 'admin' ? 'admin' : 'user', call.method === 'GET' ? req.url : undefined);
    // htmx would follow a redirect and insert the login page: HX-Redirect navigates the whole page.
    if (req.headers['hx-request'] === 'true') sendBody(res, 200, TEXT_TYPE, '', { 'HX-Redirect': login });
    else sendRedirect(res, login);
  }

  private async sendFailure(res: ServerResponse, call: RequestContext, error: unknown): Promise<void> {
    if (error instanceof OperationError && error.code === 'USER_PANEL_CLOSED') {
      return this.pages.send(res, call, 'user', 'closed', { contact: this.userPanel.contact || undefined }, { status: 503 });
    }
    if (error instanceof OperationError && error.code === 'NOT_ALLOWED') {
      return this.pages.sendError(res, call, sideOf(call), 403, 'web.not_allowed', error.shape.text);
    }
    if (error instanceof PluginCallError) return this.withoutPlugin(res, call, error);
    log.error({ err: error, path: call.path }, 'page failed');
    if (error instanceof DatabaseBusy) return this.busy(res, call, error);
    await this.pages.sendError(res, call, sideOf(call), 500, 'web.internal', 'web.internal_text');
  }

  /** Reports that a plugin did not respond or is paused, and when to retry. */
  private async withoutPlugin(res: ServerResponse, call: RequestContext, { shape, params }: PluginCallError): Promise<void> {
    if (params.seconds !== undefined) res.setHeader('Retry-After', String(params.seconds));
    await this.pages.sendError(res, call, sideOf(call), shape.status ?? 503, 'web.plugin_silent', shape.text, params);
  }

  private busy(res: ServerResponse, call: RequestContext, { shape, params }: DatabaseBusy): Promise<void> {
    res.setHeader('Retry-After', String(params.seconds));
    return this.pages.sendError(res, call, sideOf(call), 503, 'web.busy', shape.text, params);
  }

  private refuse(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    const locale = this.calls.localeOf(req);
    const { status, headers } = failureReply(error, locale);
    const text = error instanceof AppError ? translate(locale, error.shape.text, error.params) : translate(locale, 'web.internal_text');
    sendBody(res, status === 200 ? 400 : status, TEXT_TYPE, text, { ...headers, ...closingHeaders(req) });
  }
}

function sideOf({ scope }: RequestContext): ThemeSide {
  return scope === 'public' ? 'home' : scope;
}

/** Handles errors of the guards and handlers of pages. */
@Catch()
export class PageFilter implements ExceptionFilter {
  constructor(private readonly entry: WebEntry) {}

  catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    return this.entry.fail(http.getRequest<IncomingMessage>(), http.getResponse<ServerResponse>(), error);
  }
}
