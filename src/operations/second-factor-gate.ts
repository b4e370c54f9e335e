import { Injectable } from '@nestjs/common';

import { SecondFactors } from '../auth/index.js';
import type { Scope } from '../sdk/index.js';

import { OperationError } from './errors.js';

/** Port: whether accounts of a side must have a second factor. Implemented by the settings of the installation. */
export abstract class SecondFactorRule {
  abstract required(side: Scope): boolean;
}

/** Blocks accounts that must have a second factor and have not set it up yet. */
@Injectable()
export class SecondFactorGate {
  constructor(
    private readonly rule: SecondFactorRule,
    private readonly factors: SecondFactors,
  ) {}

  /**
   * @returns a promise if the account has to be looked up
   * @throws OperationError SECOND_FACTOR_FIRST, by rejection
   */
  require(side: Scope, account: { readonly id: number } | null): void | Promise<void> {
    if (account === null || !this.rule.required(side)) return;
    return this.factors.enabled(side, account.id).then((isEnabled) => {
      if (!isEnabled) throw new OperationError('SECOND_FACTOR_FIRST');
    });
  }
}
