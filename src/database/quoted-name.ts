/** Quotes a table or column name for a dynamic statement. SQLite also accepts backticks. */
export const quotedName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
