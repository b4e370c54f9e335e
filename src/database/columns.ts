import { Column, type ColumnOptions } from 'typeorm';

import { fenTransformer } from '../common/index.js';

/** Options of the column decorators besides the length. */
export type PlainColumnOptions = Pick<ColumnOptions, 'name' | 'nullable' | 'default' | 'select'>;

/** Maximum row id, and maximum value of an {@link IntegerColumn}. */
export const MAX_ID = 2_147_483_647;

/** Text of at most `length` characters. */
export function StringColumn(length: number, options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'varchar', length, ...options });
}

/** Text of at most 64 KB. */
export function TextColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'text', ...options });
}

/** A 32-bit integer. */
export function IntegerColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'int', ...options });
}

/** A 64-bit floating point number, for measurements but never for money. */
export function FractionColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'double', ...options });
}

const numberTransformer = {
  to: (value: number | null | undefined) => value,
  from: (value: string | number | null) => (value === null ? null : Number(value)),
};

/** An integer up to 2^53, for byte counts and sequence numbers. */
export function BigIntegerColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'bigint', transformer: numberTransformer, ...options });
}

/** A boolean. */
export function FlagColumn(options: PlainColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'boolean', ...options });
}

/** A UTC time with milliseconds. */
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

/** A JSON value of at most 64 KB, stored as text. */
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
