import { AppError, translate, type ErrorShape, type TextParams } from '../common/index.js';

/** What can be wrong with a registration or a run of a hook. */
export type HookErrorCode = 'HOOK_NAME_INVALID' | 'LISTENER_NOT_FUNCTION' | 'PRIORITY_INVALID' | 'HOOK_DEPTH_EXCEEDED';

const ERROR_MAP: Record<HookErrorCode, ErrorShape> = {
  HOOK_NAME_INVALID: { err: 'E_ARGS', text: 'hooks.hook_name_invalid' },
  LISTENER_NOT_FUNCTION: { err: 'E_ARGS', text: 'hooks.listener_not_function' },
  PRIORITY_INVALID: { err: 'E_ARGS', text: 'hooks.priority_invalid' },
  HOOK_DEPTH_EXCEEDED: { err: 'E_INTERNAL', text: 'hooks.hook_depth_exceeded', status: 500 },
};

/** A mistake in the use of hooks. Its message is the whole English text: whoever reads it in a log is a plugin's author. */
export class HookError extends AppError<HookErrorCode> {
  constructor(code: HookErrorCode, params: TextParams) {
    super(code, params);
    this.message = translate('en', ERROR_MAP[code].text, params);
  }

  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
