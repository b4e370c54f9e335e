import type { PluginManifest } from '../../sdk/index.js';

/** What `permissions` of plugin.json has to name before `svc_register_host_driver` works: such a plugin sees the keys of its servers. */
export const HOST_DRIVER_PERMISSION = 'host_driver';

/** What it has to name before `svc_register_dns_driver` works: such a plugin sees the credentials of its accounts. */
export const DNS_PERMISSION = 'dns';

/** What it has to name before `svc.customers` works: such a plugin knows who buys, and hands hosts to them. */
export const CUSTOMERS_PERMISSION = 'customers';

/** What it has to name before `svc.credit` works: such a plugin takes credit for orders and gives it back. */
export const CREDIT_PERMISSION = 'credit';

/** What it has to name before `svc.names` works: such a plugin sells names below the domains of the reseller. */
export const NAMES_PERMISSION = 'names';

/** What it has to name before `svc.hosts.setPassword` and `signInLink` work: such a plugin can sign in to every host. */
export const HOST_PASSWORDS_PERMISSION = 'host_passwords';

/** What it has to name before `svc.mail` works: such a plugin writes to people in the name of the panel. */
export const MAIL_PERMISSION = 'mail';

/** Permissions the panel asks for and has words for, `plugins.permission.<name>`; others are words of the author. */
export const KNOWN_PERMISSIONS: readonly string[] = [
  HOST_DRIVER_PERMISSION,
  DNS_PERMISSION,
  CUSTOMERS_PERMISSION,
  CREDIT_PERMISSION,
  NAMES_PERMISSION,
  HOST_PASSWORDS_PERMISSION,
  MAIL_PERMISSION,
];

/** What a package says it needs: texts, whatever its manifest holds. */
export function permissionsOf({ permissions }: Pick<PluginManifest, 'permissions'>): string[] {
  const given: unknown = permissions;
  return Array.isArray(given) ? given.filter((item): item is string => typeof item === 'string') : [];
}
