import { on } from './page.js';
import { toast } from './toast.js';

const fieldOf = (selector: string | undefined): HTMLInputElement => document.querySelector<HTMLInputElement>(selector ?? '')!;

/** Shows or hides what a button with `data-reveal` names. A secret stays one while it can be read: it is kept nowhere. */
export function reveal(button: HTMLElement, isShown: boolean): void {
  const field = fieldOf(button.dataset.reveal);
  field.dataset.secret = '';
  field.type = isShown ? 'text' : 'password';
  button.setAttribute('aria-pressed', String(isShown));
}

async function copy({ dataset }: HTMLElement): Promise<void> {
  const field = fieldOf(dataset.copy);
  try {
    await navigator.clipboard.writeText(field.value);
    toast(dataset.copied ?? '', 'success');
  } catch {
    // Without TLS browsers give no clipboard: it is shown and marked, to be copied by hand.
    if (field.type === 'password') field.type = 'text';
    field.select();
    if (dataset.byHand) toast(dataset.byHand, 'warning');
  }
}

on('click', 'data-reveal', (button) => reveal(button, fieldOf(button.dataset.reveal).type === 'password'));
on('click', 'data-copy', (button) => void copy(button));
