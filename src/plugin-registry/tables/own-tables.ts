import type { PluginPackage } from '../package/manifest.js';
import { mayUse, requirePermission } from '../package/permissions.js';

/** Names of tables of the panel and of plugins, and of what databases keep about themselves, wherever they stand in a statement. */
const OTHERS = /\bSVC_[\w-]+|\b(?:sqlite|pragma)_\w+|\b(?:information_schema|performance_schema|mysql|sys)["`\]]?\s*\./gi;
/** Statements that run a text, or reach for files. */
const OTHER_STATEMENTS = /^\s*(?:prepare|execute|call|load|handler|pragma|attach|vacuum)\b/i;

/**
 * Looks through a statement of a plugin that may use its own tables only. It keeps an honest author to what his manifest says; code in
 * the panel's process has other ways.
 *
 * @param sql as the plugin gave it: its own tables are `{name}`
 * @param own full names of tables of its own that may stand there all the same
 * @throws PluginError PERMISSION_MISSING without `tables`; without `raw_sql` naming the first table, or the statement, that is not its own
 */
export function requireOwnTables(plugin: PluginPackage, sql: string, own: ReadonlySet<string> = new Set()): void {
  if (mayUse(plugin, 'raw_sql')) return;
  requirePermission(plugin, 'tables', 'svc.db');
  const text = String(sql);
  const other = OTHER_STATEMENTS.exec(text)?.[0].trim() ?? text.match(OTHERS)?.find((name) => !own.has(name));
  if (other !== undefined) requirePermission(plugin, 'raw_sql', `svc.db: ${other}`);
}
