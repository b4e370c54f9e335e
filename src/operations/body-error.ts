import './texts.js';

import { AppError, type ErrorShape } from '../common/index.js';

/** What can be wrong with the body of a request. */
export type BodyErrorCode =
  /** More bytes, files, fields or nesting than the limits allow. */
  | 'BODY_TOO_LARGE'
  /** Others are sending so much that there is no room for this body yet. */
  | 'UPLOADS_BUSY'
  /** Not in the form its content type promises. */
  | 'BODY_MALFORMED'
  /** The client went away before the body was complete; nobody reads an answer. */
  | 'BODY_ABORTED';

const SHAPES: Record<BodyErrorCode, ErrorShape> = {
  BODY_TOO_LARGE: { err: 'E_LIMIT', text: 'operations.too_large', status: 413 },
  UPLOADS_BUSY: { err: 'E_BUSY', text: 'operations.uploads_busy', status: 429 },
  BODY_MALFORMED: { err: 'E_ARGS', text: 'operations.malformed' },
  BODY_ABORTED: { err: 'E_ARGS', text: 'operations.malformed' },
};

/** A body that is refused. The only error the functions of `body.ts` and `form-fields.ts` throw. */
export class BodyError extends AppError<BodyErrorCode> {
  constructor(code: BodyErrorCode, options?: ErrorOptions) {
    super(code, {}, undefined, options);
  }

  get shape(): ErrorShape {
    return SHAPES[this.code];
  }
}
