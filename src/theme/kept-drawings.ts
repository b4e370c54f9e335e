import { CORE_OWNER, currentOwner } from '../common/index.js';
import { currency } from '../sdk/index.js';

import { isConstant } from './constant-data.js';
import type { ThemeContext } from './render-frame.js';

/** Arguments of a partial, by name. */
type Values = Readonly<Record<string, unknown>>;

/** Cached output, as text and as the bytes sent in pages. */
export class KeptDrawing {
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
export class KeptDrawings {
  private readonly kept = new WeakMap<object, Map<string, KeptDrawing>>();

  /**
   * Returns the output of the partial `name`, which sees only `values`; null if they may change, so that nothing is cached.
   *
   * @param around context of the partial
   * @param draw renders it in the given context
   */
  drawing(name: string, values: Values, around: ThemeContext, draw: (context: ThemeContext) => string): string | KeptDrawing | null {
    const { side, locale } = around.frame;
    const constant = constantOf(values);
    // A plugin's texts appear and disappear with it.
    if (!constant || currentOwner() !== CORE_OWNER) return null;
    const drawings = this.drawingsOf(constant);
    const key = `${name} ${side} ${locale} ${currency().sign}`;
    const known = drawings.get(key);
    if (known !== undefined) return known;
    const context = around.alone(values);
    const html = draw(context);
    if (context.frame.isPersonal) return html;
    const drawing = new KeptDrawing(html);
    drawings.set(key, drawing);
    return drawing;
  }

  private drawingsOf(value: object): Map<string, KeptDrawing> {
    let drawings = this.kept.get(value);
    if (!drawings) this.kept.set(value, (drawings = new Map()));
    return drawings;
  }
}

/** Returns the constant object among a partial's arguments: all of them together, or its only value. */
function constantOf(values: Values): object | null {
  if (isConstant(values)) return values;
  const [value, ...others] = Object.values(values);
  return others.length === 0 && isConstant(value) ? (value as object) : null;
}
