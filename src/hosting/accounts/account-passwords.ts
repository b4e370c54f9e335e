import { Inject, Injectable } from '@nestjs/common';

import type { HostRecord } from '../../sdk/index.js';
import { HostingError } from '../hosting-errors.js';

import { AccountChanges } from './account-changes.js';
import { AccountDrivers } from './account-driver.js';
import { checkHostPassword } from './account-rules.js';
import { AccountStore } from './account-store.js';
import { PASSWORD_HASHING, type PasswordHashing } from './password-hashing.js';
import { type AccountGuard, ReconciledChanges } from './reconciled-changes.js';

/** A password its owner changes. */
export interface OwnPassword {
  /** Hash of the password the owner has just shown. */
  readonly presentHash: string;
  /** Joins the transaction, after every session of the account has ended: opens the owner's next one. */
  readonly afterwards: () => Promise<void>;
}

/** Passwords of accounts: on the server, where they are those of FTP, and in the panel. */
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
   * @throws HostingError ACCOUNT_STATE where the password is not the one of `owner` any more
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
        await this.changes.tell(claim, () => driver.changePassword(password));
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
