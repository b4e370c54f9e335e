/** Scripts of every store page. Only conveniences depend on them: see docs/store-pages.md. */
import Alpine from '@alpinejs/csp';

import { start } from '../kit/alpine.js';
import { captchas } from '../kit/captcha.js';
import { restoreDrafts } from '../kit/drafts.js';
import '../kit/charts.js';
import '../kit/confirm.js';
import '../kit/list-focus.js';
import '../kit/page-notes.js';
import '../kit/secret.js';
import '../kit/times.js';
import '../kit/tools.js';
import '../store/forms.js';
import '../store/upload.js';
import '../store/zone.js';

/** HTML of htmx responses is the store's own, escaped or sanitized on the server; no other text may become HTML. */
const policy = window.trustedTypes?.createPolicy('htmx', { createHTML: (html: string) => html });
const refuse = (): never => {
  throw new Error('Text cannot be run as code on these pages.');
};
window.htmx.registerExtension('trusted-types', {
  init: (api: { initSecurity(...parts: unknown[]): void }) => api.initSecurity(policy, refuse, refuse),
});

captchas(async () => {
  const response = await fetch('/api/auth/captcha', { cache: 'no-store' });
  const svg = await response.text();
  if (!response.ok) throw new Error(svg);
  return `data:image/svg+xml;base64,${btoa(svg)}`;
});

/** Header menus: closed by a click elsewhere and by Esc. */
Alpine.data('menu', () => ({
  close(event: Event) {
    const menu = this.$root as HTMLDetailsElement;
    if (menu.open && event.type === 'keydown') menu.querySelector('summary')?.focus();
    menu.open = false;
  },
}));

/** The warning about a default password links to a form. */
function focusTarget(): void {
  const target = /^#[a-z-]+$/.test(location.hash) ? document.querySelector(location.hash) : null;
  target?.querySelector<HTMLElement>('input:not([type=hidden])')?.focus();
}
addEventListener('hashchange', focusTarget);
// Before that, the browser itself scrolls to the fragment and takes the focus away.
addEventListener('load', focusTarget);

start();
document.addEventListener('alpine:initialized', () => void restoreDrafts(Promise.resolve(), () => Alpine.nextTick()));
