import { Injectable } from '@nestjs/common';

import type { AuthPolicy, CallContext } from '../sdk/index.js';

/** Answer to who is no administrator: exactly this, and never translated. Source: docs/panel-api.md "Signing in". */
export const ADMIN_REQUIRED = Object.freeze({ code: '请登陆后台' });
/** Answer to who is no user: exactly this, and never translated. */
export const USER_REQUIRED = Object.freeze({ code: '请登陆' });

/** Whether a policy lets a request in. */
@Injectable()
export class AuthPolicyChecker {
  /**
   * Unknown means no. A check of a plugin's own may take its time and may throw, which is the caller's to report; the
   * panel's own policies answer at once.
   */
  check(policy: AuthPolicy, call: CallContext): boolean | Promise<boolean> {
    if (policy === null || policy === '' || policy === 'none') return true;
    if (policy === 'admin') return call.admin !== null;
    if (policy === 'user') return call.user !== null;
    if (typeof policy === 'function') return this.ask(policy, call);
    return false;
  }

  private async ask(check: Extract<AuthPolicy, (call: CallContext) => unknown>, call: CallContext): Promise<boolean> {
    return (await check(call)) === true;
  }
}

/** The body that tells somebody to sign in. */
export function authFailureBody(policy: AuthPolicy): object {
  return policy === 'admin' ? ADMIN_REQUIRED : USER_REQUIRED;
}
