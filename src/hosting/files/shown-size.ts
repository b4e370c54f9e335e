const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Formats bytes for display. @example shownSize(1536); // "1.5 KB" */
export function shownSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[unit]}`;
}
