import { AppError, type ErrorShape } from '../common/index.js';

/** Why a receipt operation was rejected. */
export type ReceiptErrorCode = 'MISSING' | 'UNPAID' | 'INVOICED' | 'NOTHING_TO_MAKE' | 'NONE_MISSING';

const ERROR_MAP: Record<ReceiptErrorCode, ErrorShape> = {
  MISSING: { err: 'E_NOTEXIST', text: 'receipts.missing' },
  UNPAID: { err: 'E_STATE', text: 'receipts.unpaid' },
  NOTHING_TO_MAKE: { err: 'E_STATE', text: 'receipts.nothing_to_make' },
  NONE_MISSING: { err: 'E_STATE', text: 'receipts.none_missing' },
  INVOICED: { err: 'E_STATE', text: 'receipts.invoiced' },
};

/** A rejected receipt operation. */
export class ReceiptError extends AppError<ReceiptErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
