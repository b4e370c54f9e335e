import { element } from './page.js';

/** Removes the error messages of a form. */
export function clearErrors(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll('.is-invalid')) {
    field.classList.remove('is-invalid');
    for (const attribute of ['aria-invalid', 'aria-describedby']) field.removeAttribute(attribute);
  }
  for (const note of form.querySelectorAll('[data-field-error]')) note.remove();
  for (const note of form.querySelectorAll<HTMLElement>('[data-form-error]')) note.hidden = true;
}

/** Returns the visible field of that name; null if there is none. */
function shownField(form: HTMLFormElement, name: string): HTMLInputElement | null {
  const found = form.elements.namedItem(name);
  const field = found instanceof RadioNodeList ? found[0] : found;
  return field instanceof HTMLElement && field.getAttribute('type') !== 'hidden' ? (field as HTMLInputElement) : null;
}

/** Marks a field as invalid. @returns the field; null if the form has no visible one of that name */
export function markField(form: HTMLFormElement, name: string): HTMLElement | null {
  const field = shownField(form, name);
  if (!field) return null;
  field.classList.add('is-invalid');
  field.setAttribute('aria-invalid', 'true');
  return field;
}

/** Shows error messages at their fields and focuses the first one. @returns whether there is such a field */
export function showErrors(form: HTMLFormElement, errors: object): boolean {
  const wrong = Object.entries(errors).flatMap(([name, words]) => {
    const field = markField(form, name);
    if (!field) return [];
    const note = element('div', 'invalid-feedback d-block', String(words));
    note.dataset.fieldError = '';
    note.id = `${field.id || name}-error`;
    field.setAttribute('aria-describedby', note.id);
    (field.closest('.input-group') ?? field).after(note);
    return [field];
  });
  wrong[0]?.focus();
  return wrong.length > 0;
}

/**
 * Replaces field names in an error message by the form's labels: API clients see `webdx — …`, users the label next to the field.
 *
 * @param errors messages by field
 */
export function inLabels(form: HTMLFormElement, words: string, errors: object): string {
  return Object.keys(errors).reduce((message, name) => {
    const field = shownField(form, name);
    const label = field?.labels?.[0]?.textContent.trim() || field?.getAttribute('aria-label');
    return label ? message.replace(`${name} — `, `${label} — `) : message;
  }, words);
}

/**
 * Shows an error message of the whole form.
 *
 * @param isMade whether to create an element for it if the form has none
 * @returns whether it was shown
 */
export function showFormError(form: HTMLFormElement, words: string, isMade: boolean): boolean {
  const place = form.querySelector<HTMLElement>('[data-form-error]') ?? (isMade ? element('div', 'alert alert-danger m-3 mb-0') : null);
  if (!place) return false;
  if (!place.parentElement) form.prepend(place);
  place.setAttribute('role', 'alert');
  place.dataset.formError = '';
  place.textContent = words;
  place.hidden = false;
  return true;
}
