import { html, type CallContext, type SafeHtml, type SvcFacade } from '@svc/sdk';

import { bodyAttributes, mainAttributes, scriptsFor, type KeptForms } from './kept-forms.js';
import { lookAgainAttributes } from './look-again.js';
import { atFields } from './wrong-fields.js';

/** Parts of a {@link frame} around its content. */
export interface Frame extends KeptForms {
  /** The plugin whose assets the page loads: `appearance.js`, and the files named here. */
  readonly svc: Pick<SvcFacade, 'site' | 'asset'>;
  /** The stylesheet, which imports plugins/page-kit/page.css. */
  readonly style: string;
  /** Further script files. */
  readonly scripts?: readonly string[];
  /** Link target of the site's name. */
  readonly home?: string;
  /** Accessible label of the header's navigation. */
  readonly label?: string;
  /** Header links: `links` before those for language and appearance, `own` after them. */
  readonly links?: SafeHtml | null;
  readonly own?: SafeHtml | null;
  /** Content between header and main. */
  readonly tabs?: SafeHtml | null;
  /** Query parameters kept when the language is switched; all by default. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Error message above the content. */
  readonly problem?: string;
  /** Poll interval in seconds for the script `look-again.js`; 0: none. */
  readonly lookAgain?: number;
  /** Whether search engines may index the page. */
  readonly isListed?: boolean;
}

/** Renders a stand-alone page for visitors. The plugin provides the texts `other_language`, `other_language_name` and `appearance`. */
export function frame(ctx: CallContext, title: string, content: SafeHtml, around: Frame): string {
  const { t, locale } = ctx;
  const { svc, lookAgain = 0, links = '', own = '', tabs = '', problem = '', success = '', home = '/', isListed = true } = around;
  const name = svc.site.name();
  const logo = svc.site.logo();
  const mark = logo && html`<img class="logo" src="${logo}" alt="">`;
  const icon = svc.site.icon();
  const scripts = [...(around.scripts ?? []), ...scriptsFor(around), ...(lookAgain > 0 ? ['look-again.js'] : [])];
  const { lang: _lang, ...kept } = around.kept ?? ctx.query;
  const language = `?${new URLSearchParams({ ...kept, lang: t('other_language') }).toString()}`;
  return String(html`<!doctype html>
<html lang="${locale}">
<head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${
    isListed ? '' : html`<meta name="robots" content="noindex">`
  }
  <title>${title} · ${name}</title>${icon && html`<link rel="icon" href="${icon}">`}
  <link rel="stylesheet" href="${svc.asset(around.style)}">
  <script src="${svc.asset('appearance.js')}"></script>
  ${scripts.map((file) => html`<script src="${svc.asset(file)}" defer></script>`)}
</head>
<body${bodyAttributes(ctx, around)}>
  <header><a href="${home}">${mark}${name}</a><nav${around.label ? html` aria-label="${around.label}"` : ''}>${links}
    <a href="${language}" hreflang="${t('other_language')}" lang="${t('other_language')}">${t('other_language_name')}</a><button
      type="button" data-appearance aria-label="${t('appearance')}" title="${t('appearance')}">◐</button>${own}</nav></header>
  ${tabs}
  <main${lookAgainAttributes(lookAgain)}${mainAttributes(ctx, around)}><h1>${title}</h1>${
    problem && html`<p class="alert" role="alert">${problem}</p>`
  }${success && html`<p class="success" role="status">${success}</p>`}${atFields(content, ctx.path, around.wrong ?? {})}</main>
</body>
</html>`);
}
