import { addressOfPermission, grantedBy, permissionsOf, type KnownPermission } from '../../packaging/index.js';

import { PluginError } from '../errors.js';

import type { PluginPackage } from './manifest.js';

/** A plugin, as needed to check its permissions. */
type Asking = Pick<PluginPackage, 'manifest'>;

/** Whether a plugin has a permission. */
export function mayUse({ manifest }: Asking, permission: KnownPermission): boolean {
  return grantedBy(permissionsOf(manifest)).includes(permission);
}

/** Whether a plugin may send requests to a host. */
export function mayReach(plugin: Asking, host: string): boolean {
  if (mayUse(plugin, 'network')) return true;
  const hostName = host.toLowerCase();
  return permissionsOf(plugin.manifest).some((name) => {
    const address = addressOfPermission(name);
    return address?.startsWith('*.') ? hostName.endsWith(address.slice(1)) : hostName === address;
  });
}

/** @throws PluginError PERMISSION_MISSING naming the permission and the call that needs it */
export function requirePermission(plugin: Asking, permission: KnownPermission, call: string): void {
  if (!mayUse(plugin, permission)) throw new PluginError('PERMISSION_MISSING', { call, permission });
}
