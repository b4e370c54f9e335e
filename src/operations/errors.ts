import { AnsweredByThrowing, AppError, type ErrorShape } from '../common/index.js';
import type { ErrorResponse } from '../http/index.js';
import type { AuthPolicy, RefusedForm } from '../sdk/index.js';

/** Codes of {@link OperationError}: why a request was rejected before its operation ran. */
export type OperationErrorCode =
  | 'UNKNOWN_ADMIN_OPERATION'
  | 'UNKNOWN_USER_OPERATION'
  | 'CROSS_SITE'
  | 'RATE_LIMITED'
  | 'INVALID_INPUT'
  | 'PLUGIN_FAILED'
  | 'USER_PANEL_CLOSED'
  | 'NOT_ALLOWED'
  | 'SECOND_FACTOR_FIRST'
  | 'SECOND_PROOF';

const ERROR_MAP: Record<OperationErrorCode, ErrorShape> = {
  UNKNOWN_ADMIN_OPERATION: { err: 'E_NOTEXIST', text: 'operations.unknown_admin' },
  UNKNOWN_USER_OPERATION: { err: 'E_NOTEXIST', text: 'operations.unknown_user' },
  CROSS_SITE: { err: 'E_CSRF', text: 'operations.cross_site', status: 403 },
  RATE_LIMITED: { err: 'E_RATE', text: 'operations.rate_limited', status: 429 },
  INVALID_INPUT: { err: 'E_ARGS', text: 'operations.invalid_input' },
  PLUGIN_FAILED: { err: 'E_INTERNAL', text: 'operations.plugin_failed' },
  SECOND_FACTOR_FIRST: { err: 'E_FORBIDDEN', text: 'operations.second_factor_first', status: 403 },
  SECOND_PROOF: { err: 'E_FORBIDDEN', text: 'operations.second_proof' },
  NOT_ALLOWED: { err: 'E_FORBIDDEN', text: 'operations.not_allowed', status: 403 },
  USER_PANEL_CLOSED: { err: 'E_DISABLED', text: 'operations.user_panel_closed' },
};

/** A request rejected by the pipeline. */
export class OperationError extends AppError<OperationErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }

  override get extras(): Readonly<Record<string, unknown>> {
    return this.code === 'SECOND_PROOF' ? { need: 'proof' } : {};
  }
}

/** Thrown by `svc_plugin_auth_fail` and the guards of plugins: ends the request with the failure answer of the policy. */
export class AuthFailure extends AnsweredByThrowing {
  constructor(readonly policy: AuthPolicy) {
    super('Not signed in.');
    this.name = 'AuthFailure';
  }
}

/** Thrown by `svc_check_row_version`: ends the request with the answer for a rejected form, unless the plugin renders it on a page. */
export class FormRefusal extends AnsweredByThrowing implements RefusedForm {
  readonly code: RefusedForm['code'];
  readonly fields: Readonly<Record<string, string>>;
  readonly row_version: string;

  /** @param reason original error @param answer the error translated for the request */
  constructor(
    readonly reason: AppError,
    answer: ErrorResponse,
  ) {
    const { text, fields = {}, extras = {} } = answer;
    super(text);
    this.name = 'FormRefusal';
    this.code = reason.code === 'STALE_FORM' ? 'STALE_FORM' : 'INVALID_INPUT';
    this.fields = fields;
    this.row_version = String(extras.row_version ?? '');
  }
}
