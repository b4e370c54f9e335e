import { detailOf } from './htmx.js';
import { element, text } from './page.js';

/** Buttons with a destructive action. */
const DANGER = '.btn-danger, .btn-outline-danger, .btn-ghost-danger, .text-danger, [data-asks]';

/**
 * Asks for confirmation. The cancel button has the focus, so that pressing Enter twice changes nothing; Esc closes the dialog, and
 * the focus returns to its previous element. The confirm button has the label and colour of the pressed one.
 *
 * @param about details shown below the question
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
      // A pressed menu entry is hidden again, so its menu's button gets the focus.
      if (!pressed.checkVisibility()) pressed.closest('.dropdown')?.querySelector<HTMLElement>('[data-bs-toggle]')?.focus();
      resolve(dialog.returnValue === 'yes');
    });
  });
}

/**
 * Shows this dialog for `hx-confirm`. `data-asks` selects an element with several questions: templates with `data-ask`, asked one after
 * the other as long as each is confirmed.
 */
async function askAll({ ctx, issueRequest, dropRequest }: ReturnType<typeof detailOf>): Promise<void> {
  const { sourceElement: source, request } = ctx;
  const pressed = request.submitter ?? source.querySelector('button') ?? source;
  const place = source.dataset.asks ? document.querySelector(source.dataset.asks) : null;
  if (!place && !(await ask(source.getAttribute('hx-confirm') ?? '', pressed))) return dropRequest();
  for (const { dataset, content } of place?.querySelectorAll<HTMLTemplateElement>('template[data-ask]') ?? [])
    if (!(await ask(dataset.ask!, pressed, content.cloneNode(true) as DocumentFragment))) return dropRequest();
  // Confirms that the details were displayed.
  for (const { name, value } of place?.querySelectorAll<HTMLInputElement>('[data-seen]') ?? []) request.body.append(name, value);
  issueRequest();
}

document.addEventListener('htmx:confirm', (event) => {
  event.preventDefault();
  void askAll(detailOf(event));
});
