import { Inject, Injectable } from '@nestjs/common';
import { captchaField, frame, nextOf, onwards, toSignIn } from '@svc/page-kit';
import {
  SVC_FACADE,
  html,
  type CallContext,
  type CustomerRecord,
  type AccountRefusal,
  type HttpReply,
  type SafeHtml,
  type SvcFacade,
} from '@svc/sdk';

/** Parts of a page besides its content. */
export interface Shown {
  /** The signed-in customer; null for a visitor. */
  readonly customer?: CustomerRecord | null;
  /** Error message. */
  readonly problem?: string;
  /** Error messages by field. */
  readonly wrong?: AccountRefusal['fields'];
  readonly status?: number;
  readonly cookies?: readonly string[];
}

/** Path of the customers' sign-in page. */
const LOGIN = '/account/login';
/** Default path after signing in. */
export const HOME = '/account';

const PLACES = ['', '/orders', '/notices', '/profile', '/password', '/security'] as const;

/** Layout of the account pages, matching the shop's. */
@Injectable()
export class Layout {
  constructor(@Inject(SVC_FACADE) private readonly svc: SvcFacade) {}

  page(
    ctx: CallContext,
    title: string,
    content: SafeHtml,
    { customer = null, problem = '', wrong, status = 200, cookies = [] }: Shown = {},
  ): HttpReply {
    const body = frame(ctx, title, content, {
      svc: this.svc,
      style: 'account.css',
      scripts: ['captcha.js'],
      label: ctx.t('site'),
      own: customer
        ? html`<form method="post" action="/account/logout" class="inline"><button>${ctx.t('sign_out')}</button></form>`
        : html`<a href="/account/login">${ctx.t('sign_in')}</a>`,
      tabs: customer && this.tabs(ctx),
      kept: this.kept(ctx),
      problem,
      wrong,
      account: customer?.username,
      signsIn: ctx.path === LOGIN,
      isListed: false,
    });
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      ...(cookies.length > 0 && { 'Set-Cookie': [...cookies] }),
    };
    return { status, headers, body };
  }

  /** Renders a page with a single message and a link to continue. */
  notice(ctx: CallContext, title: string, text: string, next: { href: string; label: string }, shown: Shown = {}): HttpReply {
    return this.page(ctx, title, html`<p>${text}</p><p><a class="button" href="${next.href}">${next.label}</a></p>`, shown);
  }

  /** Returns the captcha field, if a captcha is required. */
  captcha(ctx: CallContext, wanted: boolean): SafeHtml | '' {
    return wanted ? captchaField(ctx) : '';
  }

  private tabs(ctx: CallContext): SafeHtml {
    return html`<nav class="tabs" aria-label="${ctx.t('account')}">${PLACES.map((place) => {
      const isHere = ctx.path === `/account${place}`;
      return html`<a href="/account${place}" ${isHere ? html`aria-current="page"` : ''}>${ctx.t(`tab${place.replace('/', '_')}`)}</a>`;
    })}</nav>`;
  }

  /** Query parameters kept when the language is switched. */
  private kept({ query }: CallContext): Record<string, string> {
    return Object.fromEntries(['t', 'next', 'page'].flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  }
}

/** Converts a rejected form for display. */
export function refusedBy({ field, fields, message, status }: AccountRefusal): Shown {
  return { problem: message, wrong: fields ?? (field ? { [field]: message } : {}), status: status === 429 ? 429 : 422 };
}

/** Redirects after signing in; to the account by default. */
export const afterSignIn = (ctx: CallContext, cookies: readonly string[] = []): HttpReply =>
  onwards(nextOf(ctx.body.next ?? ctx.query.next, HOME), cookies);

/** Redirects to the sign-in page, which leads back. */
export const leadToSignIn = (ctx: CallContext): HttpReply => toSignIn(ctx, LOGIN, HOME);
