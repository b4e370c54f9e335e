/**
 * Protects form input: the browser asks before leaving with unsaved changes, and input is restored after the session ended or after signing
 * in, without passwords. Drafts are stored under the URL of the page.
 */
import './address.js';
import { forgetDrafts, keepDrafts, noteChanges, restoreDrafts } from '../../../src/web/browser/kit/drafts.js';
import { on, pageData } from '../../../src/web/browser/kit/page.js';
import { storage } from '../../../src/web/browser/kit/storage.js';

/** Set in the tab's storage if the last page asked the visitor to sign in. */
const ASKED = 'svc-asked-to-sign-in';
const TYPED = 'input:not([type=hidden]), select, textarea';

const tab = storage('sessionStorage');
const main = document.querySelector('main')!;
const pathOf = (form: HTMLFormElement): string => new URL(form.getAttribute('action') ?? '', location.href).pathname;

if (pageData.account !== undefined) {
  const forms = [...main.querySelectorAll<HTMLFormElement>('form[method=post]')].filter((form) => form.querySelector(TYPED));
  // The kit tracks forms by their action.
  for (const form of forms) form.dataset.ajax = pathOf(form);
  // A rejected form shown again is as unsaved as typed input.
  const sent = main.dataset.unsaved === undefined ? undefined : forms.find((form) => pathOf(form) === location.pathname);
  if (sent) noteChanges(sent);
  // Submitting saves the submitted form, but not the page's other forms; if it leads to the sign-in, all of them are restored.
  main.addEventListener('submit', ({ target }) => {
    if (forms.includes(target as HTMLFormElement)) keepDrafts(target as Element);
  });
  // Also keeps drafts when the visitor follows the sign-in link. Not in a new tab, which would not find them.
  on('click', 'data-signs-in', (_link, event) => {
    const { ctrlKey, metaKey, shiftKey } = event as MouseEvent;
    if (!ctrlKey && !metaKey && !shiftKey) keepDrafts();
  });
}

const wasAsked = tab?.getItem(ASKED) === '1';
if (pageData.signIn !== undefined) tab?.setItem(ASKED, '1');
else if (!wasAsked) forgetDrafts();
// A visitor who only went back is still about to sign in.
else if (pageData.account) {
  tab?.removeItem(ASKED);
  void restoreDrafts(Promise.resolve());
}
