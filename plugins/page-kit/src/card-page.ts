import { html, type CallContext, type SafeHtml, type SvcFacade } from '@svc/sdk';

import { bodyAttributes, mainAttributes, scriptsFor, type KeptForms } from './kept-forms.js';
import { atFields } from './wrong-fields.js';

/** Parts of a {@link cardPage} around its content. */
export interface CardFrame extends KeptForms {
  /** Text key of the heading and the page title. */
  readonly titleKey: string;
  /**
   * The plugin whose assets the page uses: its stylesheet, and `appearance.js`, whose source imports `@svc/page-kit/browser/appearance`.
   */
  readonly svc: Pick<SvcFacade, 'site' | 'asset'>;
  /** The stylesheet, which imports plugins/page-kit/card.css. */
  readonly style: string;
  /** Text key of a badge above the heading. */
  readonly badgeKey?: string;
}

/** Renders a page that consists of one card. */
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

/** Link to the site's home page, for pages with nothing to show. */
export function siteLink({ site }: SvcFacade): SafeHtml {
  return html`<p><a href="/">${site.name()}</a></p>`;
}
