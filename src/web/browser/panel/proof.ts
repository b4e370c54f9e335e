import { clearErrors, showErrors, showFormError } from '../kit/errors.js';
import { busy, element, text } from '../kit/page.js';

/** What came of a code: `words` say what is wrong, `fields` where. */
export interface Shown {
  readonly right: boolean;
  readonly words: string;
  readonly fields: object;
}

let asking: Promise<boolean> | null = null;

/**
 * Asks for a code of the second factor until one is right; what the page holds stays as it is meanwhile. Several deeds that need one at once ask once.
 *
 * @param show tells the server a code; never fails
 * @returns false for who gave up
 */
export function askForProof(show: (code: string) => Promise<Shown>): Promise<boolean> {
  asking ??= open(show).finally(() => (asking = null));
  return asking;
}

function open(show: (code: string) => Promise<Shown>): Promise<boolean> {
  const words = element('p', 'mb-3', text('proof'));
  words.id = 'proof-text';
  const problem = element('div', 'alert alert-danger');
  problem.dataset.formError = '';
  problem.hidden = true;
  const label = element('label', 'form-label required', text('proof-code'));
  const code = element('input', 'form-control font-monospace');
  Object.assign(code, { id: 'proof-code', name: 'totp', autocomplete: 'one-time-code', maxLength: 32, required: true, spellcheck: false });
  label.htmlFor = code.id;
  const hint = element('div', 'form-hint', text('proof-hint'));
  const no = element('button', 'btn', text('cancel'));
  no.type = 'button';
  const yes = element('button', 'btn btn-primary', text('proof-go'));
  const buttons = element('div', 'd-flex gap-2 justify-content-end mt-4', no, yes);
  const form = element('form', '', words, problem, label, code, hint, buttons);
  form.noValidate = true;
  const dialog = document.body.appendChild(element('dialog', 'confirm', form));
  dialog.setAttribute('aria-labelledby', words.id);
  no.addEventListener('click', () => dialog.close());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  dialog.showModal();
  code.focus();

  async function send(): Promise<void> {
    if (code.value.trim() === '') return code.focus();
    clearErrors(form);
    const shown = await busy(yes, show(code.value));
    if (shown.right) return dialog.close('yes');
    if (!showErrors(form, shown.fields)) showFormError(form, shown.words, false);
    code.select();
  }

  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}
