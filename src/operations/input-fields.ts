import { Transform } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';

import { MAX_ID } from '../database/index.js';

/** Converts text that matches `pattern` to a number; `""` counts as absent, anything else is left for validation. */
const numberLike = (pattern: RegExp): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (value === undefined || value === '') return undefined;
    return typeof value === 'string' && pattern.test(value.trim()) ? Number(value) : value;
  });

/** A form field with a whole number: `""` counts as absent, anything else that is not a number fails `IsInt`. */
export const WholeNumber = (): PropertyDecorator => numberLike(/^-?\d{1,15}$/);

const idFrom =
  (least: number): PropertyDecorator =>
  (target, property) => {
    // Errors name the rule that was registered first.
    for (const decorate of [Max(MAX_ID), Min(least), IsInt(), WholeNumber()]) decorate(target, property);
  };

/** A form field with the id of a row; `""` counts as absent. */
export const RowId = (): PropertyDecorator => idFrom(1);

/** A form field with the id of a row, or 0 for none; `""` counts as absent. */
export const RowIdOrZero = (): PropertyDecorator => idFrom(0);

/** A form field with a number of at most six decimals: `""` counts as absent, anything else fails `IsNumber`. */
export const DecimalNumber = (): PropertyDecorator => numberLike(/^-?\d{1,15}(\.\d{1,6})?$/);

/** Values that other systems send for a switch. */
const SWITCH_WORDS = new Map([
  ['', undefined],
  ...['true', '1', 'on', 'yes'].map((word) => [word, true] as const),
  ...['false', '0', 'off', 'no'].map((word) => [word, false] as const),
]);

/**
 * A form field with a switch: `true`, `1`, `on`, `yes` are on; `false`, `0`, `off`, `no` are off, in any case and with surrounding blanks;
 * `""` counts as absent, and anything else fails `IsBoolean`.
 */
export const Switch = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    const word = String(value ?? '')
      .trim()
      .toLowerCase();
    return SWITCH_WORDS.has(word) ? SWITCH_WORDS.get(word) : value;
  });

/**
 * A form field with one of these words, in any case and with surrounding blanks; `""` counts as absent, and any other word fails `IsIn`.
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

/** A form field whose surrounding blanks are removed. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** A form field with JSON, as bracket fields arrive (`cs[token]=…`). @param otherwise converts any other text */
export const JsonText = (otherwise: (text: string) => unknown = (text) => text): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return otherwise(value);
    }
  });
