/** Characters that would break a line or colour a terminal; includes the separators U+2028 and U+2029. */
export const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Text that fits into a line of a log. */
export function oneLine(text: string): string {
  return text.replace(CONTROL_CHARACTERS, ' ').trim();
}

/** At most `length` UTF-16 units, never half a code point. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, isLowSurrogate(text.charCodeAt(length)) ? length - 1 : length);
}

/** Whether a UTF-16 unit is the second half of a code point. */
export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** `2026-11-21 08:00:00` in the zone of this server. */
export function localTime(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return (
    `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  );
}
