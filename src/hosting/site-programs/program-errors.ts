import { AppError, type ErrorShape } from '../../common/index.js';
import { driverError } from '../accounts/index.js';
import type { PhpProblemCode, PortProblem } from '../driver/index.js';

import './texts.js';

/** What can be wrong with what a site runs: what its server says, and what the panel says before it asks. */
export type ProgramErrorCode = PhpProblemCode;

const ERROR_MAP: Record<ProgramErrorCode, ErrorShape> = {
  PHP_MISSING: { err: 'E_ARGS', text: 'siteprograms.php_missing' },
  PHP_FIXED: { err: 'E_DISABLED', text: 'siteprograms.php_fixed' },
};

/** Something that cannot be done with what a site runs. */
export class ProgramError extends AppError<ProgramErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** What a port of programs says, for people; what any server may say is told as of every other call. */
export function programError(problem: PortProblem): Error {
  const { code, params = {} } = problem;
  return Object.hasOwn(ERROR_MAP, code)
    ? new ProgramError(code as ProgramErrorCode, params)
    : driverError({ outcome: 'refused', message: code, problem });
}
