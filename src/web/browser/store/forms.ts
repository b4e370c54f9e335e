/** Forms and lists that htmx sends and fetches: what is wrong is said where it is, and what was typed stays. */
import { forgetDrafts, isSaved, keepDrafts } from '../kit/drafts.js';
import { clearErrors, markField } from '../kit/errors.js';
import { detailOf } from '../kit/htmx.js';
import { element, on, text } from '../kit/page.js';

/** Says that something went wrong. */
export function notice(...words: (Node | string)[]): HTMLElement {
  const note = element('div', 'alert alert-danger', ...words);
  note.setAttribute('role', 'alert');
  return note;
}

// An address names what is asked for and nothing else; of a form with `data-only`, a part is sent for a look at it.
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

/** Marks the fields that are wrong. Of a form that somebody else saved meanwhile, the next save compares with what is there now. */
function showProblem(form: HTMLFormElement, problem: HTMLElement): void {
  const told = [problem, ...problem.querySelectorAll<HTMLElement>('[data-field]')];
  const wrong = told.map(({ dataset }) => markField(form, dataset.field ?? '')).find((field) => field !== null);
  const version = form.elements.namedItem('row_version');
  if (problem.dataset.rowVersion && version instanceof HTMLInputElement) version.value = problem.dataset.rowVersion;
  (wrong ?? problem).focus();
}

// A part that cannot be loaded leaves what is there, and says why.
document.addEventListener('htmx:error', (event) => {
  const { sourceElement, request } = detailOf(event).ctx;
  const place = sourceElement.querySelector('[data-problem]');
  if (place) return place.replaceChildren(notice(text('offline')));
  const again = element('a', 'btn btn-sm ms-2', text('again'));
  again.setAttribute('role', 'button');
  again.href = request.action;
  document.getElementById('list')?.prepend(notice(text('offline'), again));
});

// Led to the login page, the session has ended: what was typed waits for it. Led anywhere else, the form was taken.
document.addEventListener('htmx:before:response', (event) => {
  const { response, sourceElement } = detailOf(event).ctx;
  const next = response.raw.headers.get('HX-Redirect');
  if (next?.startsWith('/store/login')) keepDrafts();
  else if (next !== null) isSaved(sourceElement.closest('form') ?? sourceElement);
});
on('submit', 'data-forget-drafts', forgetDrafts);
