import type { TextParams } from '../../common/index.js';
import { Answer } from '../call/index.js';

/** A form that went well: where its reader goes on, and what is said there. */
export class GoOn extends Answer {
  /** @param to path of this site @param text key of what is said there, such as `store.registered` */
  constructor(
    readonly to: string,
    text: string,
    data: unknown = null,
    params: TextParams = {},
  ) {
    super(text, data, params);
  }

  /** Where an endpoint's answer leads on a page. */
  static after({ text, data, params }: Answer, to: string): GoOn {
    return new GoOn(to, text, data, params);
  }
}

/** A form that went well and shows something on its page this once, such as a new token. */
export class ShowOn extends Answer {
  /** @param vars what the view of the page sees besides */
  constructor(
    readonly vars: object,
    text: string,
    data: unknown = null,
    params: TextParams = {},
  ) {
    super(text, data, params);
  }
}

/** A form that shows a part of its page, such as a preview: a view of its own. */
export class ShowPart {
  /** @param view in `views/` */
  constructor(
    readonly view: string,
    readonly vars: object,
  ) {}
}
