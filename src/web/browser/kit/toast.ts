import { element } from './page.js';

const SECONDS = 5;

function makeStack(): HTMLElement {
  const stack = element('div', 'toast-stack');
  stack.setAttribute('aria-live', 'polite');
  return document.body.appendChild(stack);
}

/**
 * Shows a message that disappears automatically.
 *
 * @param kind `success`, `info`, `warning` or `danger`
 * @param href link to more information
 */
export function toast(words: string, kind: string, href = ''): void {
  const link = href && element('a', 'alert-link', words);
  if (link) link.href = href;
  const note = element('div', `alert alert-${kind} alert-important`, link || words);
  note.setAttribute('role', kind === 'danger' ? 'alert' : 'status');
  (document.querySelector('.toast-stack') ?? makeStack()).append(note);
  setTimeout(() => note.remove(), SECONDS * 1000);
}
