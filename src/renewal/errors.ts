import './texts.js';

import { AppError, type ErrorShape } from '../common/index.js';

/** What can be wrong with a renewal somebody wants. */
export type RenewalErrorCode =
  'HOST_MISSING' | 'NEVER_EXPIRES' | 'NOT_OFFERED' | 'PRICE_MISSING' | 'REQUEST_DIFFERS' | 'GATEWAY_NOT_NOW' | 'METHOD_NOT_OFFERED';

const ERROR_MAP: Record<RenewalErrorCode, ErrorShape> = {
  HOST_MISSING: { err: 'E_NOTEXIST', text: 'renewal.host_missing' },
  NEVER_EXPIRES: { err: 'E_STATE', text: 'renewal.never_expires' },
  NOT_OFFERED: { err: 'E_ARGS', text: 'renewal.not_offered' },
  PRICE_MISSING: { err: 'E_ARGS', text: 'renewal.price_missing' },
  REQUEST_DIFFERS: { err: 'E_CONFLICT', text: 'renewal.request_differs' },
  GATEWAY_NOT_NOW: { err: 'E_PAY', text: 'payment.gateway_not_now' },
  METHOD_NOT_OFFERED: { err: 'E_ARGS', text: 'payment.method_not_offered' },
};

/** A renewal that is refused. */
export class RenewalError extends AppError<RenewalErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
