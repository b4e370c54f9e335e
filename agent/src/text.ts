/** Characters that would break a line or control a terminal, including the separators U+2028 and U+2029. */
export const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Replaces control characters, so that a text fits into one log line. */
export function oneLine(text: string): string {
  return text.replace(CONTROL_CHARACTERS, ' ').trim();
}

/** Truncates to at most `length` UTF-16 units without splitting a surrogate pair. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, isLowSurrogate(text.charCodeAt(length)) ? length - 1 : length);
}

/** Whether a UTF-16 unit is a low surrogate. */
export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Formats a time as `2026-11-21 08:00:00` in the time zone of this server. */
export function localTime(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return (
    `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  );
}
