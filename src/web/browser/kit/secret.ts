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

/** Saves what is in a field as a file. Made here: what is told once goes over the network once. */
function save({ dataset }: HTMLElement): void {
  const text = fieldOf(dataset.save).value.replace(/\r?\n/g, '\r\n');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  link.download = dataset.file ?? '';
  link.click();
  URL.revokeObjectURL(link.href);
}

on('click', 'data-save', save);
on('click', 'data-reveal', (button) => reveal(button, fieldOf(button.dataset.reveal).type === 'password'));
on('click', 'data-copy', (button) => void copy(button));
