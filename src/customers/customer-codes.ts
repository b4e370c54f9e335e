import { Injectable } from '@nestjs/common';

import { CodeProof, SecondFactors, SignInSteps } from '../auth/index.js';
import type { CallContext } from '../sdk/index.js';

import { refusal } from './rules.js';

const SIDE = 'customer';

/** A customer whose password and code were verified. */
export interface Proven {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string;
}

/** The second sign-in step, for customers with a second factor. */
@Injectable()
export class CustomerCodes {
  constructor(
    private readonly factors: SecondFactors,
    private readonly steps: SignInSteps,
    private readonly proof: CodeProof,
  ) {}

  /** Returns the token for the second step after the password was verified; null if no code is required. */
  async begin(customer: Proven): Promise<string | null> {
    return (await this.factors.enabled(SIDE, customer.id)) ? this.steps.open(SIDE, customer) : null;
  }

  /**
   * Verifies a code of the app or a recovery code. A wrong one counts like a wrong password; after five the password is required again.
   *
   * @throws CustomerError CODE_WRONG; LoginError STEP_OVER, TOO_MANY_TRIES
   */
  async finish(token: string, code: string, call: CallContext): Promise<Proven> {
    const shown = await this.proof.take(SIDE, token, code, call);
    if (!shown) throw refusal('CODE_WRONG', 'totp');
    await shown.succeeded();
    const { accountId, username, passwordHash } = shown.step;
    return { id: accountId, username, passwordHash };
  }
}
