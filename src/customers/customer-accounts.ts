import { Injectable } from '@nestjs/common';

import { PasswordHasher } from '../auth/index.js';
import { Clock } from '../common/index.js';
import { Database, isUniqueViolation } from '../database/index.js';

import { CustomerEntry } from './customer-entry.js';
import { ACTIVE, Customers } from './customers.js';
import { Customer } from './entities/index.js';
import { CustomerError } from './errors.js';
import { HostOwners } from './host-owners.js';
import { refusal, type Contact } from './rules.js';

/** Returns the values for the operation log. */
function loggedValues({ username, passwordHash, email, qq, status }: Partial<Customer>): object {
  const given = { username, passwordHash, email, qq, enabled: status === undefined ? undefined : status === ACTIVE };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** A new customer, already validated. */
export interface NewCustomer extends Contact {
  readonly username: string;
  readonly password: string;
  /** Whether the mail address is confirmed, by a link that was sent there. */
  readonly ownsMail?: boolean;
  readonly status?: number;
}

/** Creates, changes and removes customers; races are resolved by conditional updates of the row. */
@Injectable()
export class CustomerAccounts {
  private readonly setContact;
  private readonly setHash;
  private readonly switchStatus;
  private readonly claimMail;
  private readonly useLink;
  private readonly removeRow;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly hasher: PasswordHasher,
    private readonly customers: Customers,
    private readonly entry: CustomerEntry,
    private readonly owners: HostOwners,
  ) {
    const update = 'UPDATE {Customer} SET {Customer.updatedAt} = ?,';
    // A changed address cannot be used for sign-in until it is confirmed.
    this.setContact = database.statement(
      `${update} {Customer.email} = ?, {Customer.qq} = ?,
       {Customer.mailKey} = CASE WHEN {Customer.mailKey} = ? THEN {Customer.mailKey} ELSE NULL END WHERE {Customer.id} = ?`,
    );
    this.setHash = database.statement(`${update} {Customer.passwordHash} = ? WHERE {Customer.id} = ? AND {Customer.passwordHash} = ?`);
    this.switchStatus = database.statement(`${update} {Customer.status} = ? WHERE {Customer.id} = ? AND {Customer.status} <> ?`);
    this.claimMail = database.statement(`${update} {Customer.mailKey} = ? WHERE {Customer.id} = ? AND {Customer.email} = ?`);
    this.useLink = database.statement(
      `${update} {Customer.linkNumber} = {Customer.linkNumber} + 1 WHERE {Customer.id} = ? AND {Customer.linkNumber} = ?
        AND {Customer.status} = ${ACTIVE}`,
    );
    this.removeRow = database.statement(
      `DELETE FROM {Customer} WHERE {Customer.id} = ?
       AND NOT EXISTS (SELECT 1 FROM {HostingAccount} WHERE {HostingAccount.ownerId} = ?)
       AND NOT EXISTS (SELECT 1 FROM {BinnedSite} WHERE {BinnedSite.ownerId} = ?)
       AND NOT EXISTS (SELECT 1 FROM {Order} WHERE {Order.ownerKind} = 'customer' AND {Order.ownerId} = ?)
       AND NOT EXISTS (SELECT 1 FROM {Credit} WHERE {Credit.holderKind} = 'customer' AND {Credit.holderId} = ? AND {Credit.balance} <> 0)`,
    );
  }

  /** @throws CustomerError USERNAME_TAKEN, MAIL_TAKEN */
  async create({ username, password, email, qq, ownsMail = false, status = ACTIVE }: NewCustomer): Promise<Customer> {
    const now = this.clock.now();
    const row = {
      username,
      usernameKey: username.toLowerCase(),
      passwordHash: await this.hasher.hash(password),
      email,
      mailKey: ownsMail ? email.toLowerCase() : null,
      qq,
      status,
      createdAt: now,
      updatedAt: now,
    };
    try {
      return await this.database.transaction(async () => {
        const { identifiers } = await this.database.repository(Customer).insert(row);
        const id = Number(identifiers[0]!.id);
        this.database.noteChange({ of: 'customer', id }, null, loggedValues(row));
        return (await this.customers.find(id))!;
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw (await this.customers.findByName(username)) ? refusal('USERNAME_TAKEN', 'username') : refusal('MAIL_TAKEN', 'email');
    }
  }

  /**
   * @param check receives the locked customer; throwing rejects the change
   * @throws CustomerError CUSTOMER_MISSING
   */
  async setContactOf(id: number, { email, qq }: Contact, check?: (present: Customer) => void): Promise<void> {
    await this.changing(id, { email, qq }, async (present) => {
      check?.(present);
      await this.setContact.run(this.clock.now(), email, qq, email.toLowerCase(), id);
    });
  }

  /**
   * Sets a new password and ends all sessions and known devices.
   *
   * @param presentHash hash of the old password
   * @throws CustomerError CUSTOMER_MISSING; LINK_OVER if the password was changed meanwhile
   */
  async setPassword(id: number, password: string, presentHash: string): Promise<void> {
    const passwordHash = await this.hasher.hash(password);
    await this.changing(id, { passwordHash }, async () => {
      const { affected } = await this.setHash.run(this.clock.now(), passwordHash, id, presentHash);
      if (affected !== 1) throw new CustomerError('LINK_OVER');
      await this.entry.closeAll(id);
    });
  }

  /** Unlocks or locks an account; locking ends all of its sessions. @throws CustomerError CUSTOMER_MISSING, STATUS_SAME */
  async setStatus(id: number, status: number): Promise<void> {
    await this.changing(id, { status }, async () => {
      if ((await this.switchStatus.run(this.clock.now(), status, id, status)).affected !== 1) throw new CustomerError('STATUS_SAME');
      if (status !== ACTIVE) await this.entry.closeAll(id);
    });
  }

  /** Marks a mail address as confirmed, if it is still the current one. @throws CustomerError LINK_OVER, MAIL_TAKEN */
  async confirmMail(id: number, mail: string): Promise<void> {
    try {
      const { affected } = await this.claimMail.run(this.clock.now(), mail.toLowerCase(), id, mail);
      if (affected !== 1) throw new CustomerError('LINK_OVER');
    } catch (error) {
      throw isUniqueViolation(error) ? new CustomerError('MAIL_TAKEN') : error;
    }
  }

  /** Consumes the one-time links with this number. @returns false if they were consumed, or the account is locked */
  async takeLink(id: number, number: number): Promise<boolean> {
    return (await this.useLink.run(this.clock.now(), id, number)).affected === 1;
  }

  /** Removes a customer without hosts, orders and credit. @throws CustomerError CUSTOMER_MISSING; OWNS */
  async remove(id: number): Promise<void> {
    await this.database.transaction(async () => {
      // Serializes with concurrent movements of the customer's credit.
      await this.database.lockRow('Customer', 'id', id);
      const found = await this.customers.existing(id);
      const { affected } = await this.removeRow.run(id, id, id, id, id);
      if (affected !== 1) {
        const hosts = (await this.owners.hostsOf(id)).length;
        throw new CustomerError('OWNS', { user: found.username, hosts, kept: await this.owners.binnedOf(id) });
      }
      await this.entry.closeAll(id);
      this.database.noteChange({ of: 'customer', id }, loggedValues(found), null);
    });
  }

  private changing(id: number, values: Partial<Customer>, work: (present: Customer) => Promise<void>): Promise<void> {
    return this.database.transaction(async () => {
      await this.database.lockRow('Customer', 'id', id);
      const found = await this.customers.existing(id);
      await work(found);
      this.database.noteChange({ of: 'customer', id }, loggedValues(found), loggedValues(values));
    });
  }
}
