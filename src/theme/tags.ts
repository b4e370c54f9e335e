import {
  CaptureTag,
  evalToken,
  Hash,
  LayoutTag,
  Tag,
  type Context,
  type Emitter,
  type Liquid,
  type TagToken,
  type Template,
  type TopLevelToken,
  type ValueToken,
} from 'liquidjs';

import { escapeHtml } from '../sdk/index.js';

import { constantData } from './constant-data.js';
import { contentOf, readerOf, type Evaluate } from './direct-evaluation.js';
import { formField, shownValue, type FormField } from './form-field.js';
import { PartialCache } from './partial-cache.js';
import { isThemeSide, parseViewName, type ViewSide } from './names.js';
import { frameOf, themeContext, withoutNonce, type RenderFrame } from './render-frame.js';
import type { OverrideDecision } from './override-registry.js';
import type { ThemeOptions } from './theme-options.js';

/** Dependencies of the tags. */
export interface TagSources {
  /** Returns the parsed templates of a partial. */
  partial: (side: ViewSide, name: string) => Template[] | null;
  /** Returns the plugins' override of a partial. */
  override: (side: ViewSide, name: string, vars: () => object, frame: RenderFrame) => Promise<OverrideDecision> | null;
  /** Reports that a template refers to something missing; rendering continues without it. */
  missing: (side: ViewSide, what: string) => void;
  /** Returns the URL of an asset; null if it does not exist. */
  asset: (name: string) => string | null;
  inputOf?: ThemeOptions['inputOf'];
}

type Steps = Generator<unknown, void, unknown>;

/** An argument of a tag. */
type Reader = readonly [name: string, read: Evaluate];

/** Properties used from a field record, such as one declared by a plugin; others must not become attributes. */
const OF_RECORD = ['id', 'name', 'type', 'label', 'hint', 'required', 'options', 'placeholder'];

/** Number of fields cached per tag, which may be in a partial used several times on a page. */
const MADE_FIELDS = 8;

/**
 * Registers `{% partial %}`, `{% field %}`, `{% slot %}` and `{% script %}`, a `{% capture %}` that hides the nonce, and a
 * `{% layout %}` with a nesting limit.
 */
export function registerThemeTags(liquid: Liquid, sources: TagSources): void {
  const draw = partialDrawing(sources);
  liquid.registerTag('layout', BoundedLayoutTag);
  liquid.registerTag('capture', NoncelessCaptureTag);
  liquid.registerTag('partial', partialTag(draw));
  liquid.registerTag('field', fieldTag(sources, draw));
  liquid.registerTag('slot', slotTag(sources));
  liquid.registerTag('script', scriptTag(sources));
}

/** A cached field and the values it was built from. */
interface MadeField {
  readonly of: readonly unknown[];
  readonly field: FormField | string;
}

type TagClass = new (token: TagToken, remaining: TopLevelToken[], engine: Liquid) => Tag;
type PartialDrawing = ReturnType<typeof partialDrawing>;

/** Renders partials, on synchronous pages and on pages that wait for plugins. */
function partialDrawing(sources: TagSources) {
  const cache = new PartialCache();

  /** For synchronous pages. */
  function templatesOf(name: unknown, { side }: RenderFrame): Template[] | null {
    const templates = typeof name === 'string' ? sources.partial(side, name) : null;
    if (!templates) sources.missing(side, `partial ${JSON.stringify(name)}`);
    return templates;
  }

  /** Renders a partial with the current scope plus `values`; there are no overrides on a synchronous page. */
  function drawAtOnce(engine: Liquid, name: unknown, values: Record<string, unknown>, context: Context, emitter: Emitter): void {
    const templates = templatesOf(name, frameOf(context));
    if (!templates) return;
    const leave = themeContext(context).enterPartial(values);
    engine.renderer.renderTemplates(templates, context, emitter);
    leave();
  }

  /** As {@link drawAtOnce}, with only `values` in scope. */
  function drawAlone(engine: Liquid, name: unknown, values: Record<string, unknown>, context: Context, emitter: Emitter): void {
    const around = themeContext(context);
    const templates = templatesOf(name, around.frame);
    if (!templates) return;
    const draw = (alone: Context): string => engine.renderer.renderTemplates(templates, alone) as unknown as string;
    const output = cache.outputOf(name as string, values, around, draw);
    if (output !== null) return void emitter.write(output);
    const leave = around.enterAlone(values);
    engine.renderer.renderTemplates(templates, context, emitter);
    leave();
  }

  function* drawWaiting(engine: Liquid, name: unknown, values: Record<string, unknown>, context: Context, emitter: Emitter): Steps {
    const frame = frameOf(context);
    const parsed = parseViewName(name);
    if (!parsed) return sources.missing(frame.side, `partial ${JSON.stringify(name)}`);
    const side = parsed.folder !== null && isThemeSide(parsed.folder) ? parsed.folder : frame.side;
    const decision = (yield sources.override(side, parsed.name, () => ({ ...context.getAll(), ...values }), frame)) as OverrideDecision;
    if (typeof decision === 'string') return emitter.write(decision);
    const templates = sources.partial(frame.side, String(name));
    if (!templates && !decision) return sources.missing(frame.side, `partial "${String(name)}"`);
    if (decision) emitter.write(decision.before);
    if (templates) {
      const leave = themeContext(context).enterPartial(values);
      yield engine.renderer.renderTemplates(templates, context, emitter);
      leave();
    }
    if (decision) emitter.write(decision.after);
  }

  return { drawAtOnce, drawAlone, drawWaiting };
}

/**
 * `{% partial 'name', key: value %}`: renders a partial with the current scope plus the given values, or with `only`, just the
 * values.
 */
function partialTag({ drawAtOnce, drawAlone, drawWaiting }: PartialDrawing): TagClass {
  return class PartialTag extends Tag {
    private readonly file: ValueToken;
    private readonly values: Hash;
    private readonly readFile: Evaluate;
    private readonly readValues: readonly Reader[];
    private readonly isAlone: boolean;
    /** The arguments if all are literals and the partial sees nothing else. */
    private readonly fixed: Record<string, unknown> | null;

    constructor(token: TagToken, remaining: TopLevelToken[], engine: Liquid) {
      super(token, remaining, engine);
      this.file = requireValue(this.tokenizer.readValue(), 'partial', 'the name of a partial');
      this.values = new Hash(this.tokenizer);
      this.isAlone = 'only' in this.values.hash && this.values.hash.only === undefined;
      if (this.isAlone) delete this.values.hash.only;
      this.readFile = readerOf(this.file);
      this.readValues = readersOf(this.values.hash);
      const literals = Object.entries(this.values.hash).map(([key, value]) => [key, value && contentOf(value)]);
      const isFixed = this.isAlone && literals.every(([, value]) => typeof value === 'string' || typeof value === 'number');
      this.fixed = isFixed ? constantData(Object.fromEntries(literals) as Record<string, unknown>) : null;
    }

    override render(context: Context, emitter: Emitter): Steps | void {
      if (!context.sync) return this.renderWaiting(context, emitter);
      const draw = this.isAlone ? drawAlone : drawAtOnce;
      draw(this.liquid, this.readFile(context), this.fixed ?? valuesOf(this.readValues, context), context, emitter);
    }

    private *renderWaiting(context: Context, emitter: Emitter): Steps {
      const name = yield evalToken(this.file, context);
      const values = (yield this.values.render(context)) as Record<string, unknown>;
      yield* drawWaiting(this.liquid, name, values, this.isAlone ? themeContext(context).alone(values) : context, emitter);
    }
  };
}

/**
 * `{% field 'yhm', of: 'addyhq', label: 'coupon.code' %}`: renders a form field, given by its name or by a record that declares it,
 * through the partial `field`.
 */
function fieldTag(sources: TagSources, { drawAlone, drawWaiting }: PartialDrawing): TagClass {
  return class FieldTag extends Tag {
    private readonly readField: Evaluate;
    private readonly readOperation: Evaluate;
    private readonly readValue: Evaluate | undefined;
    /** All arguments except the value. */
    private readonly given: readonly Reader[];
    /** Arguments that are not literals. */
    private readonly changing: readonly Reader[];
    /** The last fields with the values they were built from, newest first: usually all of them repeat. */
    private made: readonly MadeField[] = [];

    constructor(token: TagToken, remaining: TopLevelToken[], engine: Liquid) {
      super(token, remaining, engine);
      this.readField = readerOf(requireValue(this.tokenizer.readValue(), 'field', 'the name of a field'));
      const { value, ...given } = new Hash(this.tokenizer).hash;
      this.readOperation = readerOf(given.of);
      this.readValue = value && readerOf(value);
      this.given = readersOf(given);
      this.changing = readersOf(Object.fromEntries(Object.entries(given).filter(([, token]) => token && !('content' in token))));
    }

    override render(context: Context, emitter: Emitter): Steps | void {
      const { side, slots } = frameOf(context);
      const subject = this.readField(context);
      const field = this.fieldOf(subject, side, context);
      if (typeof field === 'string') return sources.missing(side, field);
      slots.set(field.attributes, field.attributes);
      const value = shownValue(field, this.readValue ? this.readValue(context) : recordOf(subject).value);
      const values = value === null ? { field } : { field, value };
      if (context.sync) return drawAlone(this.liquid, 'field', values, context, emitter);
      return drawWaiting(this.liquid, 'field', values, themeContext(context).alone(values), emitter);
    }

    private fieldOf(subject: unknown, side: ViewSide, context: Context): FormField | string {
      const operation = this.readOperation(context);
      const input = sources.inputOf && typeof operation === 'string' ? sources.inputOf(side, operation) : null;
      const of = [subject, input, ...this.changing.map(([, read]) => read(context))];
      const known = this.made.find((made) => made.of.every((value, at) => value === of[at]));
      if (known) return known.field;
      const field = formField({ ...pick(recordOf(subject), OF_RECORD), ...valuesOf(this.given, context) }, input);
      this.made = [{ of, field: typeof field === 'string' ? field : constantData(field) }, ...this.made].slice(0, MADE_FIELDS);
      return field;
    }
  };
}

/** `{% slot value %}`: outputs the HTML of a value marked as trusted by the panel; nothing for any other value. */
function slotTag(sources: TagSources): TagClass {
  return class SlotTag extends Tag {
    private readonly readValue: Evaluate;

    constructor(token: TagToken, remaining: TopLevelToken[], engine: Liquid) {
      super(token, remaining, engine);
      this.readValue = readerOf(requireValue(this.tokenizer.readValue(), 'slot', 'a value'));
    }

    override render(context: Context, emitter: Emitter): void {
      const frame = frameOf(context);
      const value = this.readValue(context);
      const trusted = typeof value === 'object' && value !== null ? frame.slots.get(value) : undefined;
      if (trusted) emitter.write(trusted.html);
      else if (value !== undefined && value !== null && value !== '') sources.missing(frame.side, 'trusted HTML for a slot');
    }
  };
}

/** `{% script 'app.js' %}`: a script element of an asset with the page's nonce, which templates cannot read. */
function scriptTag(sources: TagSources): TagClass {
  return class ScriptTag extends Tag {
    private readonly file: ValueToken;
    private readonly options: Hash;

    constructor(token: TagToken, remaining: TopLevelToken[], engine: Liquid) {
      super(token, remaining, engine);
      this.file = requireValue(this.tokenizer.readValue(), 'script', 'the name of an asset');
      this.options = new Hash(this.tokenizer);
    }

    override *render(context: Context, emitter: Emitter): Steps {
      const frame = frameOf(context);
      const name = String(yield evalToken(this.file, context));
      const { blocking } = (yield this.options.render(context)) as { blocking?: unknown };
      const url = sources.asset(name);
      if (url === null) return sources.missing(frame.side, `asset "${name}"`);
      emitter.write(`<script src="${url}" nonce="${escapeHtml(frame.nonce)}"${blocking === true ? '' : ' defer'}></script>`);
    }
  };
}

/** Like the library's tag, but removes the page's nonce: a template could read it there and use it for its own scripts. */
class NoncelessCaptureTag extends CaptureTag {
  override *render(context: Context): Steps {
    yield* super.render(context) as Steps;
    const scope = context.bottom() as Record<string, unknown>;
    scope[this.variable] = withoutNonce(String(scope[this.variable]), frameOf(context));
  }
}

/** Like the library's tag, with a nesting limit: a layout that includes itself would exhaust the stack. */
class BoundedLayoutTag extends LayoutTag {
  override *render(context: Context, emitter: Emitter): Steps {
    const leave = themeContext(context).enterLayout();
    yield* super.render(context, emitter) as Steps;
    leave();
  }
}

/** An argument without a value is true. */
function readersOf(hash: Hash['hash']): Reader[] {
  return Object.entries(hash).map(([name, value]) => [name, value ? readerOf(value) : () => true]);
}

function valuesOf(readers: readonly Reader[], context: Context): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, read] of readers) values[name] = read(context);
  return values;
}

/** Returns the subject of `{% field %}` as a record: a field's name, or the record that declares it. */
function recordOf(subject: unknown): Readonly<Record<string, unknown>> {
  return typeof subject === 'object' && subject !== null ? (subject as Record<string, unknown>) : { name: subject };
}

function pick(record: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

function requireValue(value: ValueToken | undefined, tag: string, what: string): ValueToken {
  if (!value) throw new Error(`{% ${tag} %} needs ${what}.`);
  return value;
}
