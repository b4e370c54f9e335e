import type { TextParams } from '../../common/index.js';

/** An answer with a text of its own. */
export class Answer {
  /** @param text key of the text, such as `store.registered` */
  constructor(
    readonly text: string,
    readonly data: unknown = null,
    readonly params: TextParams = {},
  ) {}
}
