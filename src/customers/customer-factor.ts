import { Injectable } from '@nestjs/common';

import { SecondFactors, type FactorSetup, type NewSeed, type SecondFactorState, type SetupRefusal } from '../auth/index.js';
import type { CallContext } from '../sdk/index.js';

import { CustomerLog } from './customer-log.js';
import { CustomerSelf } from './customer-self.js';
import { tokenOf } from './customer-sessions.js';
import { Customers } from './customers.js';
import { CustomerError, type CustomerErrorCode } from './errors.js';
import { refusal } from './rules.js';

const SIDE = 'customer';

/** The second factor of a customer. */
@Injectable()
export class CustomerFactor {
  constructor(
    private readonly factors: SecondFactors,
    private readonly customers: Customers,
    private readonly self: CustomerSelf,
    private readonly log: CustomerLog,
  ) {}

  state(id: number): Promise<SecondFactorState> {
    return this.factors.state(SIDE, id);
  }

  /**
   * Starts the setup of a second factor, or resumes one this session started within the last hour, so that a secret already stored in the
   * app stays valid, in whichever tab the setup continues.
   *
   * @throws CustomerError FACTOR_ON if one exists
   */
  async begin(id: number, issuer: string, call: CallContext): Promise<NewSeed> {
    const { username } = await this.customers.existing(id);
    const seed = await this.factors.begin(setupOf(id, call), issuer, username);
    if (!seed) throw new CustomerError('FACTOR_ON');
    return seed;
  }

  /**
   * Verifies its first code.
   *
   * @returns recovery codes, shown only once
   * @throws CustomerError CODE_WRONG; FACTOR_ON if one exists; FACTOR_OVER if no setup of this session is pending; OperationError
   *   RATE_LIMITED
   */
  async confirm(id: number, code: string, call: CallContext): Promise<string[]> {
    await this.self.countGuess(id);
    const { username } = await this.customers.existing(id);
    const codes = await this.factors.confirm(setupOf(id, call), code.replace(/\s/g, ''));
    if (codes === 'CODE_WRONG') throw refusal('CODE_WRONG', 'code');
    if (typeof codes === 'string') throw new CustomerError(REFUSALS[codes]);
    await this.log.note('factor_on', username, call);
    return codes;
  }

  /** Removes the second factor after verifying password and code. @throws CustomerError FACTOR_OFF, PASSWORD_WRONG, CODE_WRONG */
  async remove(id: number, password: string, code: string, call: CallContext): Promise<void> {
    if (!(await this.factors.enabled(SIDE, id))) throw new CustomerError('FACTOR_OFF');
    const { username } = await this.self.requirePassword(id, password, 'password');
    if (!(await this.factors.check(SIDE, id, code))) throw refusal('CODE_WRONG', 'code');
    await this.factors.remove(SIDE, id);
    await this.log.note('factor_off', username, call);
  }

  /** Replaces the recovery codes; the old ones become invalid. @throws CustomerError FACTOR_OFF, PASSWORD_WRONG, CODE_WRONG */
  async renewCodes(id: number, password: string, code: string): Promise<string[]> {
    if (!(await this.factors.enabled(SIDE, id))) throw new CustomerError('FACTOR_OFF');
    await this.self.requirePassword(id, password, 'password');
    if (!(await this.factors.check(SIDE, id, code))) throw refusal('CODE_WRONG', 'code');
    return this.factors.renewRecoveryCodes(SIDE, id);
  }
}

/** First codes that were refused for another reason than a wrong code. */
const REFUSALS: Readonly<Record<Exclude<SetupRefusal, 'CODE_WRONG'>, CustomerErrorCode>> = {
  SETUP_OVER: 'FACTOR_OVER',
  FACTOR_ON: 'FACTOR_ON',
};

const setupOf = (accountId: number, call: CallContext): FactorSetup => ({ side: SIDE, accountId, token: tokenOf(call) });
