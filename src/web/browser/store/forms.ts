/** Forms and lists that use htmx: errors are shown in place, and input is kept. */
import { forgetDrafts, isSaved, keepDrafts } from '../kit/drafts.js';
import { clearErrors, markField } from '../kit/errors.js';
import { detailOf } from '../kit/htmx.js';
import { element, on, text } from '../kit/page.js';

/** Creates an error message. */
export function notice(...words: (Node | string)[]): HTMLElement {
  const note = element('div', 'alert alert-danger', ...words);
  note.setAttribute('role', 'alert');
  return note;
}

// Empty fields are left out of URLs; a form with `data-only` sends one field for a preliminary check.
document.addEventListener('htmx:config:request', (event) => {
  const { request, sourceElement } = detailOf(event).ctx;
  const { only } = sourceElement.dataset;
  for (const [name, value] of [...(request.body ?? [])])
    if (only ? name !== only : request.method === 'GET' && String(value).trim() === '') request.body.delete(name);
});

document.addEventListener('htmx:before:request', (event) => {
  const form = detailOf(event).ctx.sourceElement.closest('form');
  form?.querySelector('[data-problem]')?.replaceChildren();
  if (form) clearErrors(form);
});

document.addEventListener('htmx:after:swap', (event) => {
  const form = detailOf(event).ctx.sourceElement.closest('form');
  const problem = form?.querySelector<HTMLElement>('[data-problem] [role=alert]');
  if (form && problem) showProblem(form, problem);
  else document.querySelector<HTMLElement>('[data-fresh]')?.focus();
});

/** Marks the invalid fields. If the form was saved by somebody else meanwhile, the next save is compared with the current version. */
function showProblem(form: HTMLFormElement, problem: HTMLElement): void {
  const reported = [problem, ...problem.querySelectorAll<HTMLElement>('[data-field]')];
  const wrong = reported.map(({ dataset }) => markField(form, dataset.field ?? '')).find((field) => field !== null);
  const version = form.elements.namedItem('row_version');
  if (problem.dataset.rowVersion && version instanceof HTMLInputElement) version.value = problem.dataset.rowVersion;
  (wrong ?? problem).focus();
}

// If a part cannot be loaded, keeps the old content and shows an error.
document.addEventListener('htmx:error', (event) => {
  const { sourceElement, request } = detailOf(event).ctx;
  const place = sourceElement.querySelector('[data-problem]');
  if (place) return place.replaceChildren(notice(text('offline')));
  const retry = element('a', 'btn btn-sm ms-2', text('again'));
  retry.setAttribute('role', 'button');
  retry.href = request.action;
  document.getElementById('list')?.prepend(notice(text('offline'), retry));
});

// A redirect to the login page means that the session has ended: store the input. Any other redirect means success.
document.addEventListener('htmx:before:response', (event) => {
  const { response, sourceElement } = detailOf(event).ctx;
  const next = response.raw.headers.get('HX-Redirect');
  if (next?.startsWith('/store/login')) keepDrafts();
  else if (next !== null) isSaved(sourceElement.closest('form') ?? sourceElement);
});
on('submit', 'data-forget-drafts', forgetDrafts);
