import { Injectable } from '@nestjs/common';

import type { CallContext, Scope } from '../sdk/index.js';

import { CodeProof } from './code-proof.js';
import { wrongCredentials, type Subject } from './credentials.js';
import { LoginError } from './errors.js';
import { SecondFactors } from './second-factors.js';
import { SignInEntry, type SignedIn } from './sign-in-entry.js';
import { SignInSteps } from './sign-in-steps.js';

/** The sign-in step that asks for a code, for accounts with a second factor. */
@Injectable()
export class CodeStep {
  constructor(
    private readonly factors: SecondFactors,
    private readonly steps: SignInSteps,
    private readonly proof: CodeProof,
    private readonly entry: SignInEntry,
  ) {}

  isAsked(scope: Scope, accountId: number): Promise<boolean> {
    return this.factors.enabled(scope, accountId);
  }

  /** Records that the password was verified. @returns the token to send with the code */
  open(scope: Scope, subject: Subject): Promise<string> {
    return this.steps.open(scope, subject);
  }

  /**
   * Completes a sign-in with a code. A wrong code counts like a wrong password, and after five the password is required again.
   *
   * @param lp returned by {@link login}
   * @param code of the app, or a recovery code
   * @throws LoginError CODE_WRONG, STEP_OVER, TOO_MANY_TRIES; as for a wrong password if it was changed meanwhile
   */
  async finish(scope: Scope, lp: string, code: string, call: CallContext): Promise<SignedIn> {
    const shown = await this.proof.take(scope, lp, code, call);
    if (!shown) throw new LoginError('CODE_WRONG', {}, { totp: 'auth.code_wrong' });
    const { accountId: id, passwordHash } = shown.step;
    const signedIn = await this.entry.enter(scope, { id, passwordHash }, call, true);
    if (signedIn === null) throw wrongCredentials(scope);
    await shown.succeeded();
    return signedIn;
  }

  /** Returns the user name of a step, for the log; null if the step has expired. */
  async nameOf(scope: Scope, lp: string): Promise<string | null> {
    return (await this.steps.find(scope, lp))?.username ?? null;
  }
}
