import { Injectable } from '@nestjs/common';

import { StoreAuditLog } from '../audit/index.js';
import { StoreError } from '../errors.js';

import type { PasswordForm } from './account-forms.js';
import { AttemptLimits } from './attempt-limits.js';
import { checkStorePassword } from './password-rules.js';
import { StoreAccounts } from './store-accounts.js';
import { StorePasswordHasher } from './store-password-hasher.js';
import { StoreSessions, type SignedInTokens, type Visitor } from './store-sessions.js';
import { StoreTokens } from './store-tokens.js';

/** Tokens of a session under a new password, and how many API tokens were revoked and how many still work. */
export interface PasswordChange extends SignedInTokens {
  readonly tokensEnded: number;
  readonly tokensLeft: number;
}

/** Changes of the caller's own password. */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly accounts: StoreAccounts,
    private readonly hasher: StorePasswordHasher,
    private readonly limits: AttemptLimits,
    private readonly sessions: StoreSessions,
    private readonly tokens: StoreTokens,
    private readonly log: StoreAuditLog,
  ) {}

  /**
   * Changes the password: ends every session, forgets every device, and opens a new session for the caller. Revokes API tokens if the form
   * requests it.
   *
   * @throws StoreError PASSWORD_FIELDS, NEW_PASSWORD_SHORT, OLD_PASSWORD_WRONG
   */
  async change(id: number, { oldPassword, newPassword, endTokens }: PasswordForm, visitor: Visitor): Promise<PasswordChange> {
    if (!oldPassword || !newPassword) throw new StoreError('PASSWORD_FIELDS');
    checkStorePassword(newPassword, 'NEW_PASSWORD_SHORT');
    const forget = await this.limits.oldPassword(id);
    const user = await this.accounts.get(id);
    if (!(await this.hasher.verify(oldPassword, user.passwordHash))) throw new StoreError('OLD_PASSWORD_WRONG');
    const change = await this.accounts.replacePassword(user, await this.hasher.hash(newPassword), async () => {
      const tokens = await this.sessions.rotate(id, visitor);
      const tokensEnded = endTokens ? await this.tokens.revokeEvery(id) : 0;
      const detail = { tokens_ended: tokensEnded };
      await this.log.record({ caller: user, ip: visitor.ip }, { action: 'auth.password', subject: 'user', subjectId: id, detail });
      return { ...tokens, tokensEnded, tokensLeft: await this.tokens.countLive(id) };
    });
    // A concurrent change came first, so the old password of this one is wrong by now.
    if (change === null) throw new StoreError('OLD_PASSWORD_WRONG');
    await forget();
    return change;
  }
}
