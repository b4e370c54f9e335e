/**
 * Forms of pages for somebody who signs in: the browser asks before they are left with changes, and what was typed while the session ended
 * is there again afterwards, on the page it was typed on, without passwords. What the kit keeps waits under the address of the page.
 */
import './address.js';
import './wrong-fields.js';
import { forgetDrafts, keepDrafts, restoreDrafts } from '../../../src/web/browser/kit/drafts.js';
import { said } from '../../../src/web/browser/kit/page.js';
import { storage } from '../../../src/web/browser/kit/storage.js';

/** In the tab: the last page asked somebody to sign in. */
const ASKED = 'svc-asked-to-sign-in';

const tab = storage('sessionStorage');
const main = document.querySelector('main')!;

if (said.account !== undefined) {
  for (const form of main.querySelectorAll<HTMLFormElement>('form[method=post]'))
    // The kit keeps forms that do something, and knows them by what they do.
    if (form.querySelector('label')) form.dataset.ajax = form.getAttribute('action') ?? location.pathname;
  // What was refused is as little saved as what is typed.
  const refused = main.dataset.wrong === undefined ? null : main.querySelector('[aria-invalid]');
  refused?.dispatchEvent(new Event('input', { bubbles: true }));
  // What is sent is no longer lost by leaving; where that leads to the sign-in, it comes back.
  main.addEventListener('submit', ({ target }) => {
    if ((target as HTMLElement).dataset.ajax !== undefined) keepDrafts();
  });
}

if (said.signIn !== undefined) tab?.setItem(ASKED, '1');
else {
  const wasAsked = tab?.getItem(ASKED) === '1';
  tab?.removeItem(ASKED);
  if (wasAsked) void restoreDrafts(Promise.resolve());
  else forgetDrafts();
}
