/** Byte order mark of a CSV file; spreadsheets need it to detect UTF-8. */
export const CSV_MARK = '\uFEFF';

/**
 * Returns a line of a CSV file (RFC 4180). Cells that a spreadsheet would run as a formula are escaped as text.
 * @example
 * ```ts
 * csvLine(['a "b"', '=1+1']); // "a ""b""",'=1+1 and a line end
 * ```
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Spreadsheets execute cells that start like a formula: https://owasp.org/www-community/attacks/CSV_Injection */
function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
