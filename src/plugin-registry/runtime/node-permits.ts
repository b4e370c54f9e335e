import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';

import { permissionsOf, type KnownPermission } from '../../packaging/index.js';

import type { PluginPackage } from '../package/manifest.js';
import { mayUse, requirePermission } from '../package/permissions.js';

/** What of Node one plugin may use. */
export interface NodePermits {
  /** In place of Node's globals of these names. */
  readonly globals: Readonly<Record<string, unknown>>;
  /**
   * A module in another form; undefined: as it is.
   *
   * @param module without `node:`
   * @throws PluginError PERMISSION_MISSING naming the permission
   */
  require(module: string): unknown;
}

/** Modules of Node by what they reach for; those that run code of their own are as good as programs. */
const MODULES: ReadonlyMap<string, KnownPermission> = new Map([
  ...['fs', 'fs/promises', 'sqlite'].map((name) => [name, 'fs'] as const),
  ...['child_process', 'cluster', 'worker_threads', 'vm', 'module', 'inspector', 'inspector/promises', 'repl'].map(
    (name) => [name, 'child_process'] as const,
  ),
  ...['net', 'tls', 'dgram', 'http', 'https', 'http2'].map((name) => [name, 'network'] as const),
]);
/** What of `net` reaches for nothing. */
const NET_WITHOUT_NETWORK = { BlockList, isIP, isIPv4, isIPv6, SocketAddress };
/** Globals of Node by which outside addresses are reached. */
const NETWORK_GLOBALS = ['fetch', 'WebSocket', 'EventSource'] as const;

/**
 * What a plugin's own code gets of Node: what its `permissions` name. It keeps an honest author to what his manifest says and tells him
 * at once; code in the panel's process has other ways.
 *
 * @param unsaid told of what a plugin may use that does not say what it needs, and uses
 */
export function permitsOf(plugin: PluginPackage, unsaid: (permission: KnownPermission, module: string) => void): NodePermits {
  const refused = mayUse(plugin, 'network') ? [] : NETWORK_GLOBALS.filter((name) => name in globalThis);
  const asked = permissionsOf(plugin.manifest);
  // A function, not an arrow: some of them are called with `new`.
  const refusing = (name: string) =>
    function (): void {
      requirePermission(plugin, 'network', name);
    };
  return {
    globals: Object.fromEntries(refused.map((name) => [name, refusing(name)])),
    require: (module) => {
      const permission = MODULES.get(module);
      if (permission === undefined) return undefined;
      if (mayUse(plugin, permission)) {
        if (!asked.includes(permission)) unsaid(permission, module);
        return undefined;
      }
      if (module === 'net') return NET_WITHOUT_NETWORK;
      return requirePermission(plugin, permission, `require('${module}')`);
    },
  };
}
