import { CORE_OWNER, currentOwner } from '../common/index.js';
import { currency } from '../sdk/index.js';

import { isConstant } from './constant-data.js';
import type { ThemeContext } from './render-frame.js';

/** Arguments of a partial, by name. */
type Values = Readonly<Record<string, unknown>>;

/** Cached output, as text and as the bytes sent in pages. */
export class CachedOutput {
  readonly bytes: Buffer;

  constructor(readonly html: string) {
    this.bytes = Buffer.from(html);
  }

  /** For text output. */
  toString(): string {
    return this.html;
  }
}

/**
 * Caches the output of partials with `only` for data that never changes, such as a menu entry, which is part of every page. Output
 * that depends on the reader is not cached.
 */
export class PartialCache {
  private readonly kept = new WeakMap<object, Map<string, CachedOutput>>();

  /**
   * Returns the output of the partial `name`, which sees only `values`; null if they may change, so that nothing is cached.
   *
   * @param parent context of the partial
   * @param render renders it in the given context
   */
  outputOf(name: string, values: Values, parent: ThemeContext, render: (context: ThemeContext) => string): string | CachedOutput | null {
    const { side, locale } = parent.frame;
    const constant = constantOf(values);
    // A plugin's texts appear and disappear with it.
    if (!constant || currentOwner() !== CORE_OWNER) return null;
    const outputs = this.outputsOf(constant);
    const key = `${name} ${side} ${locale} ${currency().sign}`;
    const known = outputs.get(key);
    if (known !== undefined) return known;
    const context = parent.alone(values);
    const html = render(context);
    if (context.frame.isPersonal) return html;
    const output = new CachedOutput(html);
    outputs.set(key, output);
    return output;
  }

  private outputsOf(value: object): Map<string, CachedOutput> {
    let outputs = this.kept.get(value);
    if (!outputs) this.kept.set(value, (outputs = new Map()));
    return outputs;
  }
}

/** Returns the constant object among a partial's arguments: all of them together, or its only value. */
function constantOf(values: Values): object | null {
  if (isConstant(values)) return values;
  const [value, ...others] = Object.values(values);
  return others.length === 0 && isConstant(value) ? (value as object) : null;
}
