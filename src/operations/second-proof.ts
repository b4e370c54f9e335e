import { Injectable } from '@nestjs/common';

import { SESSION_COOKIES, SecondFactors, SessionService, isApiKey } from '../auth/index.js';
import type { CallContext, Scope } from '../sdk/index.js';

import { OperationError } from './errors.js';

/**
 * Requires a code from accounts with a second factor for actions an open session must not be enough for. A code shown in the session within
 * the last ten minutes counts, including that of the sign-in. Accounts without a second factor need none, nor do programs: their keys have
 * a scope.
 */
@Injectable()
export class SecondProof {
  constructor(
    private readonly factors: SecondFactors,
    private readonly sessions: SessionService,
  ) {}

  /** @throws OperationError SECOND_PROOF */
  async require(side: Scope, call: CallContext): Promise<void> {
    const account = call[side];
    if (account === null || isApiKey(account) || !(await this.factors.enabled(side, account.id))) return;
    const token = call.cookies[SESSION_COOKIES[side]];
    if (!token || !(await this.sessions.isProven(side, token))) throw new OperationError('SECOND_PROOF');
  }

  /** Records that the session of this request has just shown a code. */
  async note(side: Scope, call: CallContext): Promise<void> {
    const token = call.cookies[SESSION_COOKIES[side]];
    if (token) await this.sessions.prove(side, token);
  }
}
