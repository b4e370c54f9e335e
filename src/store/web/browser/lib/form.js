// @ts-check
import { make } from './dom.js';
import { messageOf, notice, say } from './feedback.js';

/**
 * Sends a form: once at a time, its buttons wait meanwhile, and what is refused is said at its top.
 *
 * @param {HTMLFormElement} form
 * @param {(fields: FormData, button: HTMLElement | null) => Promise<void>} work
 * @param {{ onFailure?: () => void }} [options]
 */
export function onSubmit(form, work, { onFailure } = {}) {
  let isBusy = false;
  /** @type {HTMLElement | null} */
  let problem = null;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    problem?.remove();
    const fields = new FormData(form);
    const submitter = event.submitter;
    setBusy(form, submitter, true);
    try {
      await work(fields, submitter);
    } catch (error) {
      problem = notice(messageOf(error));
      problem.tabIndex = -1;
      form.prepend(problem);
      problem.focus();
      onFailure?.();
    } finally {
      isBusy = false;
      setBusy(form, submitter, false);
    }
  });
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter @param {boolean} isBusy */
function setBusy(form, submitter, isBusy) {
  form.setAttribute('aria-busy', String(isBusy));
  for (const button of form.querySelectorAll('button')) button.disabled = isBusy;
  submitter?.classList.toggle('btn-loading', isBusy);
}

/**
 * A button that does something: once at a time. What goes wrong is said at the edge of the page.
 *
 * @param {string} text
 * @param {() => Promise<void>} work
 * @param {string} [className]
 */
export function actionButton(text, work, className = 'btn') {
  const button = make('button', { type: 'button', class: className }, text);
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      await work();
    } catch (error) {
      say(messageOf(error), 'danger');
    } finally {
      button.disabled = false;
    }
  });
  return button;
}

/**
 * A field with its label and, where there is one, a hint.
 *
 * @param {string} name
 * @param {string} label
 * @param {HTMLElement} input gets id and name
 * @param {string} [hint]
 */
export function field(name, label, input, hint) {
  const id = `field-${name}`;
  input.id = id;
  input.setAttribute('name', name);
  if (hint) input.setAttribute('aria-describedby', `${id}-hint`);
  const isRequired = input.hasAttribute('required');
  return make('div', { class: 'mb-3' }, make('label', { class: `form-label${isRequired ? ' required' : ''}`, for: id }, label), input, hint && make('div', { class: 'form-hint', id: `${id}-hint` }, hint));
}

/** @param {Record<string, unknown>} [attributes] */
export const input = (attributes = {}) => make('input', { class: 'form-control', type: 'text', ...attributes });

/** @param {Record<string, unknown>} attributes @param {string} [value] */
export const textarea = (attributes, value = '') => make('textarea', { class: 'form-control', ...attributes }, value);

/** A choice. @param {[string, string][]} options values and their texts @param {string} [chosen] */
export const select = (options, chosen = '') => make('select', { class: 'form-select' }, ...options.map(([value, text]) => make('option', { value, selected: value === chosen }, text)));

/** The button that sends a form. @param {string} text @param {string} [className] */
export const submitButton = (text, className = 'btn btn-primary') => make('button', { type: 'submit', class: className }, text);
