import type { KnownPermission } from '../../packaging/index.js';

import { PluginError } from '../errors.js';
import type { PluginPackage } from '../package/manifest.js';
import { mayUse } from '../package/permissions.js';

/** A service of which every function refuses a plugin that does not ask for the permission. */
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
