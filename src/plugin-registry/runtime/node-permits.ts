import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';

import { permissionsOf, type KnownPermission } from '../../packaging/index.js';

import type { PluginPackage } from '../package/manifest.js';
import { mayUse, requirePermission } from '../package/permissions.js';

/** Node APIs that one plugin may use. */
export interface NodePermits {
  /** Replacements for Node's globals. */
  readonly globals: Readonly<Record<string, unknown>>;
  /**
   * Returns a replacement for a module; undefined to use the original.
   *
   * @param module without `node:`
   * @throws PluginError PERMISSION_MISSING naming the permission
   */
  require(module: string): unknown;
}

/** Permissions by Node module; modules that run other code count as programs. */
const MODULES: ReadonlyMap<string, KnownPermission> = new Map([
  ...['fs', 'fs/promises', 'sqlite'].map((name) => [name, 'fs'] as const),
  ...['child_process', 'cluster', 'worker_threads', 'vm', 'module', 'inspector', 'inspector/promises', 'repl'].map(
    (name) => [name, 'child_process'] as const,
  ),
  ...['net', 'tls', 'dgram', 'http', 'https', 'http2'].map((name) => [name, 'network'] as const),
]);
/** Exports of `net` that need no network access. */
const NET_WITHOUT_NETWORK = { BlockList, isIP, isIPv4, isIPv6, SocketAddress };
/** Node globals with network access. */
const NETWORK_GLOBALS = ['fetch', 'WebSocket', 'EventSource'] as const;

/**
 * Returns the Node APIs that a plugin's `permissions` allow. This enforces the manifest for honest authors, with immediate errors; it is no
 * sandbox, since code in the panel's process has other ways.
 *
 * @param unsaid called when a plugin uses an allowed module without declaring its permission
 */
export function permitsOf(plugin: PluginPackage, unsaid: (permission: KnownPermission, module: string) => void): NodePermits {
  const refused = mayUse(plugin, 'network') ? [] : NETWORK_GLOBALS.filter((name) => name in globalThis);
  const permissions = permissionsOf(plugin.manifest);
  // A function instead of an arrow function: some of them are called with `new`.
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
        if (!permissions.includes(permission)) unsaid(permission, module);
        return undefined;
      }
      if (module === 'net') return NET_WITHOUT_NETWORK;
      return requirePermission(plugin, permission, `require('${module}')`);
    },
  };
}
