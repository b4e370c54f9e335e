import { AppError, type ErrorShape } from '../common/index.js';

/** Error codes of package changes. */
export type PackageErrorCode =
  | 'HOST_MISSING'
  | 'NO_PACKAGE'
  | 'NEVER_EXPIRES'
  | 'STANDS_STILL'
  | 'NOT_OFFERED'
  | 'SAME_PACKAGE'
  | 'DOES_NOT_FIT'
  | 'NOTHING_TO_PAY'
  | 'PRICE_CHANGED'
  | 'REQUEST_DIFFERS'
  | 'NOTHING_PLANNED'
  | 'MOVED';

const ERROR_MAP: Record<PackageErrorCode, ErrorShape> = {
  HOST_MISSING: { err: 'E_NOTEXIST', text: 'packages.host_missing' },
  NO_PACKAGE: { err: 'E_STATE', text: 'packages.no_package' },
  NEVER_EXPIRES: { err: 'E_STATE', text: 'packages.never_expires' },
  STANDS_STILL: { err: 'E_STATE', text: 'packages.stands_still' },
  NOT_OFFERED: { err: 'E_ARGS', text: 'packages.not_offered' },
  SAME_PACKAGE: { err: 'E_STATE', text: 'packages.same_package' },
  DOES_NOT_FIT: { err: 'E_INUSE', text: 'packages.does_not_fit' },
  NOTHING_TO_PAY: { err: 'E_ARGS', text: 'packages.nothing_to_pay' },
  PRICE_CHANGED: { err: 'E_CONFLICT', text: 'packages.price_changed' },
  REQUEST_DIFFERS: { err: 'E_CONFLICT', text: 'packages.request_differs' },
  NOTHING_PLANNED: { err: 'E_STATE', text: 'packages.nothing_planned' },
  MOVED: { err: 'E_CONFLICT', text: 'packages.moved' },
};

/** A rejected package change. */
export class PackageError extends AppError<PackageErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
