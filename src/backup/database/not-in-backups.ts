import type { Engine } from '../../database/index.js';

/** What there may be of a kind: far more than anybody wants to be told. */
const MOST = 20;

/**
 * Names what a backup of a server's database leaves out: it holds tables, and neither views nor triggers and routines, which nothing of the
 * panel makes. One of an SQLite file has all of it.
 *
 * @param query runs a SELECT
 * @returns such as `view totals`, at most 20 of each kind
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
      `SELECT ${name} AS name FROM information_schema.${table} WHERE ${schema} = DATABASE() ORDER BY ${name} LIMIT ${MOST}`,
    );
    found.push(...rows.map((row) => `${kind} ${row.name}`));
  }
  return found;
}
