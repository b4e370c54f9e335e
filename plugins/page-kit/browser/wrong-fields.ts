import { showErrors } from '../../../src/web/browser/kit/errors.js';

// What was refused of the form that was sent, by its fields, as `main` says it: it stands beside them, and the first has the focus.
const main = document.querySelector<HTMLElement>('main')!;
const wrong = JSON.parse(main.dataset.wrong ?? '{}') as object;
for (const form of main.querySelectorAll<HTMLFormElement>('form[method=post]')) {
  const { pathname } = new URL(form.getAttribute('action') ?? '', location.href);
  if (pathname === location.pathname && showErrors(form, wrong)) break;
}
