import { AppError, type ErrorShape } from '../../common/index.js';

/** Codes of {@link HtmlRefusal}. */
export type HtmlRule = 'TOO_LONG';

const ERROR_MAP: Record<HtmlRule, ErrorShape> = { TOO_LONG: { err: 'E_LIMIT', text: 'html.too_long' } };

/** Rejected rich text. */
export class HtmlRefusal extends AppError<HtmlRule> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
