import { draftsInDialogs } from '../kit/drafts.js';
import { clearErrors } from '../kit/errors.js';
import { on } from '../kit/page.js';
import { reveal } from '../kit/secret.js';
import type { Answer } from './call.js';

/** The data each dialog was filled from. */
const filledFrom = new WeakMap<Element, Answer>();

const modalOf = (dialog: Element): { show(): void; hide(): void } | undefined => window.tabler?.Modal.getOrCreateInstance(dialog);
/** Dialogs in their opening transition, which takes 0.3 s. */
const opening = new Set<Element>();
document.addEventListener('show.bs.modal', ({ target }) => opening.add(target as Element));
document.addEventListener('shown.bs.modal', ({ target }) => opening.delete(target as Element));

/** Opens a dialog. */
export const openDialog = (dialog: Element): void => modalOf(dialog)?.show();

/** Closes a dialog. If it is still opening, it is closed afterwards: a response can arrive before. */
export function closeDialog(dialog: Element): void {
  const hide = (): void => modalOf(dialog)?.hide();
  if (opening.has(dialog)) dialog.addEventListener('shown.bs.modal', hide, { once: true });
  else hide();
}

// Bootstrap ignores attempts to close a dialog during its transition.
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') opening.forEach(closeDialog);
});
on('click', 'data-bs-dismiss', (button) => {
  const dialog = button.closest('.modal');
  if (dialog && opening.has(dialog)) closeDialog(dialog);
});

/** Returns the part of a row named by a path such as `hxa/max`; JSON texts on the way are parsed. */
function partOf(row: Answer, path: string): string {
  let value: unknown = row;
  for (const name of path.split('/')) {
    try {
      value = (typeof value === 'string' ? JSON.parse(value) : value)?.[name];
    } catch {
      return '';
    }
  }
  return String(value ?? '');
}

/** Fills the `data-from` fields and `data-text` elements of a dialog. */
export function fillDialog(dialog: Element, row: Answer): void {
  filledFrom.set(dialog, row);
  for (const button of dialog.querySelectorAll<HTMLElement>('[data-reveal]')) reveal(button, false);
  for (const form of dialog.querySelectorAll('form')) {
    form.reset();
    clearErrors(form);
  }
  for (const field of dialog.querySelectorAll<HTMLInputElement>('[data-from]')) {
    const value = partOf(row, field.dataset.from!);
    field.value = (JSON.parse(field.dataset.as ?? '{}') as Record<string, string>)[value] ?? value;
  }
  // Only an inline image of the response, never an external one.
  for (const image of dialog.querySelectorAll<HTMLImageElement>('img[data-src-from]')) {
    const picture = partOf(row, image.dataset.srcFrom!);
    if (picture.startsWith('data:image/')) image.src = picture;
  }
  for (const place of dialog.querySelectorAll<HTMLElement>('[data-text]')) place.textContent = partOf(row, place.dataset.text!);
  markUnenforced(dialog, `${partOf(row, 'bzx')},${partOf(row, 'bzxjd')}`);
}

/**
 * Marks the fields that a server stores without enforcing them; inputs that require enforcement (`data-asks`) are hidden and not
 * submitted then.
 *
 * @param names of these fields, separated by commas
 */
export function markUnenforced(place: Element, names: string): void {
  const without = names.split(',');
  // Options of a select are handled when they are selected.
  for (const part of place.querySelectorAll<HTMLElement>('[data-unenforced]:not(option)')) {
    const isWithout = without.includes(part.dataset.unenforced!);
    const asks = 'asks' in part.dataset;
    part.hidden = asks === isWithout;
    if (asks) for (const field of part.querySelectorAll<HTMLInputElement>('input, select')) field.disabled = isWithout;
  }
}

// For a server being added: the fields its driver does not enforce.
on('change', 'data-marks-unenforced', (select) => {
  const { form, selectedOptions } = select as HTMLSelectElement;
  markUnenforced(form!, selectedOptions[0]?.dataset.unenforced ?? '');
});
on('reset', 'data-ajax', (form) => {
  if (form.querySelector('[data-marks-unenforced]')) markUnenforced(form, '');
});

on('click', 'data-fill', ({ dataset }) => fillDialog(document.querySelector(dataset.bsTarget!)!, JSON.parse(dataset.fill!)));

draftsInDialogs({
  filledFrom: (dialog) => filledFrom.get(dialog),
  fill: (dialog, row) => fillDialog(dialog, row as Answer),
  open: openDialog,
});
