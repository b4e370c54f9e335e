import { toSqlTime } from './sql-time.js';

/** A statement parameter; a `Date` becomes UTC text, a boolean 0 or 1. */
export type SqlValue = string | number | bigint | boolean | Date | Buffer | null;

/** A value both drivers accept. */
type DriverValue = string | number | bigint | Buffer | null;

/** Converts parameters to values both drivers accept. */
export function sqlParams(params: readonly SqlValue[]): readonly DriverValue[] {
  // Fast path: lookups on every request pass only texts and numbers, which need no conversion.
  for (const value of params) {
    if (typeof value === 'boolean' || value instanceof Date) return params.map(driverValue);
  }
  return params as readonly DriverValue[];
}

function driverValue(value: SqlValue): DriverValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof Date ? toSqlTime(value) : value;
}
