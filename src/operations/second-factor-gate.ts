import { Injectable } from '@nestjs/common';

import { SecondFactors } from '../auth/index.js';
import type { Scope } from '../sdk/index.js';

import { OperationError } from './errors.js';

/** Port: whether accounts of a side must have a second factor. The settings of the installation implement it. */
export abstract class SecondFactorRule {
  abstract required(side: Scope): boolean;
}

/** Keeps accounts that have yet to set up the second factor they must have from everything else. */
@Injectable()
export class SecondFactorGate {
  constructor(
    private readonly rule: SecondFactorRule,
    private readonly factors: SecondFactors,
  ) {}

  /** Whether somebody may go on; looked up only where there has to be one. */
  admits(side: Scope, account: { readonly id: number } | null): true | Promise<boolean> {
    return account === null || !this.rule.required(side) || this.factors.enabled(side, account.id);
  }

  /**
   * @returns a promise where it has to be looked up
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
