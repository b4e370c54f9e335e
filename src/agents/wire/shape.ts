/**
 * Shapes of values that panel and agent send each other: one declaration gives the type and the check. Written by hand because an
 * agent is one file without dependencies that copies this folder, and because nothing may pass that is not declared: a field too
 * many is refused like one too few.
 */

/** Tells where a value is not what it should be. Never holds the value itself, which may be a secret. */
export class ShapeError extends Error {
  constructor(
    /** Such as `args.domains[3].name`. */
    readonly at: string,
    /** What is asked of it. */
    readonly rule: string,
  ) {
    super(`${at} ${rule}`);
  }
}

/** Reads a value of one kind. */
export interface Shape<T> {
  /** @throws ShapeError */
  read(value: unknown, at: string): T;
}

/** The type a shape reads. */
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

/** The type of an object with such fields. */
export type FieldsOf<F extends Readonly<Record<string, Shape<unknown>>>> = { readonly [Key in keyof F]: ShapeOf<F[Key]> };

// Lone surrogates too: no text of UTF-8 has one.
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

/** A well-formed text of one line. @param most characters (UTF-16 units) */
export function text(most: number, pattern: RegExp | null = null, least = 0): Shape<string> {
  return shape(
    `must be a text of ${least} to ${most} characters${pattern ? ` of the form ${pattern.source}` : ''} in one line`,
    (value) =>
      typeof value === 'string' &&
      value.length >= least &&
      value.length <= most &&
      !CONTROL.test(value) &&
      (pattern === null || pattern.test(value)),
  );
}

/** A well-formed text of any number of lines that end in `\n`. @param most characters */
export function lines(most: number): Shape<string> {
  return shape(
    `must be a text of at most ${most} characters`,
    (value) => typeof value === 'string' && value.length <= most && !CONTROL_BUT_LINES.test(value),
  );
}

/** A whole number. */
export function whole(least: number, most: number): Shape<number> {
  return shape(
    `must be a whole number from ${least} to ${most}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  );
}

/** True or false. */
export const flag: Shape<boolean> = shape('must be true or false', (value) => typeof value === 'boolean');

/** One of some values. */
export function oneOf<const Value extends string | number>(...values: readonly Value[]): Shape<Value> {
  return shape(`must be one of ${values.join(', ')}`, (value) => (values as readonly unknown[]).includes(value));
}

/** Any number of values up to `most`. */
export function list<T>(of: Shape<T>, most: number, least = 0): Shape<readonly T[]> {
  return {
    read: (value, at) => {
      if (!Array.isArray(value) || value.length > most || value.length < least)
        throw new ShapeError(at, `must be a list of ${least} to ${most}`);
      return value.map((entry, index) => of.read(entry, `${at}[${index}]`));
    },
  };
}

/** A value, or null. */
export function maybe<T>(of: Shape<T>): Shape<T | null> {
  return { read: (value, at) => (value === null ? null : of.read(value, at)) };
}

/** An object with these fields, all of them, and no other. */
export function fields<F extends Readonly<Record<string, Shape<unknown>>>>(shapes: F): Shape<FieldsOf<F>> & { readonly shapes: F } {
  const names = Object.keys(shapes);
  return {
    shapes,
    read: (value, at) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError(at, 'must be an object');
      const given = value as Record<string, unknown>;
      const strange = Object.keys(given).find((name) => !Object.hasOwn(shapes, name));
      if (strange !== undefined) throw new ShapeError(at, 'has a field that nobody knows');
      return Object.fromEntries(names.map((name) => [name, shapes[name]!.read(given[name], `${at}.${name}`)])) as FieldsOf<F>;
    },
  };
}
