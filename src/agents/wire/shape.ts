/**
 * Schemas of values exchanged between panel and agent: one declaration provides both type and validation. Written by hand because an agent
 * is a single file without dependencies that copies this folder, and because undeclared fields are rejected like missing ones.
 */

/** Validation error with the position. Never contains the value, which may be a secret. */
export class ShapeError extends Error {
  constructor(
    /** Position, such as `args.domains[3].name`. */
    readonly at: string,
    /** Violated rule. */
    readonly rule: string,
  ) {
    super(`${at} ${rule}`);
  }
}

/** Validates a value. */
export interface Shape<T> {
  /** @throws ShapeError */
  read(value: unknown, at: string): T;
}

/** Type a shape validates. */
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

/** Type of an object with such fields. */
export type FieldsOf<F extends Readonly<Record<string, Shape<unknown>>>> = { readonly [Key in keyof F]: ShapeOf<F[Key]> };

// Includes lone surrogates, which cannot be encoded in UTF-8.
const CONTROL = /[\p{Cc}\p{Cs}]/u;
const CONTROL_BUT_LINES = /(?![\n\t])[\p{Cc}\p{Cs}]/u;

function shape<T>(rule: string, isOne: (value: unknown) => boolean): Shape<T> {
  return {
    read: (value, at) => {
      if (!isOne(value)) throw new ShapeError(at, rule);
      return value as T;
    },
  };
}

/** A well-formed text of one line. @param most maximum length in UTF-16 units */
export function text(max: number, pattern: RegExp | null = null, min = 0): Shape<string> {
  return shape(
    `must be a text of ${min} to ${max} characters${pattern ? ` of the form ${pattern.source}` : ''} in one line`,
    (value) =>
      typeof value === 'string' &&
      value.length >= min &&
      value.length <= max &&
      !CONTROL.test(value) &&
      (pattern === null || pattern.test(value)),
  );
}

/** A well-formed text of any number of lines separated by `\n`. @param most maximum length in UTF-16 units */
export function lines(max: number): Shape<string> {
  return shape(
    `must be a text of at most ${max} characters`,
    (value) => typeof value === 'string' && value.length <= max && !CONTROL_BUT_LINES.test(value),
  );
}

/** An integer within bounds. */
export function whole(min: number, max: number): Shape<number> {
  return shape(
    `must be a whole number from ${min} to ${max}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  );
}

/** True or false. */
export const flag: Shape<boolean> = shape('must be true or false', (value) => typeof value === 'boolean');

/** One of the given values. */
export function oneOf<const Value extends string | number>(...values: readonly Value[]): Shape<Value> {
  return shape(`must be one of ${values.join(', ')}`, (value) => (values as readonly unknown[]).includes(value));
}

/** A list with bounded length. */
export function list<T>(of: Shape<T>, max: number, min = 0): Shape<readonly T[]> {
  return {
    read: (value, at) => {
      if (!Array.isArray(value) || value.length > max || value.length < min) throw new ShapeError(at, `must be a list of ${min} to ${max}`);
      return value.map((entry, index) => of.read(entry, `${at}[${index}]`));
    },
  };
}

/** A nullable value. */
export function maybe<T>(of: Shape<T>): Shape<T | null> {
  return { read: (value, at) => (value === null ? null : of.read(value, at)) };
}

/** An object with exactly these fields. */
export function fields<F extends Readonly<Record<string, Shape<unknown>>>>(shapes: F): Shape<FieldsOf<F>> & { readonly shapes: F } {
  const names = Object.keys(shapes);
  return {
    shapes,
    read: (value, at) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError(at, 'must be an object');
      const given = value as Record<string, unknown>;
      const strange = Object.keys(given).find((name) => !Object.hasOwn(shapes, name));
      if (strange !== undefined) throw new ShapeError(at, 'has an unknown field');
      return Object.fromEntries(names.map((name) => [name, shapes[name]!.read(given[name], `${at}.${name}`)])) as FieldsOf<F>;
    },
  };
}
