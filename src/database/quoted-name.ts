/** Name of a table or column in a statement that is put together, whatever characters it has. SQLite takes backticks, too. */
export const quotedName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
