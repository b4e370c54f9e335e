import { AppError, translate, type ErrorShape, type TextParams } from '../common/index.js';

/** Errors in registering or running a hook. */
export type HookErrorCode = 'HOOK_NAME_INVALID' | 'LISTENER_NOT_FUNCTION' | 'PRIORITY_INVALID' | 'HOOK_DEPTH_EXCEEDED';

const ERROR_MAP: Record<HookErrorCode, ErrorShape> = {
  HOOK_NAME_INVALID: { err: 'E_ARGS', text: 'hooks.hook_name_invalid' },
  LISTENER_NOT_FUNCTION: { err: 'E_ARGS', text: 'hooks.listener_not_function' },
  PRIORITY_INVALID: { err: 'E_ARGS', text: 'hooks.priority_invalid' },
  HOOK_DEPTH_EXCEEDED: { err: 'E_INTERNAL', text: 'hooks.hook_depth_exceeded', status: 500 },
};

/** Wrong use of hooks. The message is the complete English text, because authors of plugins read it in the log. */
export class HookError extends AppError<HookErrorCode> {
  constructor(code: HookErrorCode, params: TextParams) {
    super(code, params);
    this.message = translate('en', ERROR_MAP[code].text, params);
  }

  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
