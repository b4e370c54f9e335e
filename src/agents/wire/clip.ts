const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * Text of an agent as a column can hold it: at most `length` characters (code points, as databases count), well-formed, without
 * control characters but tab and line breaks. Anything that is neither text nor a number is empty.
 */
export function clip(value: unknown, length: number): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  // Cut first: what may be megabytes long is looked through only as far as it is kept.
  const text = String(value)
    .slice(0, 2 * length + 1)
    .toWellFormed()
    .replace(CONTROL, ' ');
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}

/** A whole number of at least 0 that a 32-bit column holds; 0 for anything else. */
export function count(value: unknown): number {
  const number = Math.trunc(Number(typeof value === 'number' || typeof value === 'string' ? value : 0));
  return Number.isFinite(number) ? Math.min(Math.max(number, 0), 2_147_483_647) : 0;
}

/** An object's own fields; none for anything that is no plain object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Longest JSON text kept of a result: what a text column of the smaller engine holds, with room to spare. */
const MAX_JSON_BYTES = 60_000;
const HEAD_LENGTH = 2_000;

/** A value as JSON text for a column; of one that is too long, how long it was and how it began. */
export function jsonForColumn(value: unknown): string {
  let text: string;
  try {
    text = (JSON.stringify(value) ?? 'null').toWellFormed();
  } catch {
    // Nested so deep that writing it overflows the stack.
    return JSON.stringify({ truncated: true, reason: 'nested too deep' });
  }
  const bytes = Buffer.byteLength(text);
  return bytes <= MAX_JSON_BYTES ? text : JSON.stringify({ truncated: true, bytes, head: clip(text, HEAD_LENGTH) });
}
