import { AppError, type ErrorShape } from '../common/index.js';

/** Why a movement of credit was rejected. */
export type LedgerErrorCode =
  | 'NOT_ENOUGH'
  | 'TOO_MUCH'
  | 'NO_HOLDER'
  | 'REQUEST_DIFFERS'
  | 'TOP_UP_AMOUNT'
  | 'TOP_UP_BY_CREDIT'
  | 'NOT_PAYABLE'
  | 'PAYMENT_REFUSED'
  | 'CODE_UNKNOWN'
  | 'CODE_USED'
  | 'CODE_YOURS'
  | 'CODE_REVOKED'
  | 'CODE_OVER'
  | 'CODE_TRIES'
  | 'NO_BATCH'
  | 'NOTHING_UNUSED';

const ERROR_MAP: Record<LedgerErrorCode, ErrorShape> = {
  NOT_ENOUGH: { err: 'E_STATE', text: 'ledger.not_enough' },
  TOO_MUCH: { err: 'E_LIMIT', text: 'ledger.too_much' },
  NO_HOLDER: { err: 'E_NOTEXIST', text: 'ledger.no_holder' },
  REQUEST_DIFFERS: { err: 'E_CONFLICT', text: 'ledger.request_differs' },
  TOP_UP_AMOUNT: { err: 'E_ARGS', text: 'ledger.top_up_amount' },
  TOP_UP_BY_CREDIT: { err: 'E_STATE', text: 'ledger.top_up_by_credit' },
  NOT_PAYABLE: { err: 'E_STATE', text: 'ledger.not_payable' },
  CODE_UNKNOWN: { err: 'E_NOTEXIST', text: 'ledger.code_unknown' },
  CODE_USED: { err: 'E_STATE', text: 'ledger.code_used' },
  CODE_YOURS: { err: 'E_STATE', text: 'ledger.code_yours' },
  CODE_REVOKED: { err: 'E_STATE', text: 'ledger.code_revoked' },
  CODE_OVER: { err: 'E_STATE', text: 'ledger.code_over' },
  CODE_TRIES: { err: 'E_RATE', text: 'ledger.code_tries', status: 429 },
  NO_BATCH: { err: 'E_NOTEXIST', text: 'ledger.no_batch' },
  NOTHING_UNUSED: { err: 'E_STATE', text: 'ledger.nothing_unused' },
  PAYMENT_REFUSED: { err: 'E_PAY', text: 'ledger.payment_refused' },
};

/** A rejected movement of credit. */
export class LedgerError extends AppError<LedgerErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
