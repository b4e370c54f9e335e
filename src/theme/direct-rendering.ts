import { AssignTag, CaseTag, ForTag, IfTag, isTruthy, Liquid, LiquidError, Output, RenderError, toValue, UnlessTag } from 'liquidjs';
import type { Context, Drop, Emitter, Template, Token, Value } from 'liquidjs';

import { contentOf, evaluatorOf, finished, readerOf } from './direct-evaluation.js';
import { CachedOutput } from './partial-cache.js';

type Render = Liquid['renderer'];

/** Output of templates. */
type Writer = Pick<Emitter, 'write'>;

/** Renders one template to the output. */
type Step = (context: Context, emitter: Writer) => void;

/** A compiled list of templates, such as the body of a loop. */
interface Steps {
  readonly templates: readonly Template[];
  readonly run: readonly Step[];
}

interface TextTemplate extends Template {
  readonly str: string;
}

interface Branch {
  readonly value: Value;
  readonly templates: Template[];
  /** Missing: whether the value is truthy. */
  readonly test?: typeof isTruthy;
}

/** Maximum page size: many times our largest page, and small enough for memory. */
export const MAX_PAGE_BYTES = 16_000_000;

/** Buffered characters after which text is converted to bytes: long concatenated strings are slow to read. */
const FLUSH_CHARACTERS = 2_048;
/** Shorter cached output is cheaper to append as text. */
const MIN_BYTES_TO_APPEND = 512;
/** In UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;

/** Elements in which white space is significant: a text that contains one is output unchanged. */
const PRESERVES_SPACE = /<(?:pre|textarea|script|style)\b/i;

/** Number of steps between two checks of the time limit, each of which costs as much as a step. */
const STEPS_BETWEEN_CHECKS = 16;

/**
 * Enables direct rendering for synchronous pages: each list of templates is compiled to plain functions when it is first rendered, see
 * {@link evaluatorOf}. Handles texts, outputs, `if`, `unless`, `case`, `for` and `assign`; other tags, and asynchronous pages, are left
 * to the library. Templates then take a quarter of the time.
 *
 * The output is identical: src/theme/direct-rendering.spec.ts renders every form both ways.
 */
export function renderDirectly(): void {
  if (isInstalled) return;
  isInstalled = true;
  Text.prototype.render = function (_context, emitter) {
    emitter.write(withoutIndentation(this));
  };
  renderer.renderTemplates = function (templates, context, emitter) {
    const { catchAllErrors, keepOutputType } = context.opts;
    if (!context.sync || context.strictVariables || catchAllErrors || keepOutputType)
      return renderTemplates.call(this, templates, context, emitter);
    const output = emitter ?? new HtmlEmitter();
    runSteps(stepsOf(templates), context, output);
    // liquidjs accepts a plain value wherever it expects a generator.
    return (output as unknown as { buffer: ReturnType<typeof renderTemplates> }).buffer;
  };
}

/**
 * Renders `templates` as UTF-8; requires {@link renderDirectly}. Pages are sent as bytes, and converting them while writing takes half
 * the time of converting at the end.
 *
 * @param context for synchronous rendering
 * @param bytes approximate size
 */
export function renderBytes(templates: readonly Template[], context: Context, bytes: number): Buffer {
  const emitter = new BytesEmitter(bytes);
  runSteps(stepsOf(templates), context, emitter);
  return emitter.end();
}

let isInstalled = false;
let stepsSinceCheck = 0;
const renderer = Object.getPrototypeOf(new Liquid().renderer) as Render;
const { renderTemplates } = renderer;
const compiled = new WeakMap<readonly Template[], Steps>();

/** liquidjs exports neither its class for texts between tags nor that of `forloop`. */
const Text = new Liquid().parse('text')[0]!.constructor as { new (): TextTemplate; readonly prototype: TextTemplate };
const shortTexts = new WeakMap<TextTemplate, string>();
const ForLoop = classOfForLoop();

class HtmlEmitter {
  buffer = '';

  write(html: unknown): void {
    this.buffer += typeof html === 'string' ? html : textOf(html);
  }
}

/** Collects a page as UTF-8. */
class BytesEmitter {
  private text = '';
  private bytes: Buffer;
  private used = 0;

  constructor(bytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(bytes);
  }

  write(html: unknown): void {
    if (html instanceof CachedOutput && html.bytes.length >= MIN_BYTES_TO_APPEND) return this.append(html.bytes);
    this.text += typeof html === 'string' ? html : textOf(html);
    if (this.text.length >= FLUSH_CHARACTERS) this.flush();
  }

  end(): Buffer {
    this.flush();
    return this.bytes.subarray(0, this.used);
  }

  private append(bytes: Buffer): void {
    this.flush();
    this.makeRoom(this.used + bytes.length);
    this.bytes.set(bytes, this.used);
    this.used += bytes.length;
  }

  private flush(): void {
    if (this.used + this.text.length * MAX_BYTES_PER_CHARACTER > this.bytes.length) this.makeRoom(this.used + Buffer.byteLength(this.text));
    this.used += this.bytes.write(this.text, this.used);
    this.text = '';
  }

  private makeRoom(needed: number): void {
    if (needed > MAX_PAGE_BYTES) throw new Error('page size limit exceeded');
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(2 * needed, MAX_PAGE_BYTES));
    this.bytes.copy(larger, 0, 0, this.used);
    this.bytes = larger;
  }
}

function textOf(value: unknown): string {
  const plain: unknown = toValue(value);
  if (plain === undefined || plain === null) return '';
  return Array.isArray(plain) ? plain.map(textOf).join('') : String(plain as string);
}

function runSteps({ templates, run }: Steps, context: Context, emitter: Writer): void {
  // Also counts iterations of a loop with an empty body.
  checkLimit(context);
  if (run.length === 0) return;
  let at = 0;
  try {
    for (; at < run.length; at += 1) {
      run[at]!(context, emitter);
      if (context.breakCalled || context.continueCalled) return;
    }
  } catch (error) {
    throw LiquidError.is(error) ? error : new RenderError(error as Error, templates[at] as never);
  }
}

function checkLimit(context: Context): void {
  stepsSinceCheck += 1;
  if (stepsSinceCheck < STEPS_BETWEEN_CHECKS) return;
  stepsSinceCheck = 0;
  context.renderLimit.check(performance.now());
}

function stepsOf(templates: readonly Template[]): Steps {
  let steps = compiled.get(templates);
  if (!steps) compiled.set(templates, (steps = { templates, run: templates.map(stepOf) }));
  return steps;
}

function stepOf(template: Template): Step {
  if (template instanceof Text) {
    const text = withoutIndentation(template);
    return (_context, emitter) => emitter.write(text);
  }
  if (template instanceof Output) {
    const value = evaluatorOf(template.value);
    return (context, emitter) => {
      checkLimit(context);
      emitter.write(value(context) as string);
    };
  }
  if (template instanceof AssignTag) return assignment(template);
  if (template instanceof IfTag || template instanceof UnlessTag) return choice(template);
  if (template instanceof CaseTag) return cases(template);
  if (template instanceof ForTag) return loop(template);
  return libraryStep(template);
}

/** Returns a text between tags; for theme files without its indentation, a fifth of a page, which browsers ignore. */
function withoutIndentation(template: TextTemplate): string {
  let text = shortTexts.get(template);
  if (text === undefined) {
    const { file, input } = template.token;
    text = file === undefined || PRESERVES_SPACE.test(input) ? template.str : template.str.replace(/\n[ \t]+/g, '\n');
    shortTexts.set(template, text);
  }
  return text;
}

function libraryStep(template: Template): Step {
  return (context, emitter) => {
    checkLimit(context);
    const html = finished(template.render(context, emitter as Emitter));
    if (html) emitter.write(html as string);
  };
}

function assignment(tag: AssignTag): Step {
  const { key, value } = tag as unknown as { key: string; value: Value };
  const evaluate = evaluatorOf(value);
  return (context) => {
    checkLimit(context);
    context.bottom()[key] = evaluate(context);
  };
}

function choice(tag: IfTag | UnlessTag): Step {
  const branches = (tag.branches as readonly Branch[]).map(({ value, test = isTruthy, templates }) => {
    return { value: evaluatorOf(value), test, steps: stepsOf(templates) };
  });
  const otherwise = stepsOf(tag.elseTemplates ?? []);
  return (context, emitter) => {
    for (const { value, test, steps } of branches) if (test(value(context), context)) return runSteps(steps, context, emitter);
    runSteps(otherwise, context, emitter);
  };
}

/** Literal values are looked up in a map; values that need more than `===` are left to the library. */
function cases(tag: CaseTag): Step {
  const slow = libraryStep(tag);
  const found = new Map<unknown, Steps[]>();
  for (const { values, templates } of tag.branches as { values: Token[]; templates: Template[] }[]) {
    for (const value of new Set(values.map(contentOf))) {
      if (value === undefined || typeof value === 'object') return slow;
      found.set(value, [...(found.get(value) ?? []), stepsOf(templates)]);
    }
  }
  const target = evaluatorOf(tag.value);
  const otherwise = [stepsOf(tag.elseTemplates)];
  return (context, emitter) => {
    const wanted = target(context);
    if (typeof wanted === 'object') return slow(context, emitter);
    for (const steps of found.get(wanted) ?? otherwise) runSteps(steps, context, emitter);
  };
}

/** Iterates over complete arrays; limits, offsets, reverse order and other collections are left to the library. */
function loop(tag: ForTag): Step {
  const slow = libraryStep(tag);
  if (Object.keys(tag.hash.hash).length > 0) return slow;
  const collection = readerOf(tag.collection);
  const name = tag.collection.getText();
  const place = `continue-${tag.variable}-${name}`;
  const body = stepsOf(tag.templates);
  return (context, emitter) => {
    const items = collection(context);
    if (!Array.isArray(items) || items.length === 0) return slow(context, emitter);
    context.setRegister(place, items.length);
    const forloop = new ForLoop(items.length, name, tag.variable);
    const scope = Object.assign(Object.create(null) as Record<string, unknown>, { forloop, [tag.variable]: items[0] as unknown });
    context.push(scope);
    for (const item of items) {
      scope[tag.variable] = item;
      context.continueCalled = context.breakCalled = false;
      runSteps(body, context, emitter);
      if (context.breakCalled) break;
      forloop.next();
    }
    context.continueCalled = context.breakCalled = false;
    context.pop();
  };
}

function classOfForLoop(): new (length: number, collection: string, variable: string) => Drop & { next(): void } {
  const liquid = new Liquid();
  let found: unknown;
  liquid.registerFilter('found', (forloop: object) => (found = forloop.constructor));
  liquid.parseAndRenderSync('{% for one in (1..1) %}{% assign kept = forloop | found %}{% endfor %}');
  return found as ReturnType<typeof classOfForLoop>;
}
