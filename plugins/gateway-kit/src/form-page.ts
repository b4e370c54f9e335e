import { html, type SvcFacade } from '@svc/sdk';

import { say } from './words.js';

/**
 * Renders a page that submits a form automatically, with a button in case scripts are disabled.
 *
 * @param svc of the plugin, whose asset `send-form.js` is `@svc/page-kit/browser/send-form`
 * @param locale of the buyer
 */
export function formPage(
  svc: Pick<SvcFacade, 'asset'>,
  action: string,
  fields: Readonly<Record<string, string>>,
  locale = 'zh-CN',
): string {
  const inputs = Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const title = say(locale, 'leading_on');
  return String(html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body><form method="post" action="${action}" accept-charset="utf-8">${inputs}<p>${title}</p><button>${say(locale, 'go_on')}</button></form>
<script src="${svc.asset('send-form.js')}"></script></body></html>`);
}
