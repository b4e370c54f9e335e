import { Transform } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';

import { MAX_ID } from '../database/index.js';

/** What is written as `pattern` says becomes a number, `""` counts as not given, and anything else stays as it is. */
const numberLike = (pattern: RegExp): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (value === undefined || value === '') return undefined;
    return typeof value === 'string' && pattern.test(value.trim()) ? Number(value) : value;
  });

/** A form field that holds a whole number: `""` counts as not given, anything else that is no number fails `IsInt`. */
export const WholeNumber = (): PropertyDecorator => numberLike(/^-?\d{1,15}$/);

const idFrom =
  (least: number): PropertyDecorator =>
  (target, property) => {
    // The rule that is registered first is the one a refusal names.
    for (const decorate of [Max(MAX_ID), Min(least), IsInt(), WholeNumber()]) decorate(target, property);
  };

/** A form field that holds the id of a row; `""` counts as not given. */
export const RowId = (): PropertyDecorator => idFrom(1);

/** A form field that holds the id of a row, or 0 for none; `""` counts as not given. */
export const RowIdOrZero = (): PropertyDecorator => idFrom(0);

/** A form field that holds a number with at most six decimals: `""` counts as not given, anything else fails `IsNumber`. */
export const DecimalNumber = (): PropertyDecorator => numberLike(/^-?\d{1,15}(\.\d{1,6})?$/);

/** What programs of other systems write for a switch. */
const SWITCH_WORDS = new Map([
  ['', undefined],
  ...['true', '1', 'on', 'yes'].map((word) => [word, true] as const),
  ...['false', '0', 'off', 'no'].map((word) => [word, false] as const),
]);

/**
 * A form field that holds a switch: `true`, `1`, `on`, `yes` are on; `false`, `0`, `off`, `no` are off, in any case and with blanks around;
 * `""` counts as not given, and anything else fails `IsBoolean`.
 */
export const Switch = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    const word = String(value ?? '')
      .trim()
      .toLowerCase();
    return SWITCH_WORDS.has(word) ? SWITCH_WORDS.get(word) : value;
  });

/**
 * A form field that holds one of these words, in any case and with blanks around; `""` counts as not given,
 * and any other word fails `IsIn`.
 */
export const OneOf =
  (words: readonly string[]): PropertyDecorator =>
  (target, property) => {
    const word = ({ value }: { value: unknown }): unknown => {
      if (typeof value !== 'string') return value;
      const given = value.trim().toLowerCase();
      return given === '' ? undefined : (words.find((candidate) => candidate.toLowerCase() === given) ?? value);
    };
    for (const decorate of [Transform(word), IsIn(words)]) decorate(target, property);
  };

/** A form field whose surrounding blanks do not count. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** A form field that holds JSON, as fields in brackets arrive (`cs[token]=…`). @param otherwise makes something of any other text */
export const JsonText = (otherwise: (text: string) => unknown = (text) => text): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return otherwise(value);
    }
  });
