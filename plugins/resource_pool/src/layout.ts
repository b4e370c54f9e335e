import { Inject, Injectable } from '@nestjs/common';
import { frame, type Frame } from '@svc/page-kit';
import { html, SVC_FACADE, type CallContext, type HttpReply, type SafeHtml, type SvcFacade } from '@svc/sdk';

import type { Pool } from './pools.js';

/** Parts of a page besides its content. */
export interface Shown extends Pick<Frame, 'problem' | 'wrong' | 'success' | 'at'> {
  /** The signed-in pool; null for a visitor. */
  readonly pool?: Pool | null;
  readonly status?: number;
}

/** Path of the sub-resellers' sign-in page. */
export const LOGIN = '/pool/login';

/** Layout of the sub-resellers' pages. */
@Injectable()
export class Layout {
  constructor(@Inject(SVC_FACADE) private readonly svc: SvcFacade) {}

  page(
    ctx: CallContext,
    title: string,
    content: SafeHtml,
    { pool = null, status = 200, problem, wrong, success, at }: Shown = {},
  ): HttpReply {
    const body = frame(ctx, title, content, {
      svc: this.svc,
      style: 'pool.css',
      scripts: ['captcha.js'],
      home: pool ? '/pool' : '/',
      label: ctx.t('site'),
      links: pool && html`<a href="/pool">${ctx.t('my_hosts')}</a><a href="/pool/password">${ctx.t('password')}</a>`,
      own: pool && html`<form method="post" action="/pool/logout" class="inline"><button>${ctx.t('sign_out')}</button></form>`,
      problem,
      wrong,
      at,
      account: pool?.username,
      signsIn: ctx.path === LOGIN,
      success,
      isListed: false,
    });
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' };
    return { status, headers, body };
  }
}
