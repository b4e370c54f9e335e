const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * Prepares untrusted text for a column: at most `length` characters (code points, as databases count), well-formed, without control
 * characters except tab and line breaks. Returns '' for anything but a string or number.
 */
export function clip(value: unknown, length: number): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  // Truncated first, because the text may be megabytes long.
  const text = String(value)
    .slice(0, 2 * length + 1)
    .toWellFormed()
    .replace(CONTROL, ' ');
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}

/** Converts to a non-negative integer that fits a 32-bit column; 0 for anything invalid. */
export function count(value: unknown): number {
  const number = Math.trunc(Number(typeof value === 'number' || typeof value === 'string' ? value : 0));
  return Number.isFinite(number) ? Math.min(Math.max(number, 0), 2_147_483_647) : 0;
}

/** Returns the fields of a plain object; an empty object for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Maximum length of a stored JSON result in bytes: a MySQL text column with some margin. */
const MAX_JSON_BYTES = 60_000;
const HEAD_LENGTH = 2_000;

/** Serializes a value for a column; a value that is too long is replaced by its length and beginning. */
export function jsonForColumn(value: unknown): string {
  let text: string;
  try {
    text = (JSON.stringify(value) ?? 'null').toWellFormed();
  } catch {
    // Nesting too deep for the stack.
    return JSON.stringify({ truncated: true, reason: 'nested too deep' });
  }
  const bytes = Buffer.byteLength(text);
  return bytes <= MAX_JSON_BYTES ? text : JSON.stringify({ truncated: true, bytes, head: clip(text, HEAD_LENGTH) });
}
