import { CORE_OWNER, currentOwner } from '../common/index.js';
import { currency } from '../sdk/index.js';

import { isConstant } from './constant-data.js';
import type { ThemeContext } from './render-frame.js';

/** Values a partial is given, by their names. */
type Values = Readonly<Record<string, unknown>>;

/** What was drawn once, as text and as the bytes pages are sent as. */
export class KeptDrawing {
  readonly bytes: Buffer;

  constructor(readonly html: string) {
    this.bytes = Buffer.from(html);
  }

  /** For whoever writes texts. */
  toString(): string {
    return this.html;
  }
}

/**
 * What partials with `only` said of data that never changes, such as an entry of the menu: it is said on every page. What asks for
 * anything that differs from reader to reader is not kept.
 */
export class KeptDrawings {
  private readonly kept = new WeakMap<object, Map<string, KeptDrawing>>();

  /**
   * What the partial `name` says, which sees nothing but `values`; null where they may change, so that nothing is kept of it.
   *
   * @param around where it stands
   * @param draw draws it in the context it is given
   */
  drawing(name: string, values: Values, around: ThemeContext, draw: (context: ThemeContext) => string): string | KeptDrawing | null {
    const { side, locale } = around.frame;
    const constant = constantOf(values);
    // A plugin's words come and go with it.
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

/** What a partial is given, where that never changes: all of it together, or its one value. */
function constantOf(values: Values): object | null {
  if (isConstant(values)) return values;
  const [value, ...others] = Object.values(values);
  return others.length === 0 && isConstant(value) ? (value as object) : null;
}
