import { Inject, Injectable } from '@nestjs/common';

import type { HostRecord } from '../../sdk/index.js';
import { HostingError } from '../hosting-errors.js';

import { AccountChanges } from './account-changes.js';
import { AccountDrivers } from './account-driver.js';
import { checkHostPassword } from './account-rules.js';
import { AccountStore } from './account-store.js';
import { PASSWORD_HASHING, type PasswordHashing } from './password-hashing.js';
import { type AccountGuard, ReconciledChanges } from './reconciled-changes.js';

/** A password changed by the owner. */
export interface OwnPassword {
  /** Hash of the password the owner has just confirmed. */
  readonly presentHash: string;
  /** Runs in the transaction, after all sessions of the account have ended: opens the owner's next session. */
  readonly afterwards: () => Promise<void>;
}

/** Changes passwords of accounts, on the server (where they are the FTP passwords) and in the panel. */
@Injectable()
export class AccountPasswords {
  constructor(
    private readonly store: AccountStore,
    private readonly reconciled: ReconciledChanges,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
    @Inject(PASSWORD_HASHING) private readonly passwords: PasswordHashing,
  ) {}

  /**
   * Changes the password on the server and in the panel and ends the account's sessions.
   *
   * @throws HostingError ACCOUNT_STATE when the password changed since `owner` confirmed it
   */
  async change(id: number, password: string, owner?: OwnPassword, guard?: AccountGuard): Promise<HostRecord> {
    checkHostPassword(password);
    const passwordHash = await this.passwords.hash(password);
    return this.reconciled.run(
      id,
      'changePassword',
      async (claim) => {
        if (owner && claim.account.passwordHash !== owner.presentHash) throw new HostingError('ACCOUNT_STATE');
        const driver = await this.drivers.of(claim.account);
        await this.changes.callServer(claim, () => driver.changePassword(password));
        return this.changes.finish(claim, { passwordHash }, async () => {
          await this.store.endSessions(id);
          await this.store.forgetDevices(id);
          await owner?.afterwards();
        });
      },
      guard,
    );
  }
}
