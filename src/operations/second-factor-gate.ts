import { Injectable } from '@nestjs/common';

import { SecondFactors } from '../auth/index.js';
import type { Scope } from '../sdk/index.js';

import { OperationError } from './errors.js';

/** Whether the accounts of a side must have a second factor. Comes from the settings of the installation. */
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

  /** Whether somebody may go on. */
  async admits(side: Scope, account: { readonly id: number } | null): Promise<boolean> {
    return account === null || !this.rule.required(side) || (await this.factors.enabled(side, account.id));
  }

  /** @throws OperationError SECOND_FACTOR_FIRST */
  async require(side: Scope, account: { readonly id: number } | null): Promise<void> {
    if (!(await this.admits(side, account))) throw new OperationError('SECOND_FACTOR_FIRST');
  }
}
