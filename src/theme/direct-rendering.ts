import { AssignTag, CaseTag, ForTag, IfTag, isTruthy, Liquid, LiquidError, Output, RenderError, toValue, UnlessTag } from 'liquidjs';
import type { Context, Drop, Emitter, Template, Token, Value } from 'liquidjs';

import { contentOf, evaluatorOf, finished, readerOf } from './direct-evaluation.js';
import { KeptDrawing } from './kept-drawings.js';

type Render = Liquid['renderer'];

/** Where templates write. */
type Writer = Pick<Emitter, 'write'>;

/** Writes what one template says. */
type Step = (context: Context, emitter: Writer) => void;

/** The templates of one list, such as the body of a loop. */
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
  /** Missing: whether the value is true. */
  readonly test?: typeof isTruthy;
}

/** What a page may come to: many times the largest one of ours, and little enough for a process to hold. */
export const MAX_PAGE_BYTES = 16_000_000;

/** A text of so many characters goes over into bytes: long ones that were put together of many parts are slow to read. */
const CHARACTERS_AT_ONCE = 2_048;
/** What was drawn before and is shorter is cheaper as a text. */
const BYTES_AT_ONCE = 512;
/** In UTF-8. */
const MOST_BYTES_A_CHARACTER = 3;

/** Elements in which blanks count: a file that has one is sent as it is. */
const BLANKS_COUNT = /<(?:pre|textarea|script|style)\b/i;

/** So many steps go on between two looks at the clock, each of which costs as much as a step. */
const STEPS_BETWEEN_LOOKS = 16;

/**
 * Renders at once what is asked for so: each list of templates becomes plain functions the first time it is rendered, see
 * {@link evaluatorOf}. Texts, outputs, `if`, `unless`, `case`, `for` and `assign` are their own; other tags, and pages that wait, go the
 * library's own way. Templates take a quarter of the time.
 *
 * Same answers either way: src/theme/direct-rendering.spec.ts renders every form both ways.
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
    // liquidjs takes a plain value wherever it takes a generator.
    return (output as unknown as { buffer: ReturnType<typeof renderTemplates> }).buffer;
  };
}

/**
 * What `templates` say, as UTF-8, after {@link renderDirectly}. A page is sent as bytes, and turning it into them as it is written takes
 * half of what turning it at the end does.
 *
 * @param context one that renders at once
 * @param bytes how many it will be, about
 */
export function renderBytes(templates: readonly Template[], context: Context, bytes: number): Buffer {
  const emitter = new BytesEmitter(bytes);
  runSteps(stepsOf(templates), context, emitter);
  return emitter.end();
}

let isInstalled = false;
let stepsSinceLook = 0;
const renderer = Object.getPrototypeOf(new Liquid().renderer) as Render;
const { renderTemplates } = renderer;
const compiled = new WeakMap<readonly Template[], Steps>();

/** liquidjs does not export its class of texts between tags, nor that of `forloop`. */
const Text = new Liquid().parse('text')[0]!.constructor as { new (): TextTemplate; readonly prototype: TextTemplate };
const shortTexts = new WeakMap<TextTemplate, string>();
const ForLoop = classOfForLoop();

class HtmlEmitter {
  buffer = '';

  write(html: unknown): void {
    this.buffer += typeof html === 'string' ? html : textOf(html);
  }
}

/** A page as UTF-8. */
class BytesEmitter {
  private text = '';
  private bytes: Buffer;
  private used = 0;

  constructor(bytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(bytes);
  }

  write(html: unknown): void {
    if (html instanceof KeptDrawing && html.bytes.length >= BYTES_AT_ONCE) return this.append(html.bytes);
    this.text += typeof html === 'string' ? html : textOf(html);
    if (this.text.length >= CHARACTERS_AT_ONCE) this.flush();
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
    if (this.used + this.text.length * MOST_BYTES_A_CHARACTER > this.bytes.length) this.makeRoom(this.used + Buffer.byteLength(this.text));
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
  // A loop's body may be empty: its turns count too.
  look(context);
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

function look(context: Context): void {
  stepsSinceLook += 1;
  if (stepsSinceLook < STEPS_BETWEEN_LOOKS) return;
  stepsSinceLook = 0;
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
      look(context);
      emitter.write(value(context) as string);
    };
  }
  if (template instanceof AssignTag) return assignment(template);
  if (template instanceof IfTag || template instanceof UnlessTag) return choice(template);
  if (template instanceof CaseTag) return cases(template);
  if (template instanceof ForTag) return loop(template);
  return ownWay(template);
}

/** What a text between tags says; in files of a theme without its indentation, a fifth of a page, which no browser shows. */
function withoutIndentation(template: TextTemplate): string {
  let text = shortTexts.get(template);
  if (text === undefined) {
    const { file, input } = template.token;
    text = file === undefined || BLANKS_COUNT.test(input) ? template.str : template.str.replace(/\n[ \t]+/g, '\n');
    shortTexts.set(template, text);
  }
  return text;
}

function ownWay(template: Template): Step {
  return (context, emitter) => {
    look(context);
    const html = finished(template.render(context, emitter as Emitter));
    if (html) emitter.write(html as string);
  };
}

function assignment(tag: AssignTag): Step {
  const { key, value } = tag as unknown as { key: string; value: Value };
  const evaluate = evaluatorOf(value);
  return (context) => {
    look(context);
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

/** Values that stand in the template are looked up; what takes more than `===` goes the library's own way. */
function cases(tag: CaseTag): Step {
  const slow = ownWay(tag);
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

/** Lists from end to end; with a limit, an offset or in reverse, and over anything else, the library's own way. */
function loop(tag: ForTag): Step {
  const slow = ownWay(tag);
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
