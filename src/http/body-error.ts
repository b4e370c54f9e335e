import { AppError, type ErrorShape } from '../common/index.js';

/** Codes of {@link BodyError}: why the body of a request could not be read. */
export type BodyErrorCode =
  /** More bytes, files, fields or nesting than the limits allow. */
  | 'BODY_TOO_LARGE'
  /** There is no room for this body yet: others are sending so much, or its sender has as much under way as one may. */
  | 'BODY_BUSY'
  /** Not in the form its content type promises. */
  | 'BODY_MALFORMED'
  /** The client went away, or was cut off because it sent too slowly; nobody reads an answer. */
  | 'BODY_ABORTED';

/** When to come back while there is no room, in seconds. */
export const BUSY_SECONDS = 20;

const ERROR_MAP: Record<BodyErrorCode, ErrorShape> = {
  BODY_TOO_LARGE: { err: 'E_LIMIT', text: 'http.too_large', status: 413 },
  BODY_BUSY: { err: 'E_BUSY', text: 'http.busy', status: 503 },
  BODY_MALFORMED: { err: 'E_ARGS', text: 'http.malformed' },
  BODY_ABORTED: { err: 'E_ARGS', text: 'http.malformed' },
};

/** A body that is refused. */
export class BodyError extends AppError<BodyErrorCode> {
  constructor(code: BodyErrorCode, options?: ErrorOptions) {
    super(code, code === 'BODY_BUSY' ? { seconds: BUSY_SECONDS } : {}, undefined, options);
  }

  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
