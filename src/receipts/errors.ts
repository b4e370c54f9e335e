import { AppError, type ErrorShape } from '../common/index.js';

/** What can be in the way of a receipt. */
export type ReceiptErrorCode = 'MISSING' | 'UNPAID' | 'INVOICED' | 'NOTHING_TO_MAKE';

const ERROR_MAP: Record<ReceiptErrorCode, ErrorShape> = {
  MISSING: { err: 'E_NOTEXIST', text: 'receipts.missing' },
  UNPAID: { err: 'E_STATE', text: 'receipts.unpaid' },
  NOTHING_TO_MAKE: { err: 'E_STATE', text: 'receipts.nothing_to_make' },
  INVOICED: { err: 'E_STATE', text: 'receipts.invoiced' },
};

/** A receipt that is refused. */
export class ReceiptError extends AppError<ReceiptErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
