import { Context, Drop, type Liquid } from 'liquidjs';

import type { CallContext } from '../sdk/index.js';
import type { Locale } from '../common/index.js';
import type { ViewSide } from './names.js';
import { toPlainData, type PlainData } from './plain-data.js';
import type { TrustedHtml } from './trusted-html.js';

/** Placeholder of trusted HTML in a template's data: an empty object that only `{% slot %}` resolves to its HTML. */
export type SlotReference = Readonly<Record<string, never>>;

const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Time limit of a render, in milliseconds of its own work: the clock is paused while a plugin's override is awaited,
 * so that neither a slow plugin nor a process waiting for CPU is mistaken for a broken theme.
 */
export class RenderBudget {
  private deadline: number;
  /**
   * CPU time of this process when the limit was first exceeded, in milliseconds. Not read before, because almost every render ends in time.
   */
  private spentBefore: number | null = null;

  /** @param limit milliseconds */
  constructor(private readonly limit: number) {
    this.deadline = performance.now() + limit;
  }

  /** Called by the engine before each node with the current time. */
  check(now: number): void {
    if (now <= this.deadline) return;
    const spent = processorTime();
    this.spentBefore ??= spent;
    // The CPU time used so far is unknown, so the render gets the limit again, in CPU time.
    const left = this.limit - (spent - this.spentBefore);
    if (left <= 0) throw new Error('template render limit exceeded');
    this.deadline = now + left;
  }

  /** Part of the engine's limiter contract; units are ignored. */
  use(): void {
    this.check(performance.now());
  }

  /** Runs `work` without counting its time. */
  async pausedDuring<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.deadline += performance.now() - start;
    }
  }
}

/** Render state that templates cannot read. */
export interface RenderFrame {
  readonly side: ViewSide;
  readonly locale: Locale;
  readonly nonce: string;
  readonly call: CallContext | undefined;
  readonly budget: RenderBudget;
  readonly slots: Map<object, TrustedHtml>;
}

/** Frame of a partial that sees only its arguments; records whether it used data of its reader. */
class FrameAlone implements RenderFrame {
  /** Whether the output depends on the reader. */
  isPersonal = false;

  constructor(private readonly around: RenderFrame) {}

  get side(): ViewSide {
    return this.around.side;
  }

  get locale(): Locale {
    return this.around.locale;
  }

  get budget(): RenderBudget {
    return this.around.budget;
  }

  get slots(): Map<object, TrustedHtml> {
    return this.around.slots;
  }

  get nonce(): string {
    this.isPersonal = true;
    return this.around.nonce;
  }

  get call(): CallContext | undefined {
    this.isPersonal = true;
    return this.around.call;
  }
}

/**
 * Prepares a render: returns `vars` as plain data, with references in place of trusted HTML, and the frame that resolves them.
 *
 * @param limit see {@link RenderBudget}
 * @param more values that take precedence over `vars`
 */
export function startRender(
  vars: object,
  reader: Pick<RenderFrame, 'side' | 'locale' | 'nonce' | 'call'>,
  limit: number,
  more: object = {},
): { data: PlainData; frame: RenderFrame } {
  const slots = new Map<object, TrustedHtml>();
  const toReference = (html: TrustedHtml): SlotReference => {
    const reference: SlotReference = Object.freeze({});
    slots.set(reference, html);
    return reference;
  };
  const data = Object.assign(toPlainData(vars, toReference, false), toPlainData(more, toReference, false));
  return { data, frame: { ...reader, budget: new RenderBudget(limit), slots } };
}

const MAX_PARTIAL_DEPTH = 16;
const MAX_LAYOUT_DEPTH = 16;

/** Private members of the library that each partial needs its own copy of. */
interface Inner {
  registers: object;
  scopes: object[];
  environments: object;
}

/** The context of a render, with its {@link RenderFrame} and the current partial. */
export class ThemeContext<Frame extends RenderFrame = RenderFrame> extends Context {
  /** Arguments of the enclosing partials, innermost last. */
  private readonly partials: object[] = [];
  /** Number of partials around one that sees only its arguments. */
  private readonly depth: number;
  private layouts: number;
  /** Data visible to every partial that sees only its arguments. */
  private seenAlone: object | null = null;

  /**
   * @param data plain, see {@link startRender}
   * @param around parent context of a partial that sees only its arguments
   */
  constructor(
    data: PlainData,
    liquid: Liquid,
    readonly frame: Frame,
    sync: boolean,
    around?: ThemeContext,
  ) {
    const renderLimit = frame.budget as unknown as Context['renderLimit'];
    super(data, liquid.options, { sync }, { renderLimit, memoryLimit: around?.memoryLimit, liquid });
    this.depth = around ? around.depth + around.partials.length + 1 : 0;
    this.layouts = around?.layouts ?? 0;
  }

  /**
   * Returns the context of a partial that sees `values`, the side, the language and the theme's settings, but nothing else of the page.
   *
   * @throws Error for partials nested more than 16 deep
   */
  alone(values: Readonly<Record<string, unknown>>): ThemeContext<FrameAlone> {
    this.requireShallow();
    const frame = new FrameAlone(this.frame);
    const { side, locale } = frame;
    const settings = (): unknown => {
      frame.isPersonal = true;
      return this.getSync(['theme_settings']);
    };
    const data = Object.defineProperty({ ...values, side, locale }, 'theme_settings', { get: settings });
    return new ThemeContext(data, this.liquid as Liquid, frame, this.sync, this);
  }

  /**
   * Enters a partial: it sees the enclosing scope, overridden by `values`, and its own assignments, which end with it.
   *
   * @returns a function that leaves it
   * @throws Error for partials nested more than 16 deep
   */
  enterPartial(values: Record<string, unknown>): () => void {
    this.requireShallow();
    const own = Object.assign(Object.create(null) as object, values);
    const outer = (this as unknown as Inner).registers;
    (this as unknown as Inner).registers = {};
    this.partials.push(own);
    this.push(own);
    return () => {
      this.pop();
      this.partials.pop();
      (this as unknown as Inner).registers = outer;
      // A loop control does not leave the partial.
      this.breakCalled = this.continueCalled = false;
    };
  }

  /**
   * Enters a partial with the scope of {@link alone}, rendered in place.
   *
   * @returns a function that leaves it
   * @throws Error for partials nested more than 16 deep
   */
  enterAlone(values: Record<string, unknown>): () => void {
    const inner = this as unknown as Inner;
    const { scopes, environments } = inner;
    const { side, locale } = this.frame;
    const settings = (): unknown => (environments as PlainData).theme_settings;
    inner.scopes = [];
    inner.environments = this.seenAlone ??= Object.defineProperty({ side, locale }, 'theme_settings', { get: settings });
    const leave = this.enterPartial(values);
    return () => {
      leave();
      inner.scopes = scopes;
      inner.environments = environments;
    };
  }

  private requireShallow(): void {
    if (this.depth + this.partials.length >= MAX_PARTIAL_DEPTH) throw new Error(`Partials are nested more than ${MAX_PARTIAL_DEPTH} deep.`);
  }

  /** Enters a layout. @returns a function that leaves it @throws Error for layouts nested more than 16 deep */
  enterLayout(): () => void {
    if (this.layouts >= MAX_LAYOUT_DEPTH) throw new Error(`Layouts are nested more than ${MAX_LAYOUT_DEPTH} deep.`);
    this.layouts += 1;
    return () => (this.layouts -= 1);
  }

  /** Removes the nonce from a block's parent content, too. */
  override readProperty(...[owner, key]: Parameters<Context['readProperty']>): unknown {
    const value: unknown = super.readProperty(owner, key);
    return key === 'super' && (owner as unknown) instanceof Drop ? this.ofBlock(value as Iterator<unknown, unknown>) : value;
  }

  private *ofBlock(steps: Iterator<unknown, unknown>): Generator<unknown, string> {
    const html = yield* { [Symbol.iterator]: () => steps };
    return withoutNonce(String(html), this.frame);
  }

  /** Target of `assign`. */
  override bottom(): ReturnType<Context['bottom']> {
    return (this.partials.at(-1) as ReturnType<Context['bottom']>) ?? super.bottom();
  }
}

/** Removes the nonce from HTML that a template can read, because it would allow the template's own scripts to run. */
export function withoutNonce(html: string, { nonce }: RenderFrame): string {
  return html.replaceAll(nonce, '');
}

/** Returns the frame of a template context. */
export function frameOf(context: Context): RenderFrame {
  return themeContext(context).frame;
}

/** Casts a context to this module's class. @throws Error for any other context */
export function themeContext(context: Context): ThemeContext {
  if (!(context instanceof ThemeContext)) throw new Error('This template was not rendered by ThemeRenderer.');
  return context;
}
