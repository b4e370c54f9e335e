import './texts.js';

import { AppError, type ErrorShape } from '../common/index.js';

/** What can be wrong with a customer, or with what somebody wants of one. */
export type CustomerErrorCode = 'CUSTOMER_MISSING';

const ERROR_MAP: Record<CustomerErrorCode, ErrorShape> = {
  CUSTOMER_MISSING: { err: 'E_NOTEXIST', text: 'customers.missing' },
};

/** Something about a customer that is refused. */
export class CustomerError extends AppError<CustomerErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
