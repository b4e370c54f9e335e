import { BodyError } from './body-error.js';

/** Maximum number of fields of one body. */
export const MAX_FIELDS = 1_000;

/** Maximum length of a field name, in characters, including brackets. */
export const MAX_KEY_LENGTH = 200;

/** Maximum nesting depth (brackets) of a field name. */
export const MAX_KEY_DEPTH = 5;

const AMPERSAND = 38;
const EQUALS = 61;
const PERCENT = 37;
const PLUS = 43;
const KEY_STEPS = /^([^[\]]+)((?:\[[^[\]]*\])+)$/;
const STEP = /\[([^[\]]*)\]/g;
const ENCODED_RUN = /(?:%[0-9a-f]{2})+/gi;

type Branch = Map<string, string | Branch>;

/**
 * Collects fields into one flat record. A name that occurs once is a text; a name that repeats or has brackets becomes JSON text under the
 * name before the brackets: an array where the keys are exactly 0 to n-1, an object otherwise.
 *
 * @example
 * ```ts
 * const fields = new FormFields();
 * fields.add('ids[]', '7');
 * fields.add('bdf[1][cz]', 'input');
 * fields.record(); // { ids: '["7"]', bdf: '{"1":{"cz":"input"}}' }
 * ```
 */
export class FormFields {
  /** Without a prototype, so that `__proto__` and `constructor` are ordinary names. */
  private readonly flat = Object.create(null) as Record<string, string>;
  private branches: Map<string, Branch> | null = null;
  private count = 0;

  /**
   * Adds one field; a field without a name is ignored.
   *
   * @throws BodyError `BODY_TOO_LARGE` when {@link MAX_FIELDS}, {@link MAX_KEY_LENGTH} or {@link MAX_KEY_DEPTH} is exceeded.
   */
  add(key: string, value: string): void {
    if (++this.count > MAX_FIELDS || key.length > MAX_KEY_LENGTH) throw new BodyError('BODY_TOO_LARGE');
    if (key === '') return;
    const steps = key.endsWith(']') ? KEY_STEPS.exec(key) : null;
    if (steps) {
      this.addNested(
        steps[1]!,
        [...steps[2]!.matchAll(STEP)].map((step) => step[1]!),
        value,
      );
    } else if (this.flat[key] === undefined) {
      this.flat[key] = value;
    } else {
      append(this.branchOf(key), value);
    }
  }

  /** Returns the record so far. */
  record(): Record<string, string> {
    if (this.branches) for (const [key, branch] of this.branches) this.flat[key] = jsonText(branch);
    return this.flat;
  }

  private addNested(key: string, steps: string[], value: string): void {
    if (steps.length > MAX_KEY_DEPTH) throw new BodyError('BODY_TOO_LARGE');
    let branch = this.branchOf(key);
    const last = steps.pop()!;
    for (const step of steps) {
      const name = step === '' ? nextIndex(branch) : step;
      const present = branch.get(name);
      const next: Branch = present instanceof Map ? present : new Map(present === undefined ? [] : [['0', present]]);
      if (next !== present) branch.set(name, next);
      branch = next;
    }
    const present = last === '' ? undefined : branch.get(last);
    if (last === '') append(branch, value);
    else if (present === undefined) branch.set(last, value);
    else if (present instanceof Map) append(present, value);
    else
      branch.set(
        last,
        new Map([
          ['0', present],
          ['1', value],
        ]),
      );
  }

  /** Returns the branch collected under `key`; an existing text becomes its first item. */
  private branchOf(key: string): Branch {
    this.branches ??= new Map();
    let branch = this.branches.get(key);
    if (!branch) {
      branch = new Map(key in this.flat ? [['0', this.flat[key]!]] : []);
      this.branches.set(key, branch);
      // Keeps the position of the name among the others.
      this.flat[key] = '';
    }
    return branch;
  }
}

/**
 * Parses the fields of an `application/x-www-form-urlencoded` body, see {@link FormFields}. `+` is a space; percent-encoding that is not
 * UTF-8 is kept unchanged. The record has no prototype.
 *
 * @throws BodyError `BODY_TOO_LARGE` if it has too many fields or too long or too deep names.
 */
export function parseForm(body: Buffer): Record<string, string> {
  const text = body.toString('utf8');
  const fields = new FormFields();
  let start = 0;
  let equals = -1;
  // What the current part needs: most need no decoding, and one pass over the characters is enough.
  let plus = false;
  let encoded = false;
  let key = '';
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : AMPERSAND;
    if (code === AMPERSAND) {
      const part = decode(text, start, index, plus, encoded);
      if (equals >= 0) fields.add(key, part);
      else if (part !== '') fields.add(part, '');
      equals = -1;
    } else if (code === EQUALS && equals < 0) {
      key = decode(text, start, index, plus, encoded);
      equals = index;
    } else {
      if (code === PLUS) plus = true;
      else if (code === PERCENT) encoded = true;
      continue;
    }
    start = index + 1;
    plus = false;
    encoded = false;
  }
  return fields.record();
}

function decode(text: string, start: number, end: number, plus: boolean, encoded: boolean): string {
  const part = text.slice(start, end);
  const spaced = plus ? part.replaceAll('+', ' ') : part;
  return encoded ? decodePercent(spaced) : spaced;
}

function decodePercent(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value.replace(ENCODED_RUN, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    });
  }
}

function append(branch: Branch, value: string): void {
  branch.set(nextIndex(branch), value);
}

/** Returns the first free index, starting at the number of items: with keys 0 to n-1, the usual case, that is n. */
function nextIndex(branch: Branch): string {
  let index = branch.size;
  while (branch.has(String(index))) index++;
  return String(index);
}

/** Serializes a branch as JSON; by hand, because an object would reorder whole-number keys and mishandle `__proto__`. */
function jsonText(branch: string | Branch): string {
  if (typeof branch === 'string') return JSON.stringify(branch);
  const indices = Array.from({ length: branch.size }, (_, index) => branch.get(String(index)));
  if (!indices.includes(undefined)) return `[${indices.map((item) => jsonText(item!)).join(',')}]`;
  return `{${[...branch].map(([key, item]) => `${JSON.stringify(key)}:${jsonText(item)}`).join(',')}}`;
}
