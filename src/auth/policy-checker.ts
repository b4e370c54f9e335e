import { Injectable } from '@nestjs/common';

import type { AuthPolicy, CallContext } from '../sdk/index.js';

/** Response to a request without an administrator; exact and never translated. Source: docs/panel-api.md "Signing in". */
export const ADMIN_REQUIRED = Object.freeze({ code: '请登陆后台' });
/** Response to a request without a user; exact and never translated. */
export const USER_REQUIRED = Object.freeze({ code: '请登陆' });

/** Checks requests against policies. */
@Injectable()
export class AuthPolicyChecker {
  /**
   * Rejects unknown policies. A plugin's own check may be asynchronous and may throw, which the caller has to report; the
   * panel's own policies are synchronous.
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

/** Returns the response body that asks to sign in. */
export function authFailureBody(policy: AuthPolicy): object {
  return policy === 'admin' ? ADMIN_REQUIRED : USER_REQUIRED;
}
