import { Inject, Injectable } from '@nestjs/common';
import { frame } from '@svc/page-kit';
import { html, SVC_FACADE, type CallContext, type HttpReply, type SafeHtml, type SvcFacade } from '@svc/sdk';

import type { Pool } from './pools.js';

/** What stands on a page besides its content. */
export interface Shown {
  /** Whose page it is; null for a visitor. */
  readonly pool?: Pool | null;
  /** What was refused. */
  readonly problem?: string;
  /** What was refused of the fields of the form that was sent, by their names. */
  readonly wrong?: Readonly<Record<string, string>>;
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
    { pool = null, problem = '', wrong, success = '', status = 200 }: Shown = {},
  ): HttpReply {
    const body = frame(ctx, title, content, {
      svc: this.svc,
      style: 'pool.css',
      scripts: ['captcha.js', 'forms.js'],
      home: pool ? '/pool' : '/',
      label: ctx.t('site'),
      links: pool && html`<a href="/pool">${ctx.t('my_hosts')}</a><a href="/pool/password">${ctx.t('password')}</a>`,
      own: pool && html`<form method="post" action="/pool/logout" class="inline"><button>${ctx.t('sign_out')}</button></form>`,
      problem,
      wrong,
      account: pool?.username,
      signsIn: ctx.path === '/pool/login',
      success,
      isListed: false,
    });
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' };
    return { status, headers, body };
  }
}

/** Where somebody goes on, with cookies. */
export function onwards(location: string, cookies: readonly string[] = []): HttpReply {
  return { status: 303, headers: { Location: location, ...(cookies.length > 0 && { 'Set-Cookie': [...cookies] }) }, body: '' };
}
