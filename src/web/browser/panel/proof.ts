import { busy, element, text } from '../kit/page.js';

/** Result of verifying a code; `words` is the error message. */
export interface Shown {
  readonly right: boolean;
  readonly words: string;
}

let asking: Promise<boolean> | null = null;

/**
 * Asks for a second factor code until it is right; the page stays unchanged meanwhile. Concurrent actions
 * that need a code share one dialog.
 *
 * @param show sends a code to the server; never rejects
 * @returns false if the user cancelled
 */
export function askForProof(show: (code: string) => Promise<Shown>): Promise<boolean> {
  return (asking ??= open(show).finally(() => (asking = null)));
}

function open(show: (code: string) => Promise<Shown>): Promise<boolean> {
  const code = element('input', 'form-control mt-2');
  Object.assign(code, { id: 'proof-code', autocomplete: 'one-time-code', maxLength: 32, required: true });
  const hint = element('p', 'form-hint', text('proof-hint'));
  hint.role = 'alert';
  const no = element('button', 'btn', text('cancel'));
  no.type = 'button';
  const yes = element('button', 'btn btn-primary', text('confirm'));
  const buttons = element('div', 'd-flex gap-2 justify-content-end', no, yes);
  const form = element('form', '', element('label', 'w-100', text('proof'), code), hint, buttons);
  const dialog = document.body.appendChild(element('dialog', 'confirm', form));
  no.onclick = () => dialog.close();
  form.onsubmit = async (event) => {
    event.preventDefault();
    const { right, words } = await busy(yes, show(code.value));
    if (right) return dialog.close('yes');
    hint.className = 'text-danger';
    hint.textContent = words;
    code.select();
  };
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    };
  });
}
