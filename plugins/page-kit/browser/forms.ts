/**
 * Forms people type into: the browser asks before they are left with changes, and what was typed while the session ended, or before signing
 * in, is there again afterwards, on the page it was typed on, without passwords. What the kit keeps waits under the address of the page.
 */
import './address.js';
import { forgetDrafts, keepDrafts, noteChanges, restoreDrafts } from '../../../src/web/browser/kit/drafts.js';
import { on, said } from '../../../src/web/browser/kit/page.js';
import { storage } from '../../../src/web/browser/kit/storage.js';

/** In the tab: the last page asked somebody to sign in. */
const ASKED = 'svc-asked-to-sign-in';
const TYPED = 'input:not([type=hidden]), select, textarea';

const tab = storage('sessionStorage');
const main = document.querySelector('main')!;
const pathOf = (form: HTMLFormElement): string => new URL(form.getAttribute('action') ?? '', location.href).pathname;

if (said.account !== undefined) {
  const forms = [...main.querySelectorAll<HTMLFormElement>('form[method=post]')].filter((form) => form.querySelector(TYPED));
  // The kit keeps forms that do something, and knows them by what they do.
  for (const form of forms) form.dataset.ajax = pathOf(form);
  // What was sent and stands here again is as little saved as what is typed.
  const sent = main.dataset.unsaved === undefined ? undefined : forms.find((form) => pathOf(form) === location.pathname);
  if (sent) noteChanges(sent);
  // What is sent is no longer lost by leaving, but other forms of the page are; where that leads to the sign-in, all of it comes back.
  main.addEventListener('submit', ({ target }) => {
    if (forms.includes(target as HTMLFormElement)) keepDrafts(target as Element);
  });
  // Neither is what stands here while somebody goes to sign in. In another tab he would find nothing of it.
  on('click', 'data-signs-in', (_link, event) => {
    const { ctrlKey, metaKey, shiftKey } = event as MouseEvent;
    if (!ctrlKey && !metaKey && !shiftKey) keepDrafts();
  });
}

const wasAsked = tab?.getItem(ASKED) === '1';
if (said.signIn !== undefined) tab?.setItem(ASKED, '1');
else if (!wasAsked) forgetDrafts();
// Who only went back waits for his sign-in still.
else if (said.account) {
  tab?.removeItem(ASKED);
  void restoreDrafts(Promise.resolve());
}
