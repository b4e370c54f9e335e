import { addressOfPermission, isKnownPermission, permissionsOf, UNDECLARED, type KnownPermission } from '../../../packaging/index.js';

import type { FindingCollector, FindingPlace } from './finding-collector.js';

/** How code that uses a permission looks. Property names survive every bundler. */
interface PermissionUse {
  readonly permission: KnownPermission;
  /** The text must contain one of these (lower case): a cheap pre-check. */
  readonly hints: readonly string[];
  /** Bounded repetitions only, to avoid catastrophic backtracking. */
  readonly pattern: RegExp;
}

const service = (name: string, calls: string): RegExp => new RegExp(`\\bsvc\\??\\.${name}\\b|\\.${name}\\??\\.(?:${calls})\\s{0,3}\\(`);
const module = (names: string): RegExp =>
  new RegExp(`(?:require\\s{0,3}\\(|\\bfrom|\\bimport\\s{0,3}\\(?)\\s{0,5}['"\`](?:node:)?(?:${names})['"\`]`);

const either = (one: RegExp, other: RegExp): RegExp => new RegExp(`${one.source}|${other.source}`);

const USES: readonly PermissionUse[] = [
  { permission: 'host_driver', hints: ['svc_register_host_driver'], pattern: /\bsvc_register_host_driver\b/ },
  { permission: 'dns', hints: ['svc_register_dns_driver'], pattern: /\bsvc_register_dns_driver\b/ },
  { permission: 'customers', hints: ['customer'], pattern: /\bsvc\??\.customer(?:s|Accounts)\b|\bCustomer(?:s|Accounts)Service\b/ },
  { permission: 'credit', hints: ['credit'], pattern: /\bsvc\??\.credit\b|\bCreditService\b/ },
  { permission: 'names', hints: ['names'], pattern: /\bsvc\??\.names\b|\bNamesService\b/ },
  { permission: 'mail', hints: ['mail'], pattern: /\bsvc\??\.mail\b|\bMailService\b/ },
  { permission: 'host_passwords', hints: ['setpassword', 'signinlink'], pattern: /\bhosts\??\.(?:setPassword|signInLink)\s{0,3}\(/ },
  {
    permission: 'hosts',
    hints: ['hosts'],
    pattern: service('hosts', 'provision|pause|unpause|renew|terminate|find|servers|opened|nodes|groups|setQuota|bindDomain|unbindDomain'),
  },
  { permission: 'orders', hints: ['orders'], pattern: service('orders', 'create|price|find|paid|close|hold|assign') },
  { permission: 'settings', hints: ['svc_save_payment_methods'], pattern: /\bsvc_save_payment_methods\b/ },
  {
    permission: 'network',
    hints: ['svc_http_', '.http', 'fetch', 'websocket', 'net', 'tls', 'dgram', 'http'],
    pattern: either(
      /\bsvc_http_(?:get|post)\b|\bsvc\??\.http\b|(?<![.\w$])fetch\s{0,3}\(|\bnew\s{1,5}WebSocket\b/,
      module('tls|dgram|https?|http2'),
    ),
  },
  { permission: 'tables', hints: ['.db', 'typeorm'], pattern: /\.db\??\.(?:migrate|query|run)\s{0,3}[(<]|['"]@nestjs\/typeorm['"]/ },
  {
    permission: 'raw_sql',
    hints: ['svc_', 'datasource'],
    pattern: /\bnew\s{1,5}DataSource\s{0,3}\(|\b(?:FROM|JOIN|INTO|UPDATE)\s{1,5}["'`]{0,2}SVC_(?!plg_)/i,
  },
  {
    permission: 'routes',
    hints: ['svc_register_home', 'svc_register_route'],
    pattern: /\bsvc_register_home\b|\bsvc_register_route\s{0,3}\([^,]{1,40},\s{0,20}['"`]\/(?!(?:p|pay)\/)/,
  },
  { permission: 'fs', hints: ['fs', 'sqlite'], pattern: module('fs|fs/promises|sqlite') },
  {
    permission: 'child_process',
    hints: ['child_process', 'cluster', 'worker_threads', 'vm', 'module', 'inspector', 'repl', 'binding'],
    pattern: either(module('child_process|cluster|worker_threads|vm|module|inspector(?:/promises)?|repl'), /\bgetBuiltinModule\b/),
  },
];

/** First use of each permission in a package. */
export type UsePlaces = Map<KnownPermission, Pick<FindingPlace, 'file' | 'line' | 'excerpt'>>;

/** Returns whether a file is code that a panel runs. */
export function isPluginCode(path: string): boolean {
  return /\.c?js$/i.test(path) && !path.startsWith('assets/');
}

/**
 * Searches a piece of code for permission uses.
 *
 * @param found called for each permission not yet in `known`, with its first match
 */
export function findUses(
  text: string,
  lower: string,
  known: UsePlaces,
  found: (use: KnownPermission, match: RegExpExecArray) => void,
): void {
  for (const { permission, hints, pattern } of USES) {
    if (known.has(permission) || !hints.some((hint) => lower.includes(hint))) continue;
    const match = pattern.exec(text);
    if (match) found(permission, match);
  }
}

/** Reports permissions that are used but not requested, requested but apparently unused, and unknown. */
export function comparePermissions(manifest: Record<string, unknown> | null, uses: UsePlaces, findings: FindingCollector): void {
  const permissions = permissionsOf(manifest);
  if (permissions.includes(UNDECLARED)) {
    if (uses.size > 0) findings.add('permissions_missing', 'info', { file: 'plugin.json', params: { used: [...uses.keys()].join(', ') } });
    return;
  }
  const reaches = permissions.some((name) => addressOfPermission(name) !== null);
  for (const [permission, place] of uses)
    if (!permissions.includes(permission) && !(permission === 'network' && reaches))
      findings.add('permission_unasked', 'warning', { ...place, params: { permission } });
  for (const name of permissions) {
    if (!isKnownPermission(name))
      findings.add('permission_unknown', 'info', { file: 'plugin.json', params: { permission: name.slice(0, 60) } });
    else if (!uses.has(addressOfPermission(name) === null ? (name as KnownPermission) : 'network'))
      findings.add('permission_unused', 'info', { file: 'plugin.json', params: { permission: name.slice(0, 60) } });
  }
}
