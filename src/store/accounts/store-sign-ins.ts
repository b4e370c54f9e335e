import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import { StoreAuditLog } from '../audit/index.js';
import { StoreUser, nameKey } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { hasInvisible } from '../packages/index.js';

import { MAX_PASSWORD, type LoginForm } from './account-forms.js';
import { AttemptLimits } from './attempt-limits.js';
import { StoreAccounts } from './store-accounts.js';
import { StorePasswordHasher } from './store-password-hasher.js';
import { StoreSessions, type SignedInTokens, type Visitor } from './store-sessions.js';

/** Checks a code of an account's second factor; `right` if the account has none. */
export type CodeCheck = (accountId: number, code: string) => Promise<'right' | 'wrong' | 'missing'>;

/** Sign-ins to the store. */
@Injectable()
export class StoreSignIns {
  constructor(
    private readonly config: AppConfig,
    private readonly accounts: StoreAccounts,
    private readonly hasher: StorePasswordHasher,
    private readonly limits: AttemptLimits,
    private readonly sessions: StoreSessions,
    private readonly log: StoreAuditLog,
  ) {}

  /**
   * Checks name and password and opens a session. An unknown name is answered like a wrong password, and takes as long.
   *
   * @param factor checks the code once the password is right
   * @throws StoreError CREDENTIALS_WRONG; CODE_REQUIRED, CODE_WRONG; TOO_MANY_REQUESTS; DEFAULT_PASSWORD_REFUSED, ACCOUNT_BANNED for a
   *   caller who knows the password
   */
  async signIn(
    { username, password, code }: LoginForm,
    visitor: Visitor,
    factor: CodeCheck,
  ): Promise<{ user: StoreUser } & SignedInTokens> {
    // The rules for new names do not apply: older accounts may have names that break them.
    const known = hasInvisible(username) ? null : await this.accounts.find(username);
    const counted = await this.limits.signIn({
      account: nameKey(username),
      accountId: known?.id ?? null,
      ip: visitor.ip,
      deviceToken: visitor.deviceToken,
    });
    const fits = [...password].length <= MAX_PASSWORD;
    const right = await this.hasher.verify(fits ? password : '', fits ? (known?.passwordHash ?? null) : null);
    if (!right || !known) {
      await counted.failed();
      if (known) await this.log.recordFailedSignIn(known, visitor.ip);
      throw new StoreError('CREDENTIALS_WRONG');
    }
    const shown = await factor(known.id, code ?? '');
    if (shown === 'wrong') {
      await counted.failed();
      await this.log.recordFailedSignIn(known, visitor.ip);
    }
    if (shown !== 'right') throw new StoreError(shown === 'wrong' ? 'CODE_WRONG' : 'CODE_REQUIRED');
    await counted.succeeded();
    if (known.hasDefaultPassword && !this.config.defaultPasswordAllowed) throw new StoreError('DEFAULT_PASSWORD_REFUSED');
    if (known.status !== 'active') throw new StoreError('ACCOUNT_BANNED');
    const tokens = await this.sessions.openWithPassword(known.id, known.passwordHash, visitor);
    // Banned, or the password changed, since the account was read.
    if (tokens === null) throw new StoreError('CREDENTIALS_WRONG');
    await this.log.record({ caller: known, ip: visitor.ip }, { action: 'auth.login', subject: 'user', subjectId: known.id });
    return { user: known, ...tokens };
  }
}
