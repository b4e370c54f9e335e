import type { Engine } from '../../database/index.js';

/** Maximum names listed per type. */
const MAX_NAMES = 20;

/**
 * Lists what a backup of a server database does not contain: only tables are backed up, not views, triggers or routines, which the panel
 * itself never creates. A backup of SQLite contains everything.
 *
 * @param query runs a SELECT
 * @returns names such as `view totals`, at most 20 per type
 */
export async function notInBackups(engine: Engine, query: <Row>(sql: string) => Promise<Row[]>): Promise<string[]> {
  if (engine === 'sqlite') return [];
  const kinds = [
    ['view', 'table_name', 'views', 'table_schema'],
    ['trigger', 'trigger_name', 'triggers', 'trigger_schema'],
    ['routine', 'routine_name', 'routines', 'routine_schema'],
  ] as const;
  const found: string[] = [];
  for (const [kind, name, table, schema] of kinds) {
    const rows = await query<{ name: string }>(
      `SELECT ${name} AS name FROM information_schema.${table} WHERE ${schema} = DATABASE() ORDER BY ${name} LIMIT ${MAX_NAMES}`,
    );
    found.push(...rows.map((row) => `${kind} ${row.name}`));
  }
  return found;
}
