import { html, type SafeHtml } from '@svc/sdk';

/** Says that there is nothing where rows would be. @param action what leads on, such as a button */
export function empty(text: string, action?: SafeHtml | ''): SafeHtml {
  return action === undefined ? html`<p class="empty">${text}</p>` : html`<div class="empty"><p>${text}</p>${action}</div>`;
}
