import { Injectable } from '@nestjs/common';

import type { RegistrationScope } from '../../common/index.js';
import { AccountPagesAddress, CustomerEntry, CustomerSessions, Customers, HostOwners } from '../../customers/index.js';
import { HostOwnership } from '../../hosting/index.js';
import type { CustomerAccountsService, CustomersService } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { answered } from './account-answers.js';
import { CustomerBelongings, CustomerForms, CustomerOwnAccount } from './customer-account-functions.js';
import { withPermission } from './with-permission.js';

/** Binds the customer service to one plugin; it requires the permission `customers`. */
@Injectable()
export class CustomerFunctionsFactory {
  constructor(
    private readonly customers: Customers,
    private readonly sessions: CustomerSessions,
    private readonly owners: HostOwners,
    private readonly ownership: HostOwnership,
  ) {}

  serviceFor(plugin: PluginPackage): CustomersService {
    const { customers, sessions, owners, ownership } = this;
    return withPermission<CustomersService>(plugin, 'customers', 'svc.customers', {
      current: (ctx) => sessions.current(ctx),
      get: (id) => customers.get(id),
      ownerOf: async (hostId) => {
        const owner = await owners.ownerOf(hostId);
        return owner === null ? null : customers.get(owner);
      },
      hostsOf: (customerId) => ownership.hostsOf(customerId),
      assignHost: (hostId, customerId) => ownership.assign(hostId, customerId),
    });
  }
}

/** Binds the functions for account pages to one plugin. */
@Injectable()
export class AccountFunctionsFactory {
  constructor(
    private readonly forms: CustomerForms,
    private readonly belongings: CustomerBelongings,
    private readonly own: CustomerOwnAccount,
    private readonly pages: AccountPagesAddress,
    private readonly entry: CustomerEntry,
  ) {}

  serviceFor(plugin: PluginPackage, registrations: RegistrationScope): CustomerAccountsService {
    return withPermission<CustomerAccountsService>(plugin, 'customers', 'svc.customerAccounts', {
      serve: (path) => registrations.add(this.pages.serve(path)),
      signOut: (ctx) => answered(ctx, async () => ({ text: 'customers.signed_out', cookies: await this.entry.close(ctx), extra: {} })),
      ...this.forms.functions(),
      ...this.belongings.functions(),
      ...this.own.functions(),
    });
  }
}
