import { html, type CallContext, type SafeHtml } from '@svc/sdk';

import type { WrongFields } from './field-marks.js';

/** Settings of a page's forms: forms.js keeps drafts, and asks before leaving with changes. */
export interface KeptForms {
  /**
   * Identifies the signed-in user, in any format; drafts are restored only for the same user. Empty: a visitor, whose drafts go to the next
   * user who signs in. Omitted: no drafts are kept.
   */
  readonly account?: string;
  /** The page asks the visitor to sign in, and leads back afterwards. */
  readonly signsIn?: boolean;
  /** URL of the page with the forms, if it has several or also answers at the forms' targets. */
  readonly at?: string;
  /** Error messages by field of the submitted form, shown at the fields. */
  readonly wrong?: WrongFields;
  /** Success message: the submitted input is saved. */
  readonly success?: string;
}

/** Scripts for a page with such forms. Their source is `@svc/page-kit/browser/forms`; they use the plugin's text `restored`. */
export const scriptsFor = ({ account, signsIn = false }: KeptForms): string[] => (account !== undefined || signsIn ? ['forms.js'] : []);

/** Attributes of the body. */
export function bodyAttributes({ t }: Pick<CallContext, 't'>, { account, signsIn, at }: KeptForms): SafeHtml {
  const kept = account === undefined ? '' : html` data-account="${account}" data-text-restored="${t('restored')}"`;
  return html`${kept}${at && html` data-drafts-of="${at}"`}${signsIn && html` data-sign-in`}`;
}

/** Attributes of `main`: marks submitted input shown again as unsaved. */
export const mainAttributes = ({ method }: Pick<CallContext, 'method'>, { success = '' }: KeptForms): SafeHtml =>
  html`${method === 'POST' && success === '' && html` data-unsaved`}`;
