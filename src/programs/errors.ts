import { AppError, type ErrorShape } from '../common/index.js';

/** Why a program cannot be bought, or a paid one cannot be delivered. */
export type ProgramOrderErrorCode =
  'OFF_SHELF' | 'BOUGHT' | 'NOTHING_TO_PAY' | 'PRICE_CHANGED' | 'REQUEST_DIFFERS' | 'METHOD' | 'HOST_MISSING' | 'PAID_BEFORE';

const ERROR_MAP: Record<ProgramOrderErrorCode, ErrorShape> = {
  OFF_SHELF: { err: 'E_DISABLED', text: 'programs.off_shelf' },
  BOUGHT: { err: 'E_STATE', text: 'programs.bought' },
  NOTHING_TO_PAY: { err: 'E_STATE', text: 'programs.nothing_to_pay' },
  PRICE_CHANGED: { err: 'E_CONFLICT', text: 'programs.price_changed' },
  REQUEST_DIFFERS: { err: 'E_CONFLICT', text: 'programs.request_differs' },
  METHOD: { err: 'E_ARGS', text: 'programs.method' },
  HOST_MISSING: { err: 'E_NOTEXIST', text: 'programs.host_missing' },
  PAID_BEFORE: { err: 'E_STATE', text: 'programs.paid_before' },
};

/** A program that cannot be sold or delivered. */
export class ProgramOrderError extends AppError<ProgramOrderErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
