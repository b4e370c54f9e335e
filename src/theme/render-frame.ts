import { Context, Drop, type Liquid } from 'liquidjs';

import type { CallContext } from '../sdk/index.js';
import type { Locale } from '../common/index.js';
import type { ViewSide } from './names.js';
import { toPlainData, type PlainData } from './plain-data.js';
import type { TrustedHtml } from './trusted-html.js';

/** Stands for trusted HTML inside a template's data: an empty object that only `{% slot %}` can turn into its HTML. */
export type SlotReference = Readonly<Record<string, never>>;

const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * The time one render may take, in milliseconds of its own work: while a plugin's override is awaited the clock stands still,
 * so that a slow plugin is not mistaken for a broken theme; nor is a process that a busy machine lets wait.
 */
export class RenderBudget {
  private deadline: number;
  /** Of this process when the time first was over, in milliseconds. Not read before: nearly every render ends in time. */
  private spentBefore: number | null = null;

  /** @param limit milliseconds */
  constructor(private readonly limit: number) {
    this.deadline = performance.now() + limit;
  }

  /** Called by the engine before each node with the present time. */
  check(now: number): void {
    if (now <= this.deadline) return;
    const spent = processorTime();
    this.spentBefore ??= spent;
    // How much of the time so far was its own nobody has counted: it gets the limit once more, in processor time.
    const left = this.limit - (spent - this.spentBefore);
    if (left <= 0) throw new Error('template render limit exceeded');
    this.deadline = now + left;
  }

  /** Part of the engine's limiter contract; time is not counted in units. */
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

/** What one render knows beside its template data; templates cannot read it. */
export interface RenderFrame {
  readonly side: ViewSide;
  readonly locale: Locale;
  readonly nonce: string;
  readonly call: CallContext | undefined;
  readonly budget: RenderBudget;
  readonly slots: Map<object, TrustedHtml>;
}

/** The frame of a partial that sees only what it is given; it knows whether that asked for something of its reader. */
class FrameAlone implements RenderFrame {
  /** What is said then is for this reader alone. */
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
 * What one render starts from: `vars` as plain data, in which a reference stands for each trusted HTML, and the frame that knows it.
 *
 * @param limit see {@link RenderBudget}
 * @param more values that win over those of `vars`
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

/** What the library keeps to itself and partials have of their own. */
interface Inner {
  registers: object;
  scopes: object[];
  environments: object;
}

/** The context of one render, which knows its {@link RenderFrame} and which partial it is in. */
export class ThemeContext<Frame extends RenderFrame = RenderFrame> extends Context {
  /** What the partials around this place were given, innermost last. */
  private readonly partials: object[] = [];
  /** In how many partials the one is that sees only what it is given. */
  private readonly depth: number;
  private layouts: number;
  /** What every partial sees that sees only what it is given. */
  private seenAlone: object | null = null;

  /**
   * @param data plain, see {@link startRender}
   * @param around where a partial stands that sees only what it is given
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
   * The context of a partial that sees `values`, the side, the language and the settings of the theme, and nothing else of the page.
   *
   * @throws Error for partials that are nested more than 16 deep
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
   * Begins a partial: it sees everything around it, `values` over that, and what it assigns itself, which ends with it.
   *
   * @returns what ends it
   * @throws Error for partials that are nested more than 16 deep
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
      // A loop ends with the partial it is in.
      this.breakCalled = this.continueCalled = false;
    };
  }

  /**
   * Begins a partial that sees what {@link alone} says, drawn where it stands.
   *
   * @returns what ends it
   * @throws Error for partials that are nested more than 16 deep
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

  /** Begins a layout. @returns what ends it @throws Error for layouts that are nested more than 16 deep */
  enterLayout(): () => void {
    if (this.layouts >= MAX_LAYOUT_DEPTH) throw new Error(`Layouts are nested more than ${MAX_LAYOUT_DEPTH} deep.`);
    this.layouts += 1;
    return () => (this.layouts -= 1);
  }

  /** What a block has in its layout is no way to the nonce either. */
  override readProperty(...[owner, key]: Parameters<Context['readProperty']>): unknown {
    const value: unknown = super.readProperty(owner, key);
    return key === 'super' && (owner as unknown) instanceof Drop ? this.ofBlock(value as Iterator<unknown, unknown>) : value;
  }

  private *ofBlock(steps: Iterator<unknown, unknown>): Generator<unknown, string> {
    const html = yield* { [Symbol.iterator]: () => steps };
    return withoutNonce(String(html), this.frame);
  }

  /** Where `assign` puts its values. */
  override bottom(): ReturnType<Context['bottom']> {
    return (this.partials.at(-1) as ReturnType<Context['bottom']>) ?? super.bottom();
  }
}

/** HTML that a template gets hold of, without the nonce that would let its own scripts run. */
export function withoutNonce(html: string, { nonce }: RenderFrame): string {
  return html.replaceAll(nonce, '');
}

/** The frame of a template context. */
export function frameOf(context: Context): RenderFrame {
  return themeContext(context).frame;
}

/** A context as this module made it. @throws Error for one of somebody else */
export function themeContext(context: Context): ThemeContext {
  if (!(context instanceof ThemeContext)) throw new Error('This template was not rendered by ThemeRenderer.');
  return context;
}
