import { Injectable } from '@nestjs/common';

import {
  Administrators,
  PasswordHasher,
  RateLimiter,
  SIGNED_IN_GUESSES,
  UserDirectory,
  type AccountSide,
  type LoginCandidate,
} from '../auth/index.js';
import type { Scope } from '../sdk/index.js';

import { countAgainst } from './count-against.js';

/** The account of a session. */
interface SignedInAccount {
  readonly id: number;
  readonly username: string;
}

/** Verifies the current password of a signed-in account where an open session must not be enough. Guesses are limited. */
@Injectable()
export class PresentPassword {
  constructor(
    private readonly administrators: Administrators,
    private readonly users: UserDirectory,
    private readonly hasher: PasswordHasher,
    private readonly limiter: RateLimiter,
  ) {}

  /** Counts a guess at a password or a code. @throws OperationError `RATE_LIMITED` after ten in ten minutes */
  async countGuess(side: AccountSide, id: number): Promise<void> {
    await countAgainst(this.limiter, `password:${side}:${id}`, SIGNED_IN_GUESSES);
  }

  /** Counts a guess and verifies it. @throws OperationError as {@link countGuess} */
  async isRight(side: Scope, account: SignedInAccount, given: string): Promise<boolean> {
    return (await this.verify(side, account, given)) !== null;
  }

  /** As {@link isRight}. @returns the account with the hash of this password; null for a wrong one */
  async verify(side: Scope, { id, username }: SignedInAccount, given: string): Promise<LoginCandidate | null> {
    await this.countGuess(side, id);
    const found = side === 'admin' ? await this.administrators.findById(id) : await this.users.findForLogin(username);
    return (await this.hasher.verify(given, found?.passwordHash ?? null)) ? found : null;
  }
}
