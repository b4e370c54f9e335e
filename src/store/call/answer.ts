import type { TextParams } from '../../common/index.js';

/** A response with its own message. */
export class Answer {
  /** @param text text key, such as `store.registered` */
  constructor(
    readonly text: string,
    readonly data: unknown = null,
    readonly params: TextParams = {},
  ) {}
}
