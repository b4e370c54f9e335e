import { addressOfPermission, grantedBy, permissionsOf, type KnownPermission } from '../../packaging/index.js';

import { PluginError } from '../errors.js';

import type { PluginPackage } from './manifest.js';

/** A plugin, as far as what it may do is concerned. */
type Asking = Pick<PluginPackage, 'manifest'>;

/** Whether a plugin may use what a permission is about. */
export function mayUse({ manifest }: Asking, permission: KnownPermission): boolean {
  return grantedBy(permissionsOf(manifest)).includes(permission);
}

/** Whether a plugin may ask a host of the network for something. */
export function mayReach(plugin: Asking, host: string): boolean {
  if (mayUse(plugin, 'network')) return true;
  const asked = host.toLowerCase();
  return permissionsOf(plugin.manifest).some((name) => {
    const address = addressOfPermission(name);
    return address?.startsWith('*.') ? asked.endsWith(address.slice(1)) : asked === address;
  });
}

/** @throws PluginError PERMISSION_MISSING naming the permission, and what needs it */
export function requirePermission(plugin: Asking, permission: KnownPermission, call: string): void {
  if (!mayUse(plugin, permission)) throw new PluginError('PERMISSION_MISSING', { call, permission });
}
