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

/** What stands on a page besides its content. */
export interface Shown {
  /** Whose pages they are; null for a visitor. */
  readonly customer?: CustomerRecord | null;
  /** What was refused. */
  readonly problem?: string;
  /** What was refused of the fields, by their names. */
  readonly wrong?: AccountRefusal['fields'];
  readonly status?: number;
  readonly cookies?: readonly string[];
}

/** Where customers sign in. */
const LOGIN = '/account/login';
/** Where they are then, if nothing else is said. */
export const HOME = '/account';

const PLACES = ['', '/orders', '/notices', '/profile', '/password', '/security'] as const;

/** The frame of the account pages, in the look of the shop. */
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

  /** Says one thing, and where it goes on. */
  notice(ctx: CallContext, title: string, text: string, next: { href: string; label: string }, shown: Shown = {}): HttpReply {
    return this.page(ctx, title, html`<p>${text}</p><p><a class="button" href="${next.href}">${next.label}</a></p>`, shown);
  }

  /** The field of a captcha, where one is asked for. */
  captcha(ctx: CallContext, wanted: boolean): SafeHtml | '' {
    return wanted ? captchaField(ctx) : '';
  }

  private tabs(ctx: CallContext): SafeHtml {
    return html`<nav class="tabs" aria-label="${ctx.t('account')}">${PLACES.map((place) => {
      const isHere = ctx.path === `/account${place}`;
      return html`<a href="/account${place}" ${isHere ? html`aria-current="page"` : ''}>${ctx.t(`tab${place.replace('/', '_')}`)}</a>`;
    })}</nav>`;
  }

  /** The query a page keeps in the other language. */
  private kept({ query }: CallContext): Record<string, string> {
    return Object.fromEntries(['t', 'next', 'page'].flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  }
}

/** What a page shows of what was refused. */
export function refusedBy({ field, fields, message, status }: AccountRefusal): Shown {
  return { problem: message, wrong: fields ?? (field ? { [field]: message } : {}), status: status === 429 ? 429 : 422 };
}

/** Where it goes on after signing in; the account where nothing is said. */
export const afterSignIn = (ctx: CallContext, cookies: readonly string[] = []): HttpReply =>
  onwards(nextOf(ctx.body.next ?? ctx.query.next, HOME), cookies);

/** Leads to the sign-in, and from there back. */
export const leadToSignIn = (ctx: CallContext): HttpReply => toSignIn(ctx, LOGIN, HOME);
