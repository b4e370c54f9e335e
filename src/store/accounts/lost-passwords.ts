import { Injectable } from '@nestjs/common';

import { KnownDevices, PasswordHasher } from '../../auth/index.js';
import { Database } from '../../database/index.js';
import { StoreAuditLog } from '../audit/index.js';
import { StoreUser } from '../entities/index.js';
import { StoreError } from '../errors.js';

import { PasswordLinks } from './password-links.js';
import { checkStorePassword } from './password-rules.js';
import { StoreSessions } from './store-sessions.js';

/** Resets lost passwords. */
@Injectable()
export class LostPasswords {
  constructor(
    private readonly database: Database,
    private readonly links: PasswordLinks,
    private readonly hasher: PasswordHasher,
    private readonly sessions: StoreSessions,
    private readonly devices: KnownDevices,
    private readonly log: StoreAuditLog,
  ) {}

  /**
   * Sets the new password by a link, ends all sessions and forgets all devices; a second factor stays. @throws StoreError LINK_OVER,
   * INVALID
   */
  async replace(token: string, newPassword: string, ip: string): Promise<void> {
    checkStorePassword(newPassword, 'NEW_PASSWORD_SHORT');
    const user = await this.links.read(token);
    if (!user) throw new StoreError('LINK_OVER');
    const passwordHash = await this.hasher.hash(newPassword);
    await this.database.transaction(async () => {
      // The condition on the old hash lets only one of two concurrent requests use the link.
      const present = { id: user.id, passwordHash: user.passwordHash };
      const { affected } = await this.database.repository(StoreUser).update(present, { passwordHash, hasDefaultPassword: false });
      if (affected !== 1) throw new StoreError('LINK_OVER');
      await this.sessions.endEvery(user.id);
      await this.devices.forgetEvery('store', user.id);
      await this.log.record({ caller: user, ip }, { action: 'auth.password_reset', subject: 'user', subjectId: user.id });
    });
  }
}
