import { html, type SafeHtml } from '@svc/sdk';

/** Renders a placeholder for an empty list. @param action what to do next, such as a button */
export function empty(text: string, action?: SafeHtml | ''): SafeHtml {
  return action === undefined ? html`<p class="empty">${text}</p>` : html`<div class="empty"><p>${text}</p>${action}</div>`;
}
