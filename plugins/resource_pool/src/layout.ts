import { Inject, Injectable } from '@nestjs/common';
import { html, SVC_FACADE, type CallContext, type HttpReply, type SafeHtml, type SvcFacade } from '@svc/sdk';

import type { Pool } from './pools.js';

/** What stands on a page besides its content. */
export interface Shown {
  /** Whose page it is; null for a visitor. */
  readonly pool?: Pool | null;
  /** What was refused. */
  readonly problem?: string;
  /** What was done. */
  readonly success?: string;
  readonly status?: number;
}

/** The frame of the pages of sub-resellers. */
@Injectable()
export class Layout {
  constructor(@Inject(SVC_FACADE) private readonly svc: SvcFacade) {}

  page(
    ctx: CallContext,
    title: string,
    content: SafeHtml,
    { pool = null, problem = '', success = '', status = 200 }: Shown = {},
  ): HttpReply {
    const { site } = this.svc;
    const { lang: _lang, ...query } = ctx.query;
    const language = `?${new URLSearchParams({ ...query, lang: ctx.t('other_language') }).toString()}`;
    const body = String(html`<!doctype html>
<html lang="${ctx.locale}">
<head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
  <title>${title} · ${site.name()}</title>
  <link rel="stylesheet" href="/app_plugins/resource_pool/pool.css">
  <script src="/app_plugins/resource_pool/appearance.js"></script>
  <script src="/app_plugins/resource_pool/captcha.js" defer></script>
</head>
<body>
  <header><a href="${pool ? '/pool' : '/'}">${site.name()}</a><nav aria-label="${ctx.t('site')}">
    ${pool ? html`<a href="/pool">${ctx.t('my_hosts')}</a><a href="/pool/password">${ctx.t('password')}</a>` : ''}
    <a href="${language}" hreflang="${ctx.t('other_language')}" lang="${ctx.t('other_language')}">${ctx.t('other_language_name')}</a><button
      type="button" data-appearance aria-label="${ctx.t('appearance')}" title="${ctx.t('appearance')}">◐</button>
    ${pool ? html`<form method="post" action="/pool/logout" class="inline"><button>${ctx.t('sign_out')}</button></form>` : ''}
  </nav></header>
  <main><h1>${title}</h1>${problem === '' ? '' : html`<p class="alert" role="alert">${problem}</p>`}${
    success === '' ? '' : html`<p class="success" role="status">${success}</p>`
  }${content}</main>
</body>
</html>`);
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' };
    return { status, headers, body };
  }
}

/** Where somebody goes on, with cookies. */
export function onwards(location: string, cookies: readonly string[] = []): HttpReply {
  return { status: 303, headers: { Location: location, ...(cookies.length > 0 && { 'Set-Cookie': [...cookies] }) }, body: '' };
}
