import './texts.js';

import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { CrossSiteCheck, RateLimited } from '../auth/index.js';
import { AppError, PluginCallError, loggerFor, runInFrame, translate } from '../common/index.js';
import { DatabaseBusy } from '../database/index.js';
import { HookRegistry } from '../hooks/index.js';
import { BodyAdmission, closingHeaders } from '../http/index.js';
import {
  CallFactory,
  TEXT_TYPE,
  failureReply,
  sendBody,
  sendRateLimited,
  sendRedirect,
  type RequestContext,
  type MultipartLimits,
} from '../operations/index.js';
import type { Scope } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';

import { PageSender, localeOfHeaders } from './page-sender.js';

const log = loggerFor('web');

/** A page's own part: everything around it (identity, language, errors) is {@link WebEntry}'s. */
export type PageHandler = (call: RequestContext) => Promise<void>;

/** Where page requests enter. */
@Injectable()
export class WebEntry {
  constructor(
    private readonly calls: CallFactory,
    private readonly admission: BodyAdmission,
    private readonly crossSite: CrossSiteCheck,
    private readonly pages: PageSender,
    private readonly settings: SiteSettings,
    private readonly hooks: HookRegistry,
  ) {}

  /** Serves a page anybody may see. @param multipart limits of a multipart body, as {@link CallFactory.create} takes them */
  async open(
    req: IncomingMessage,
    res: ServerResponse,
    scope: Scope | 'public',
    handler: PageHandler,
    multipart?: MultipartLimits,
  ): Promise<void> {
    let call: RequestContext;
    try {
      call = await this.calls.create(req, scope, multipart);
    } catch (error) {
      this.admission.done(req);
      this.refuse(req, res, error);
      return;
    }
    try {
      if (this.pages.switchLanguage(res, call)) return;
      await handler(call);
    } catch (error) {
      if (error instanceof RateLimited) return sendRateLimited(req, res, error);
      if (error instanceof PluginCallError && !res.headersSent) return this.withoutPlugin(res, call, scope, error);
      log.error({ err: error, path: call.path }, 'page failed');
      if (res.headersSent) res.destroy();
      else if (error instanceof DatabaseBusy) await this.busy(res, call, scope, error).catch(() => res.destroy());
      else
        await this.pages
          .sendError(res, call, scope === 'public' ? 'home' : scope, 500, 'web.internal', 'web.internal_text')
          .catch(() => res.destroy());
    } finally {
      this.admission.done(req);
    }
  }

  /** Takes a form anybody may send, but only from this site. */
  form(req: IncomingMessage, res: ServerResponse, scope: Scope | 'public', handler: PageHandler): Promise<void> {
    return this.open(req, res, scope, async (call) => {
      if (!this.crossSite.refuses(req)) return handler(call);
      await this.pages.sendError(res, call, scope === 'public' ? 'home' : scope, 403, 'web.cross_site', 'web.cross_site_text');
    });
  }

  /** Serves a page of a side: who is not signed in goes to its login page, and users only come in while their side is open. */
  side(req: IncomingMessage, res: ServerResponse, scope: Scope, handler: PageHandler): Promise<void> {
    return this.open(req, res, scope, async (call) => {
      if (scope === 'user' && !this.settings.current.userPanelOpen) {
        await this.pages.send(res, call, 'user', 'closed', { contact: this.settings.current.contact || undefined }, { status: 503 });
      } else if (!(scope === 'admin' ? call.admin : call.user)) {
        sendRedirect(res, `/${scope}/login`);
      } else if (this.crossSite.refuses(req)) {
        await this.pages.sendError(res, call, scope, 403, 'web.cross_site', 'web.cross_site_text');
      } else {
        await runInFrame({ owner: 'core', call }, async () => this.hooks.doAction(`init.${scope}`));
        await handler(call);
      }
    });
  }

  /** A plugin did not answer, or is not asked for a while: says so, and when to come again. */
  private async withoutPlugin(
    res: ServerResponse,
    call: RequestContext,
    scope: Scope | 'public',
    { shape, params }: PluginCallError,
  ): Promise<void> {
    if (params.seconds !== undefined) res.setHeader('Retry-After', String(params.seconds));
    await this.pages.sendError(
      res,
      call,
      scope === 'public' ? 'home' : scope,
      shape.status ?? 503,
      'web.plugin_silent',
      shape.text,
      params,
    );
  }

  private busy(res: ServerResponse, call: RequestContext, scope: Scope | 'public', { shape, params }: DatabaseBusy): Promise<void> {
    res.setHeader('Retry-After', String(params.seconds));
    return this.pages.sendError(res, call, scope === 'public' ? 'home' : scope, 503, 'web.busy', shape.text, params);
  }

  private refuse(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    const locale = localeOfHeaders(req.headers['accept-language']);
    const { status, headers } = failureReply(error, locale);
    const text = error instanceof AppError ? translate(locale, error.shape.text, error.params) : translate(locale, 'web.internal_text');
    sendBody(res, status === 200 ? 400 : status, TEXT_TYPE, text, { ...headers, ...closingHeaders(req) });
  }
}
