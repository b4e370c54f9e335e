import type { KnownPermission } from '../../packaging/index.js';

import { PluginError } from '../errors.js';
import type { PluginPackage } from '../package/manifest.js';
import { mayUse } from '../package/permissions.js';

/** Returns a service all of whose functions throw unless the plugin declares the permission. */
export function withPermission<Service extends object>(
  plugin: PluginPackage,
  permission: KnownPermission,
  service: string,
  calls: Service,
): Service {
  if (mayUse(plugin, permission)) return calls;
  const refusing = (call: string) => (): never => {
    throw new PluginError('PERMISSION_MISSING', { call: `${service}.${call}`, permission });
  };
  return Object.fromEntries(Object.keys(calls).map((call) => [call, refusing(call)])) as Service;
}
