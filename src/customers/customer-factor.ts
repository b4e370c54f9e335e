import { Injectable } from '@nestjs/common';

import { SecondFactors, type NewSeed, type SecondFactorState } from '../auth/index.js';
import type { CallContext } from '../sdk/index.js';

import { CustomerLog } from './customer-log.js';
import { CustomerSelf } from './customer-self.js';
import { Customers } from './customers.js';
import { CustomerError } from './errors.js';
import { refusal } from './rules.js';

const SIDE = 'customer';

/** A customer's own second factor. */
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
   * Begins to set up a second factor, or goes on where that was begun within the last hour: a secret that is in his app already stays the
   * one that counts, in whichever tab he goes on.
   *
   * @throws CustomerError FACTOR_ON where there is one
   */
  async begin(id: number, issuer: string): Promise<NewSeed> {
    const { username } = await this.customers.existing(id);
    const begun = (): Promise<NewSeed | null> => this.factors.begun(SIDE, id, issuer, username);
    // Of two that begin at the same moment, one begins and the other one goes on.
    const seed = (await begun()) ?? (await this.factors.begin(SIDE, id, issuer, username)) ?? (await begun());
    if (!seed) throw new CustomerError('FACTOR_ON');
    return seed;
  }

  /**
   * Takes its first code.
   *
   * @returns recovery codes, told this once
   * @throws CustomerError CODE_WRONG; FACTOR_OVER where nothing was begun within the last hour; OperationError RATE_LIMITED
   */
  async confirm(id: number, code: string, call: CallContext): Promise<string[]> {
    await this.self.countGuess(id);
    const { username } = await this.customers.existing(id);
    const waits = (await this.factors.enabled(SIDE, id)) || (await this.factors.begun(SIDE, id, '', username)) !== null;
    if (!waits) throw new CustomerError('FACTOR_OVER');
    const codes = await this.factors.confirm(SIDE, id, code.replace(/\s/g, ''));
    if (!codes) throw refusal('CODE_WRONG', 'code');
    await this.log.note('factor_on', username, call);
    return codes;
  }

  /** Takes it away, for who shows password and code. @throws CustomerError FACTOR_OFF, PASSWORD_WRONG, CODE_WRONG */
  async remove(id: number, password: string, code: string, call: CallContext): Promise<void> {
    if (!(await this.factors.enabled(SIDE, id))) throw new CustomerError('FACTOR_OFF');
    const { username } = await this.self.requirePassword(id, password, 'password');
    if (!(await this.factors.check(SIDE, id, code))) throw refusal('CODE_WRONG', 'code');
    await this.factors.remove(SIDE, id);
    await this.log.note('factor_off', username, call);
  }

  /** New recovery codes; those there were end. @throws CustomerError FACTOR_OFF, PASSWORD_WRONG, CODE_WRONG */
  async renewCodes(id: number, password: string, code: string): Promise<string[]> {
    if (!(await this.factors.enabled(SIDE, id))) throw new CustomerError('FACTOR_OFF');
    await this.self.requirePassword(id, password, 'password');
    if (!(await this.factors.check(SIDE, id, code))) throw refusal('CODE_WRONG', 'code');
    return this.factors.renewRecoveryCodes(SIDE, id);
  }
}
