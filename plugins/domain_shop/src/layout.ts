import { domainToUnicode } from 'node:url';

import { frame, type Frame } from '@svc/page-kit';
import { html, moneyText, type CallContext, type HttpReply, type NameZone, type SafeHtml, type SvcFacade } from '@svc/sdk';

/** Parts of a page besides its content. */
export interface PageOptions extends Pick<Frame, 'lookAgain' | 'problem' | 'wrong' | 'account' | 'signsIn' | 'at'> {
  readonly status?: number;
}

/** Renders a page of the shop. */
export function page(
  svc: SvcFacade,
  ctx: CallContext,
  title: string,
  content: SafeHtml,
  { status = 200, ...around }: PageOptions = {},
): HttpReply {
  const body = frame(ctx, title, content, {
    svc,
    style: 'shop.css',
    links: html`<a href="/domain">${ctx.t('shop_title')}</a><a href="/domain/mine">${ctx.t('my_names')}</a>`,
    ...around,
  });
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }, body };
}

/** Renders a page that asks the visitor to sign in. */
export function signInPage(svc: SvcFacade, ctx: CallContext, back: string): HttpReply {
  const next = encodeURIComponent(back);
  return page(
    svc,
    ctx,
    ctx.t('sign_in_first'),
    html`<p class="lead">${ctx.t('sign_in_text')}</p>
    <p><a class="button" href="/account/login?next=${next}">${ctx.t('sign_in_account')}</a> <a class="button plain"
      href="/user/login?next=${next}">${ctx.t('sign_in_host')}</a></p>`,
    { signsIn: true },
  );
}

/** Renders a "not found" page with a link to continue. */
export function nonePage(svc: SvcFacade, ctx: CallContext, title: string, text: string): HttpReply {
  const content = html`<p>${text}</p><p><a class="button" href="/domain">${ctx.t('back')}</a></p>`;
  return page(svc, ctx, title, content, { status: 404 });
}

/** Describes the price of a name in a zone. */
export function priceText(ctx: CallContext, { price, months }: Pick<NameZone, 'price' | 'months'>): string {
  if (price === 0) return ctx.t('free');
  return months === 0 ? ctx.t('price_once', { price: moneyText(price) }) : ctx.t('price_for', { price: moneyText(price), n: months });
}

/** Returns a name for display: in its own script, followed by its DNS form. */
export function shownName(name: string): string {
  const readable = domainToUnicode(name);
  return readable === '' || readable === name ? name : `${readable} (${name})`;
}
