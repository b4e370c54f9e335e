import { AppError, type ErrorShape, type OutboundAnswer, type TextRef } from '../../common/index.js';

/** Codes of {@link DeployError}. */
export type DeployErrorCode =
  | 'FORM_UNREADABLE'
  | 'FORM_FIELD'
  | 'STEPS_UNREADABLE'
  | 'STEP'
  | 'TOO_LONG'
  | 'NAME_EMPTY'
  | 'NAME_TAKEN'
  | 'ARCHIVE_MISSING'
  | 'ARCHIVE_KIND'
  | 'ARCHIVE_BROKEN'
  | 'ARCHIVE_FETCH'
  | 'PICTURE'
  | 'PIECE'
  | 'PROGRAM_MISSING'
  | 'PROGRAM_BUSY'
  | 'OFF_SHELF'
  | 'NOT_BOUGHT'
  | 'NOT_FITTING'
  | 'ANSWER_MISSING'
  | 'ANSWER_NUMBER'
  | 'ANSWER_LONG'
  | 'ANSWER_CHOICE'
  | 'ANSWER_DOMAIN'
  | 'ANSWER_CHARACTERS'
  | 'BUSY'
  | 'NOT_HERE'
  | 'NOTHING_RUNS'
  | 'NOT_UNDOABLE'
  | 'STEP_FAILED'
  | 'ADDRESS'
  | 'ADDRESS_ANSWER'
  | 'INTERRUPTED'
  | 'CANCELLED'
  | 'FAILED';

const ERROR_MAP: Record<DeployErrorCode, ErrorShape> = {
  FORM_UNREADABLE: { err: 'E_ARGS', text: 'deploy.form_unreadable' },
  FORM_FIELD: { err: 'E_ARGS', text: 'deploy.form_field' },
  STEPS_UNREADABLE: { err: 'E_ARGS', text: 'deploy.steps_unreadable' },
  STEP: { err: 'E_ARGS', text: 'deploy.step' },
  TOO_LONG: { err: 'E_LIMIT', text: 'deploy.too_long' },
  NAME_EMPTY: { err: 'E_ARGS', text: 'deploy.name_empty' },
  NAME_TAKEN: { err: 'E_EXISTS', text: 'deploy.name_taken' },
  ARCHIVE_MISSING: { err: 'E_STATE', text: 'deploy.archive_missing' },
  ARCHIVE_KIND: { err: 'E_ARGS', text: 'deploy.archive_kind' },
  ARCHIVE_BROKEN: { err: 'E_ARGS', text: 'deploy.archive_broken' },
  ARCHIVE_FETCH: { err: 'E_UNREACH', text: 'deploy.archive_fetch' },
  PICTURE: { err: 'E_ARGS', text: 'deploy.picture' },
  PIECE: { err: 'E_ARGS', text: 'deploy.piece' },
  PROGRAM_MISSING: { err: 'E_NOTEXIST', text: 'deploy.program_missing' },
  PROGRAM_BUSY: { err: 'E_INUSE', text: 'deploy.program_busy' },
  OFF_SHELF: { err: 'E_DISABLED', text: 'deploy.off_shelf' },
  NOT_BOUGHT: { err: 'E_PAY', text: 'deploy.not_bought' },
  NOT_FITTING: { err: 'E_LIMIT', text: 'deploy.not_fitting' },
  ANSWER_MISSING: { err: 'E_ARGS', text: 'deploy.answer_missing' },
  ANSWER_NUMBER: { err: 'E_ARGS', text: 'deploy.answer_wrong' },
  ANSWER_LONG: { err: 'E_ARGS', text: 'deploy.answer_long' },
  ANSWER_CHOICE: { err: 'E_ARGS', text: 'deploy.answer_wrong' },
  ANSWER_DOMAIN: { err: 'E_ARGS', text: 'deploy.answer_wrong' },
  ANSWER_CHARACTERS: { err: 'E_ARGS', text: 'deploy.answer_wrong' },
  BUSY: { err: 'E_BUSY', text: 'deploy.busy' },
  NOT_HERE: { err: 'E_NOTEXIST', text: 'deploy.not_here' },
  NOTHING_RUNS: { err: 'E_STATE', text: 'deploy.nothing_runs' },
  NOT_UNDOABLE: { err: 'E_STATE', text: 'deploy.not_undoable' },
  STEP_FAILED: { err: 'E_STATE', text: 'deploy.step_failed' },
  ADDRESS: { err: 'E_FORBIDDEN', text: 'deploy.address' },
  ADDRESS_ANSWER: { err: 'E_UNREACH', text: 'deploy.address_answer' },
  INTERRUPTED: { err: 'E_STATE', text: 'deploy.interrupted' },
  CANCELLED: { err: 'E_STATE', text: 'deploy.cancelled' },
  FAILED: { err: 'E_INTERNAL', text: 'deploy.failed' },
};

/** An error about a program or its installation. */
export class DeployError extends AppError<DeployErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** Describes a failed response. @param allowed limits in seconds and MB */
export function describeFailure(answer: OutboundAnswer, allowed: { readonly seconds: number; readonly mb: number }): string | TextRef {
  if (answer.code !== 0) return answer.error;
  return answer.failure === 'INTERNAL'
    ? { key: 'deploy.answer_internal', params: {} }
    : { key: 'deploy.answer_none', params: { ...allowed } };
}
