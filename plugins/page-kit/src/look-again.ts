import { html, type CallContext, type SafeHtml } from '@svc/sdk';

/**
 * Attributes of the `main` of a waiting page, for look-again.js: it polls the page and replaces the changed children of `main`, which
 * screen readers announce. `main` may contain only elements, without scripts.
 *
 * @param seconds poll interval; 0: no polling
 * @example html`<main${lookAgainAttributes(10)}>…</main>`
 */
export function lookAgainAttributes(seconds: number): SafeHtml {
  return seconds > 0 ? html` data-look-again="${seconds}" aria-live="polite"` : html``;
}

/** Link that reloads the page, labelled `look_again`: for visitors without scripts, or who do not want to wait. */
export function lookAgainLink({ t, path }: Pick<CallContext, 't' | 'path'>): SafeHtml {
  return html`<p><a href="${path}">${t('look_again')}</a></p>`;
}
