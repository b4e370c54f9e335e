import { on } from './page.js';
import { toast } from './toast.js';

const fieldOf = (selector: string | undefined): HTMLInputElement => document.querySelector<HTMLInputElement>(selector ?? '')!;

/** Shows or hides the field named by `data-reveal`. A visible secret is still never stored. */
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
    // Without TLS there is no clipboard access: the text is shown and selected for manual copying.
    if (field.type === 'password') field.type = 'text';
    field.select();
    if (dataset.byHand) toast(dataset.byHand, 'warning');
  }
}

/** Saves a field's content as a file. Created in the browser, so that a one-time secret is transferred only once. */
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
