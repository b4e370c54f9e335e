import { element } from './page.js';

const SECONDS = 5;

function makeStack(): HTMLElement {
  const stack = element('div', 'toast-stack');
  stack.setAttribute('aria-live', 'polite');
  return document.body.appendChild(stack);
}

/** A short note that goes by itself. @param kind `success`, `info`, `warning` or `danger` @param href where more is to be seen */
export function toast(words: string, kind: string, href = ''): void {
  const link = href && element('a', 'alert-link', words);
  if (link) link.href = href;
  const note = element('div', `alert alert-${kind} alert-important`, link || words);
  note.setAttribute('role', kind === 'danger' ? 'alert' : 'status');
  (document.querySelector('.toast-stack') ?? makeStack()).append(note);
  setTimeout(() => note.remove(), SECONDS * 1000);
}
