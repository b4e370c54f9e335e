import { Injectable } from '@nestjs/common';

import { SecondFactors } from '../auth/index.js';
import type { Scope } from '../sdk/index.js';

import { OperationError } from './errors.js';

/** Port: whether accounts of a side must have a second factor. Implemented by the installation's settings. */
export abstract class SecondFactorRule {
  abstract required(side: Scope): boolean;
}

/** Blocks accounts that have not set up a required second factor. */
@Injectable()
export class SecondFactorGate {
  constructor(
    private readonly rule: SecondFactorRule,
    private readonly factors: SecondFactors,
  ) {}

  /** Whether an account may continue; looked up only where a second factor is required. */
  admits(side: Scope, account: { readonly id: number } | null): true | Promise<boolean> {
    return account === null || !this.rule.required(side) || this.factors.enabled(side, account.id);
  }

  /**
   * @returns a promise if a lookup is needed
   * @throws OperationError SECOND_FACTOR_FIRST, by rejection
   */
  require(side: Scope, account: { readonly id: number } | null): void | Promise<void> {
    const admitted = this.admits(side, account);
    if (admitted === true) return;
    return admitted.then((hasOne) => {
      if (!hasOne) throw new OperationError('SECOND_FACTOR_FIRST');
    });
  }
}
