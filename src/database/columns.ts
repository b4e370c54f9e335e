import { Column, type ColumnOptions } from 'typeorm';

import { fenTransformer } from '../common/index.js';

/** What the column decorators take besides their length: the legacy name, whether null is allowed, the default. */
export type PlainColumnOptions = Pick<ColumnOptions, 'name' | 'nullable' | 'default' | 'select'>;

/** Largest id of a row, and largest number of an {@link IntegerColumn}. */
export const MAX_ID = 2_147_483_647;

/** Text of at most `length` characters. */
export function StringColumn(length: number, options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'varchar', length, ...options });
}

/** Text of at most 64 KB. */
export function TextColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'text', ...options });
}

/** A whole number, 32 bits. */
export function IntegerColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'int', ...options });
}

/** A number with a fraction, 64 bits: measurements, never money. */
export function FractionColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'double', ...options });
}

const numberTransformer = {
  to: (value: number | null | undefined) => value,
  from: (value: string | number | null) => (value === null ? null : Number(value)),
};

/** A whole number up to 2^53: bytes, sequence numbers. */
export function BigIntegerColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'bigint', transformer: numberTransformer, ...options });
}

/** True or false. */
export function FlagColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'boolean', ...options });
}

/** A moment, UTC, to the millisecond. */
export function TimeColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'datetime', precision: 3, ...options });
}

/** A day, `YYYY-MM-DD`. */
export function DayColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'date', ...options });
}

/** Money: `DECIMAL(12,2)` yuan in the table, integer fen in code. */
export function FenColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'decimal', precision: 12, scale: 2, transformer: fenTransformer, ...options });
}

/** Any JSON value of at most 64 KB, kept as text. */
export function JsonColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({
    type: 'text',
    transformer: {
      to: (value: unknown) => (value === undefined || value === null ? value : JSON.stringify(value)),
      from: (text: string | null) => (text === null ? null : (JSON.parse(text) as unknown)),
    },
    ...options,
  });
}
