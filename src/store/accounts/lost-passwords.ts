import { Injectable } from '@nestjs/common';

import { StoreAuditLog } from '../audit/index.js';
import { StoreError } from '../errors.js';

import { PasswordLinks } from './password-links.js';
import { checkStorePassword } from './password-rules.js';
import { StoreAccounts } from './store-accounts.js';
import { StorePasswordHasher } from './store-password-hasher.js';
import { StoreSessions } from './store-sessions.js';

/** Resets lost passwords. */
@Injectable()
export class LostPasswords {
  constructor(
    private readonly accounts: StoreAccounts,
    private readonly links: PasswordLinks,
    private readonly hasher: StorePasswordHasher,
    private readonly sessions: StoreSessions,
    private readonly log: StoreAuditLog,
  ) {}

  /**
   * Sets the new password by a link, ends all sessions and forgets all devices; a second factor stays. @throws StoreError LINK_OVER,
   * NEW_PASSWORD_SHORT
   */
  async replace(token: string, newPassword: string, ip: string): Promise<void> {
    checkStorePassword(newPassword, 'NEW_PASSWORD_SHORT');
    const user = await this.links.read(token);
    if (!user) throw new StoreError('LINK_OVER');
    const replaced = await this.accounts.replacePassword(user, await this.hasher.hash(newPassword), async () => {
      await this.sessions.endEvery(user.id);
      await this.log.record({ caller: user, ip }, { action: 'auth.password_reset', subject: 'user', subjectId: user.id });
      return true;
    });
    // Of two concurrent requests, only one uses the link.
    if (!replaced) throw new StoreError('LINK_OVER');
  }
}
