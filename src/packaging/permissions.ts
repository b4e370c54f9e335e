/** Kept from a plugin that does not name it, also from one whose manifest has no `permissions`. */
const ALWAYS_ASKED_FOR = ['host_driver', 'dns', 'customers', 'credit', 'names', 'host_passwords', 'mail'] as const;

/** Kept from a plugin whose manifest has `permissions` and does not name it there. */
const ASKED_FOR = [
  /** `svc.hosts`: lists, opens, changes and deletes hosts. */
  'hosts',
  /** `svc.orders`: lists, makes and closes orders. */
  'orders',
  /** `svc_save_payment_methods`: changes settings of the panel. */
  'settings',
  /** Outside addresses; `network:<host>` is that one, `network:*.<domain>` those below. */
  'network',
  /** `svc.db` and repositories: tables of its own. */
  'tables',
  /** Statements about other tables than its own. */
  'raw_sql',
  /** Addresses besides `/p/<slug>` and `/pay/<slug>`, and the home page. */
  'routes',
  /** Files of the machine, by Node's `fs`. */
  'fs',
  /** Programs, threads and modules of the machine, by Node's `child_process` and its like. */
  'child_process',
] as const;

/** What a manifest without `permissions` counts as asking for: all of {@link ASKED_FOR}. */
export const UNDECLARED = 'undeclared';

/** A permission the panel knows; `network:<host>` is one, too. Source: docs/plugin-api.md "Permissions". */
export type KnownPermission = (typeof ALWAYS_ASKED_FOR)[number] | (typeof ASKED_FOR)[number];

/** Names a manifest may give, besides `network:<host>`. */
export const PERMISSIONS: readonly KnownPermission[] = [...ALWAYS_ASKED_FOR, ...ASKED_FOR];

/** One outside address, or `*.` and all below a domain. */
const ONE_ADDRESS = /^network:((?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,198}[a-z0-9])?)$/i;

/** The host a permission names, in lower case; null where it is another permission. */
export function addressOfPermission(name: string): string | null {
  return ONE_ADDRESS.exec(name)?.[1]?.toLowerCase() ?? null;
}

/** Whether a name is one the panel knows; others are words of the author. */
export function isKnownPermission(name: string): boolean {
  return name === UNDECLARED || (PERMISSIONS as readonly string[]).includes(name) || addressOfPermission(name) !== null;
}

/** What a manifest of a plugin asks for; {@link UNDECLARED} alone where it has no `permissions`, or none that can be read. */
export function permissionsOf(manifest: { permissions?: unknown } | null): string[] {
  if (!Array.isArray(manifest?.permissions)) return [UNDECLARED];
  return manifest.permissions.filter((item): item is string => typeof item === 'string' && item !== UNDECLARED);
}

/** What a package may use that asks for these: one that does not say what it needs all that {@link ASKED_FOR} names. */
export function grantedBy(permissions: readonly string[]): readonly string[] {
  return permissions.includes(UNDECLARED) ? [...permissions, ...ASKED_FOR] : permissions;
}

/** The permissions a panel knows among those a package asks for that nobody agreed to yet. */
export function asksBeyond(permissions: readonly string[], agreed: readonly string[]): string[] {
  const isAgreed = (name: string): boolean =>
    agreed.includes(name) || (addressOfPermission(name) !== null && agreed.includes('network' satisfies KnownPermission));
  return permissions.filter((name) => isKnownPermission(name) && !isAgreed(name));
}
