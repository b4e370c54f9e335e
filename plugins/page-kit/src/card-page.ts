import { html, type CallContext, type SafeHtml, type SvcFacade } from '@svc/sdk';

import { bodyAttributes, mainAttributes, scriptsFor, type KeptForms } from './kept-forms.js';
import { atFields } from './wrong-fields.js';

/** What is around the content of a {@link cardPage}. */
export interface CardFrame extends KeptForms {
  /** Key of the heading and of the tab. */
  readonly titleKey: string;
  /** The plugin whose assets the page uses: its style, and `appearance.js`, whose source imports `@svc/page-kit/browser/appearance`. */
  readonly svc: Pick<SvcFacade, 'site' | 'asset'>;
  /** File of the style, which imports plugins/page-kit/card.css. */
  readonly style: string;
  /** Key of what stands above the heading. */
  readonly badgeKey?: string;
}

/** A page that is one card. */
export function cardPage(ctx: CallContext, around: CardFrame, content: SafeHtml): string {
  const { titleKey, svc, style, badgeKey } = around;
  const title = ctx.t(titleKey);
  const icon = svc.site.icon();
  const badge = badgeKey ? html`<p class="badge">${ctx.t(badgeKey)}</p>` : '';
  return String(html`<!doctype html>
<html lang="${ctx.locale}">
<head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · ${svc.site.name()}</title>${icon && html`<link rel="icon" href="${icon}">`}
  <link rel="stylesheet" href="${svc.asset(style)}">
  <script src="${svc.asset('appearance.js')}"></script>
  ${scriptsFor(around).map((file) => html`<script src="${svc.asset(file)}" defer></script>`)}
</head>
<body${bodyAttributes(ctx, around)}>
<main${mainAttributes(ctx, around)}>${badge}<h1>${title}</h1>${atFields(content, ctx.path, around.wrong ?? {})}</main></body>
</html>`);
}

/** Where to go from a page that has nothing to show: the first page of the site. */
export function siteLink({ site }: SvcFacade): SafeHtml {
  return html`<p><a href="/">${site.name()}</a></p>`;
}
