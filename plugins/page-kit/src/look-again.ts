import { html, type CallContext, type SafeHtml } from '@svc/sdk';

/**
 * Attributes of the `main` of a page that waits, for look-again.js: it asks for the page again by itself and changes the children of `main`
 * that became others, of which screen readers tell. `main` has nothing but elements, without scripts of their own.
 *
 * @param seconds until the next look; 0: the page waits for nothing
 * @example html`<main${lookAgainAttributes(10)}>…</main>`
 */
export function lookAgainAttributes(seconds: number): SafeHtml {
  return seconds > 0 ? html` data-look-again="${seconds}" aria-live="polite"` : html``;
}

/** The link to the page itself, named `look_again`: for who has no scripts, or does not want to wait. */
export function lookAgainLink({ t, path }: Pick<CallContext, 't' | 'path'>): SafeHtml {
  return html`<p><a href="${path}">${t('look_again')}</a></p>`;
}
