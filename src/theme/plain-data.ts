import { isConstant } from './constant-data.js';
import { TrustedHtml } from './trusted-html.js';

const MAX_DEPTH = 12;
const MAX_NODES = 100_000;

/** Data of a template, or an override's first argument. */
export type PlainData = Record<string, unknown>;

/**
 * Copies `vars` as plain JSON data, because a template engine calls functions and reads getters:
 * functions, accessors, symbols and `__proto__` keys are left out, dates become ISO text, class instances become plain objects
 * of their own fields, cycles and anything deeper than 12 levels become null.
 *
 * @param trusted returns the replacement of a {@link TrustedHtml} in the copy
 * @param own whether the copy must be fully mutable; otherwise data of {@link constantData} is shared
 * @throws RangeError for more than 100,000 values: such a list should be paged
 */
export function toPlainData(vars: object, trusted: (html: TrustedHtml) => unknown, own = true): PlainData {
  let nodes = 0;

  function copy(value: unknown, depth: number): unknown {
    nodes += 1;
    if (nodes > MAX_NODES) throw new RangeError('Too many values for one page.');
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : null;
      case 'bigint':
        return value.toString();
      case 'object':
        return value === null ? null : copyObject(value, depth);
      default:
        return undefined;
    }
  }

  function copyObject(value: object, depth: number): unknown {
    if (value instanceof TrustedHtml) return trusted(value);
    if (!own && isConstant(value)) return value;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (depth >= MAX_DEPTH) return null;
    if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1) ?? null);
    return copyFields(value, depth);
  }

  function copyFields(value: object, depth: number): PlainData {
    const plain: PlainData = {};
    for (const key of Object.keys(value)) {
      // One by one: reading all descriptors of an object at once takes six times as long.
      const field = Object.getOwnPropertyDescriptor(value, key);
      if (key === '__proto__' || !field || !('value' in field)) continue;
      const copied = copy(field.value, depth + 1);
      if (copied !== undefined) plain[key] = copied;
    }
    return plain;
  }

  return copyFields(vars, 0);
}
