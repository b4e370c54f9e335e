import type { PluginPackage } from '../package/manifest.js';
import { mayUse, requirePermission } from '../package/permissions.js';

/** Tables of the panel, of plugins, and of the database system, anywhere in a statement. */
const OTHERS = /\bSVC_[\w-]+|\b(?:sqlite|pragma)_\w+|\b(?:information_schema|performance_schema|mysql|sys)["`\]]?\s*\./gi;
/** Statements that execute text or access files. */
const OTHER_STATEMENTS = /^\s*(?:prepare|execute|call|load|handler|pragma|attach|vacuum)\b/i;

/**
 * Checks a statement of a plugin that may only use its own tables. This enforces the manifest for honest authors; it is no sandbox, since
 * code in the panel's process has other ways.
 *
 * @param sql as written by the plugin, with its tables as `{name}`
 * @param own full names of its own tables that are allowed as well
 * @throws PluginError PERMISSION_MISSING without `tables`; without `raw_sql` naming the first foreign table or forbidden statement
 */
export function requireOwnTables(plugin: PluginPackage, sql: string, own: ReadonlySet<string> = new Set()): void {
  if (mayUse(plugin, 'raw_sql')) return;
  requirePermission(plugin, 'tables', 'svc.db');
  const text = String(sql);
  const other = OTHER_STATEMENTS.exec(text)?.[0].trim() ?? text.match(OTHERS)?.find((name) => !own.has(name));
  if (other !== undefined) requirePermission(plugin, 'raw_sql', `svc.db: ${other}`);
}
