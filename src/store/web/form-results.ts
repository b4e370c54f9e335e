import type { TextParams } from '../../common/index.js';
import { Answer } from '../call/index.js';

/** Successful form: redirects and shows a message on the next page. */
export class FormRedirect extends Answer {
  /** @param to path on this site @param text key of the message, such as `store.registered` */
  constructor(
    readonly to: string,
    text: string,
    data: unknown = null,
    params: TextParams = {},
  ) {
    super(text, data, params);
  }

  /** Redirects after an endpoint's response. */
  static after({ text, data, params }: Answer, to: string): FormRedirect {
    return new FormRedirect(to, text, data, params);
  }
}

/** Successful form that shows something once on its own page, such as a new token. */
export class FormPage extends Answer {
  /** @param vars additional variables of the page's view */
  constructor(
    readonly vars: object,
    text: string,
    data: unknown = null,
    params: TextParams = {},
  ) {
    super(text, data, params);
  }
}

/** Form whose result is a fragment of its page, such as a preview, rendered by its own view. */
export class FormFragment {
  /** @param view name in `views/` */
  constructor(
    readonly view: string,
    readonly vars: object,
  ) {}
}
