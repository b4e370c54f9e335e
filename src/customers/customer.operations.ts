import { Injectable } from '@nestjs/common';

import { SecondFactors } from '../auth/index.js';
import { checkVersion } from '../http/index.js';
import { ListReply, Operation, SuccessReply } from '../operations/index.js';

import { AccountPagesAddress } from './account-pages-address.js';
import { CustomerAccounts } from './customer-accounts.js';
import { CustomerLinks } from './customer-links.js';
import { CustomerList, type CustomerLine } from './customer-list.js';
import {
  AddCustomerInput,
  ChangeCustomerInput,
  CustomerIdInput,
  ListCustomersInput,
  ResetCustomerPasswordInput,
  SwitchCustomerInput,
} from './customer.inputs.js';
import { ACTIVE, Customers, customerForm } from './customers.js';
import type { Customer } from './entities/index.js';
import { CustomerError } from './errors.js';
import { checkContact, checkName, checkNewPassword, refusal } from './rules.js';

/** Customer administration. Source: docs/panel-api.md "Customers". */
@Injectable()
export class CustomerOperations {
  constructor(
    private readonly customers: Customers,
    private readonly accounts: CustomerAccounts,
    private readonly list: CustomerList,
    private readonly links: CustomerLinks,
    private readonly pages: AccountPagesAddress,
    private readonly factors: SecondFactors,
  ) {}

  @Operation({ side: 'admin', gn: 'listyh', auth: 'admin', input: ListCustomersInput, audit: null, rate: 'read' })
  async listed(input: ListCustomersInput): Promise<ListReply<CustomerLine>> {
    const { total, rows } = await this.list.page(input);
    return new ListReply(total, rows);
  }

  @Operation({ side: 'admin', gn: 'yhsj', auth: 'admin', input: CustomerIdInput, audit: null, rate: 'read' })
  async show({ id }: CustomerIdInput): Promise<SuccessReply> {
    return new SuccessReply('customers.listed', { ...(await this.line(id)) });
  }

  @Operation({ side: 'admin', gn: 'addyh', auth: 'admin', input: AddCustomerInput, audit: 'customers.audit_add', rate: 'write' })
  async add({ username, pass, email, qq, status }: AddCustomerInput): Promise<SuccessReply> {
    const name = checkName(username);
    checkPassword(pass);
    const customer = await this.accounts.create({ username: name, password: pass, ...checkContact({ email, qq }), status: Number(status) });
    return new SuccessReply('customers.added', { ...(await this.line(customer.id)) }, { user: name });
  }

  @Operation({ side: 'admin', gn: 'yhxg', auth: 'admin', input: ChangeCustomerInput, audit: 'customers.audit_change', rate: 'write' })
  async change({ id, email, qq, row_version }: ChangeCustomerInput): Promise<SuccessReply> {
    const customer = await this.customers.existing(id);
    const contact = checkContact({ email: email ?? customer.email, qq: qq ?? customer.qq });
    await this.accounts.setContactOf(id, contact, (present) => checkVersion(row_version, customerForm(present)));
    return new SuccessReply('customers.saved', { ...(await this.line(id)) }, { user: customer.username });
  }

  /** Unlocks or locks a customer; locking ends all of their sessions. Their hosts keep running. */
  @Operation({ side: 'admin', gn: 'yhkg', auth: 'admin', input: SwitchCustomerInput, audit: 'customers.audit_switch', rate: 'write' })
  async switchStatus({ id, status }: SwitchCustomerInput): Promise<SuccessReply> {
    const { username } = await this.customers.existing(id);
    await this.accounts.setStatus(id, Number(status));
    const text = Number(status) === ACTIVE ? 'customers.unlocked' : 'customers.now_locked';
    return new SuccessReply(text, { ...(await this.line(id)) }, { user: username });
  }

  /** Sets a password, or creates a link by which the customer sets one, for customers without a mail address. */
  @Operation({
    side: 'admin',
    gn: 'yhczmm',
    auth: 'admin',
    input: ResetCustomerPasswordInput,
    audit: 'customers.audit_password',
    rate: 'write',
    secondProof: true,
  })
  async resetPassword({ id, pass }: ResetCustomerPasswordInput): Promise<SuccessReply> {
    const customer = await this.customers.existing(id);
    if (pass !== '') {
      checkPassword(pass);
      await this.accounts.setPassword(id, pass, customer.passwordHash);
      return new SuccessReply('customers.password_set', { id }, { user: customer.username });
    }
    const url = this.links.reset(this.requireActive(customer), this.pages.path);
    return new SuccessReply('customers.reset_link', { id, url }, { user: customer.username });
  }

  /** Creates a link that signs in as the customer, once, within 15 minutes. */
  @Operation({
    side: 'admin',
    gn: 'yhdl',
    auth: 'admin',
    input: CustomerIdInput,
    audit: 'customers.audit_enter',
    rate: 'write',
    secondProof: true,
  })
  async enter({ id }: CustomerIdInput): Promise<SuccessReply> {
    const customer = await this.customers.existing(id);
    const url = this.links.enter(this.requireActive(customer), this.pages.path);
    return new SuccessReply('customers.enter_link', { id, url }, { user: customer.username });
  }

  /** Removes a lost second factor: sign-in needs only the password until another one is set up. */
  @Operation({
    side: 'admin',
    gn: 'yhf2',
    auth: 'admin',
    input: CustomerIdInput,
    audit: 'customers.audit_factor',
    rate: 'write',
    secondProof: true,
  })
  async removeFactor({ id }: CustomerIdInput): Promise<SuccessReply> {
    const { username } = await this.customers.existing(id);
    if (!(await this.factors.remove('customer', id))) throw new CustomerError('FACTOR_OFF');
    return new SuccessReply('customers.factor_now_off', { id }, { user: username });
  }

  /** Rejected while the customer owns a host, including one kept in the recycle bin, or has orders. */
  @Operation({
    side: 'admin',
    gn: 'yhsc',
    auth: 'admin',
    input: CustomerIdInput,
    audit: 'customers.audit_remove',
    rate: 'write',
    secondProof: true,
  })
  async remove({ id }: CustomerIdInput): Promise<SuccessReply> {
    const { username } = await this.customers.existing(id);
    await this.accounts.remove(id);
    return new SuccessReply('customers.removed', { id }, { user: username });
  }

  private requireActive(customer: Customer): Customer {
    if (customer.status !== ACTIVE) throw new CustomerError('LOCKED');
    return customer;
  }

  private async line(id: number): Promise<CustomerLine> {
    const { rows } = await this.list.page({ id, page: 1, limit: 1, sortOrder: 'asc' });
    if (!rows[0]) throw new CustomerError('CUSTOMER_MISSING');
    return rows[0];
  }
}

function checkPassword(password: string): void {
  if (password === '') throw refusal('PASSWORD_SHORT', 'pass');
  checkNewPassword(password, password, 'pass');
}
