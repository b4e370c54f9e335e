import { detailOf } from './htmx.js';
import { element, text } from './page.js';

/** Buttons that destroy something. */
const DANGER = '.btn-danger, .btn-outline-danger, .btn-ghost-danger, .text-danger, [data-asks]';

/**
 * Asks before something is done. The button that does nothing has the focus, so that Enter, Enter changes nothing; Esc closes, and
 * the focus goes back to where it was. The other button is named and coloured like the one that was pressed.
 *
 * @param about what the question is about, shown below it
 */
export function ask(question: string, pressed: HTMLElement, about?: DocumentFragment): Promise<boolean> {
  const words = element('p', 'mb-4', question);
  words.id = 'confirm-text';
  const details = about?.hasChildNodes() ? [element('div', 'confirm-details mb-4', about)] : [];
  for (const place of details) place.tabIndex = 0;
  const no = element('button', 'btn', text('cancel'));
  const look = pressed.matches(DANGER) ? 'btn-danger' : 'btn-primary';
  const yes = element('button', `btn ${look}`, pressed.textContent?.trim() || text('confirm'));
  yes.value = 'yes';
  const buttons = element('div', 'd-flex gap-2 justify-content-end', no, yes);
  const form = element('form', '', words, ...details, buttons);
  form.method = 'dialog';
  const dialog = document.body.appendChild(element('dialog', 'confirm', form));
  dialog.setAttribute('aria-labelledby', words.id);
  dialog.showModal();
  no.focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      // What was chosen in a menu is hidden again: its menu's button has the focus then.
      if (!pressed.checkVisibility()) pressed.closest('.dropdown')?.querySelector<HTMLElement>('[data-bs-toggle]')?.focus();
      resolve(dialog.returnValue === 'yes');
    });
  });
}

/**
 * `hx-confirm` asks with this dialog. `data-asks` names a place with several questions: templates with `data-ask`, each asked
 * after a yes to the one before.
 */
async function askAll({ ctx, issueRequest, dropRequest }: ReturnType<typeof detailOf>): Promise<void> {
  const { sourceElement: source, request } = ctx;
  const pressed = request.submitter ?? source.querySelector('button') ?? source;
  const place = source.dataset.asks ? document.querySelector(source.dataset.asks) : null;
  if (!place && !(await ask(source.getAttribute('hx-confirm') ?? '', pressed))) return dropRequest();
  for (const { dataset, content } of place?.querySelectorAll<HTMLTemplateElement>('template[data-ask]') ?? [])
    if (!(await ask(dataset.ask!, pressed, content.cloneNode(true) as DocumentFragment))) return dropRequest();
  // What was asked about was seen.
  for (const { name, value } of place?.querySelectorAll<HTMLInputElement>('[data-seen]') ?? []) request.body.append(name, value);
  issueRequest();
}

document.addEventListener('htmx:confirm', (event) => {
  event.preventDefault();
  void askAll(detailOf(event));
});
