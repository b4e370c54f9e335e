import { html, type CallContext, type SafeHtml } from '@svc/sdk';

import type { WrongFields } from './field-marks.js';

/** What a page says of its forms: forms.js keeps what is typed into them, and asks before they are left with changes. */
export interface KeptForms {
  /**
   * Who is signed in, in any words of the plugin: what he typed is given to nobody else. Empty: nobody, who may type here all the same;
   * what he typed is given to who signs in next. Where it is left out, nothing is kept.
   */
  readonly account?: string;
  /** The page asks somebody to sign in, and leads back where he came from. */
  readonly signsIn?: boolean;
  /** Address of the page the forms stand on, where it has several, or answers at those its forms are sent to. */
  readonly at?: string;
  /** What was refused of the fields of the form that was sent, by their names: it stands at them. */
  readonly wrong?: WrongFields;
  /** What was done: what was sent is saved. */
  readonly success?: string;
}

/** Scripts of a page with such forms. Their source is `@svc/page-kit/browser/forms`; they know the text `restored` of the plugin. */
export const scriptsFor = ({ account, signsIn = false }: KeptForms): string[] => (account !== undefined || signsIn ? ['forms.js'] : []);

/** Attributes of its body. */
export function bodyAttributes({ t }: Pick<CallContext, 't'>, { account, signsIn, at }: KeptForms): SafeHtml {
  const kept = account === undefined ? '' : html` data-account="${account}" data-text-restored="${t('restored')}"`;
  return html`${kept}${at && html` data-drafts-of="${at}"`}${signsIn && html` data-sign-in`}`;
}

/** Attributes of its main: what was sent, and stands there again, is not saved. */
export const mainAttributes = ({ method }: Pick<CallContext, 'method'>, { success = '' }: KeptForms): SafeHtml =>
  html`${method === 'POST' && success === '' && html` data-unsaved`}`;
