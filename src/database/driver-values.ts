import { toSqlTime } from './sql-time.js';

/** A value a statement can take; a `Date` becomes UTC text, a boolean 0 or 1. */
export type SqlValue = string | number | bigint | boolean | Date | Buffer | null;

/** A value as both drivers take it. */
type DriverValue = string | number | bigint | Buffer | null;

/** Values of a statement as both drivers take them. */
export function sqlParams(params: readonly SqlValue[]): readonly DriverValue[] {
  // Look-ups on every request pass texts and numbers only: those go through as they are.
  for (const value of params) {
    if (typeof value === 'boolean' || value instanceof Date) return params.map(driverValue);
  }
  return params as readonly DriverValue[];
}

function driverValue(value: SqlValue): DriverValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof Date ? toSqlTime(value) : value;
}
