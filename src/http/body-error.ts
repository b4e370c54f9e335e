import { AppError, type ErrorShape } from '../common/index.js';

/** Codes of {@link BodyError}: why the body of a request could not be read. */
export type BodyErrorCode =
  /** More bytes, files, fields or nesting than the limits allow. */
  | 'BODY_TOO_LARGE'
  /** No memory for this body at present, overall or for this sender. */
  | 'BODY_BUSY'
  /** Does not match its content type. */
  | 'BODY_MALFORMED'
  /** The client disconnected, or was cut off because it sent too slowly; no answer will be read. */
  | 'BODY_ABORTED';

/** `Retry-After` while there is no memory, in seconds. */
export const BUSY_SECONDS = 20;

const ERROR_MAP: Record<BodyErrorCode, ErrorShape> = {
  BODY_TOO_LARGE: { err: 'E_LIMIT', text: 'http.too_large', status: 413 },
  BODY_BUSY: { err: 'E_BUSY', text: 'http.busy', status: 503 },
  BODY_MALFORMED: { err: 'E_ARGS', text: 'http.malformed' },
  BODY_ABORTED: { err: 'E_ARGS', text: 'http.malformed' },
};

/** A rejected body. */
export class BodyError extends AppError<BodyErrorCode> {
  constructor(code: BodyErrorCode, options?: ErrorOptions) {
    super(code, code === 'BODY_BUSY' ? { seconds: BUSY_SECONDS } : {}, undefined, options);
  }

  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
