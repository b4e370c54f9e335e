import { Injectable } from '@nestjs/common';

import type { RegistrationScope } from '../../common/index.js';
import type { SvcFacade } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { CreditFunctionsFactory } from './credit-functions.js';
import { AccountFunctionsFactory, CustomerFunctionsFactory } from './customer-functions.js';
import { HostServices } from './host-services.js';
import { NameFunctionsFactory } from './name-functions.js';
import { OrderFunctionsFactory } from './order-functions.js';

/** Services of the facade for business objects. */
export type BusinessServices = Pick<SvcFacade, 'hosts' | 'orders' | 'customers' | 'customerAccounts' | 'credit' | 'names'>;

/** Binds the services to one plugin: its slug is recorded as the source of its actions. */
@Injectable()
export class BusinessServicesFactory {
  constructor(
    private readonly hosts: HostServices,
    private readonly orders: OrderFunctionsFactory,
    private readonly customers: CustomerFunctionsFactory,
    private readonly accounts: AccountFunctionsFactory,
    private readonly credit: CreditFunctionsFactory,
    private readonly names: NameFunctionsFactory,
  ) {}

  servicesFor(plugin: PluginPackage, registrations: RegistrationScope): BusinessServices {
    return {
      hosts: this.hosts.hostsFor(plugin),
      orders: this.orders.serviceFor(plugin),
      customers: this.customers.serviceFor(plugin),
      customerAccounts: this.accounts.serviceFor(plugin, registrations),
      credit: this.credit.serviceFor(plugin),
      names: this.names.serviceFor(plugin, registrations),
    };
  }
}
