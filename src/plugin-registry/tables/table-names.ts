export const NAME_PATTERN = /^[a-z][a-z0-9_]{0,39}$/;
/** Maximum length of a name in MySQL, in characters. */
export const MAX_TABLE_NAME = 64;

/** Returns the full name of a plugin's table. @throws Error for an invalid or too long name */
export function tableName(slug: string, name: string): string {
  if (!NAME_PATTERN.test(name))
    throw new Error(`A table's name must be lower-case letters, digits and _, at most 40, not ${JSON.stringify(name)}.`);
  const full = `SVC_plg_${slug}_${name}`;
  if (full.length > MAX_TABLE_NAME) throw new Error(`The table "${full}" has more than ${MAX_TABLE_NAME} characters. Use a shorter name.`);
  return full;
}

/** Returns the name of an index, derived from its columns. */
export function indexName(slug: string, table: string, columns: readonly string[]): string {
  return `IX_${slug}_${table}_${columns.join('_')}`.slice(0, MAX_TABLE_NAME);
}

/** Replaces `{name}` by the quoted full name of the plugin's table. */
export function fullNames(slug: string, sql: string): string {
  return sql.replace(/\{([a-z][a-z0-9_]*)\}/g, (_place, name: string) => `\`${tableName(slug, name)}\``);
}
