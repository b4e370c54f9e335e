import { html } from '@svc/sdk';

/** A page that leads on by a form it sends by itself, and by a button where scripts are off. */
export function formPage(action: string, fields: Readonly<Record<string, string>>): string {
  const inputs = Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return String(html`<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
  <title>正在前往支付页面 · On to the payment</title></head>
<body><form method="post" action="${action}" accept-charset="utf-8">${inputs}<p>正在前往支付页面… On to the payment …</p><button>继续 Go on</button>
  </form>
<script>document.forms[0].submit()</script></body></html>`);
}
