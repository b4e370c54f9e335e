import { Injectable } from '@nestjs/common';

import { CustomerSessions, Customers, HostOwners } from '../../customers/index.js';
import { HostOwnership } from '../../hosting/index.js';
import type { CustomersService } from '../../sdk/index.js';

import { PluginError } from '../errors.js';
import type { PluginPackage } from '../package/manifest.js';
import { CUSTOMERS_PERMISSION, permissionsOf } from '../package/permissions.js';

/** Binds who buys to one plugin: nothing of it works without the permission. */
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
    return withPermission(plugin, 'svc.customers', {
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

type Calls = Record<string, (...args: never[]) => Promise<unknown>>;

/** Every function refuses a plugin that does not ask for the permission. */
function withPermission<Service extends object>({ manifest }: PluginPackage, service: string, calls: Service): Service {
  if (permissionsOf(manifest).includes(CUSTOMERS_PERMISSION)) return calls;
  const refusing = (call: string) => (): Promise<never> =>
    Promise.reject(new PluginError('PERMISSION_MISSING', { call: `${service}.${call}`, permission: CUSTOMERS_PERMISSION }));
  return Object.fromEntries(Object.keys(calls as Calls).map((call) => [call, refusing(call)])) as Service;
}
