/** Denied unless the plugin's manifest lists them, even if the manifest has no `permissions` at all. */
const ALWAYS_ASKED_FOR = ['host_driver', 'dns', 'customers', 'credit', 'names', 'host_passwords', 'mail'] as const;

/** Denied only to plugins whose manifest has `permissions` without listing them. */
const ASKED_FOR = [
  /** `svc.hosts`: list, open, change and delete hosts. */
  'hosts',
  /** `svc.orders`: list, create and close orders. */
  'orders',
  /** `svc_save_payment_methods`: change the panel's settings. */
  'settings',
  /** Outbound addresses; `network:<host>` is one host, `network:*.<domain>` its subdomains. */
  'network',
  /** `svc.db` and repositories: the plugin's own tables. */
  'tables',
  /** SQL statements on other tables. */
  'raw_sql',
  /** Routes other than `/p/<slug>` and `/pay/<slug>`, and the home page. */
  'routes',
  /** File system access with Node's `fs`. */
  'fs',
  /** Processes, threads and modules with Node's `child_process` and similar. */
  'child_process',
] as const;

/** Stands for all of {@link ASKED_FOR}, which a manifest without `permissions` implicitly requests. */
export const UNDECLARED = 'undeclared';

/** A known permission, including `network:<host>`. Source: docs/plugin-api.md "Permissions". */
export type KnownPermission = (typeof ALWAYS_ASKED_FOR)[number] | (typeof ASKED_FOR)[number];

/** Names a manifest may list, besides `network:<host>`. */
export const PERMISSIONS: readonly KnownPermission[] = [...ALWAYS_ASKED_FOR, ...ASKED_FOR];

/** One host, or `*.` for all subdomains of a domain. */
const ONE_ADDRESS = /^network:((?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,198}[a-z0-9])?)$/i;

/** Returns the host of a `network:` permission, in lower case; null for other permissions. */
export function addressOfPermission(name: string): string | null {
  return ONE_ADDRESS.exec(name)?.[1]?.toLowerCase() ?? null;
}

/** Returns whether a permission is known; others are free text of the author. */
export function isKnownPermission(name: string): boolean {
  return name === UNDECLARED || (PERMISSIONS as readonly string[]).includes(name) || addressOfPermission(name) !== null;
}

/** Returns the permissions a plugin's manifest requests; only {@link UNDECLARED} if `permissions` is missing or invalid. */
export function permissionsOf(manifest: { permissions?: unknown } | null): string[] {
  if (!Array.isArray(manifest?.permissions)) return [UNDECLARED];
  return manifest.permissions.filter((item): item is string => typeof item === 'string' && item !== UNDECLARED);
}

/** Returns what a package with these permissions may use; {@link UNDECLARED} grants all of {@link ASKED_FOR}. */
export function grantedBy(permissions: readonly string[]): readonly string[] {
  return permissions.includes(UNDECLARED) ? [...permissions, ...ASKED_FOR] : permissions;
}

/** Returns the known permissions a package requests that are not yet agreed to. */
export function newPermissions(permissions: readonly string[], agreed: readonly string[]): string[] {
  const isAgreed = (name: string): boolean =>
    agreed.includes(name) || (addressOfPermission(name) !== null && agreed.includes('network' satisfies KnownPermission));
  return permissions.filter((name) => isKnownPermission(name) && !isAgreed(name));
}
