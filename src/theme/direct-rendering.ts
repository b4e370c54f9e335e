import { CaseTag, IfTag, isTruthy, Liquid, LiquidError, RenderError, toValueSync, UnlessTag } from 'liquidjs';
import type { Context, Emitter, Template, Token, Value } from 'liquidjs';

import { evaluateDirectly, isUnfinished, plain, read, UNKNOWN } from './direct-evaluation.js';

type Render = Liquid['renderer'];
interface Branch {
  readonly value: Value;
  readonly templates: Template[];
  /** Missing: whether the value is true. */
  readonly test?: typeof isTruthy;
}
type Conditional = (IfTag | UnlessTag) & { readonly liquid: Liquid };
type Rendered<T extends { render: (...args: never[]) => unknown }> = ReturnType<T['render']>;

/**
 * {@link evaluateDirectly}, and the same for what stands around values: texts, `if`, `unless` and `case` are rendered by plain calls on a
 * page that is rendered at once. What waits, and tags that are not named here, go the library's own way.
 *
 * Same answers either way: src/theme/direct-rendering.spec.ts renders every form both ways.
 */
export function renderDirectly(): void {
  if (isInstalled) return;
  isInstalled = true;
  evaluateDirectly();
  renderer.renderTemplates = function (templates, context, emitter) {
    if (!context.sync || !emitter || context.opts.catchAllErrors) return renderTemplates.call(this, templates, context, emitter);
    // A loop's body may be empty: its turns count too.
    context.renderLimit.check(performance.now());
    for (const template of templates) {
      if (template instanceof Text) {
        emitter.write(template.str);
        continue;
      }
      context.renderLimit.check(performance.now());
      try {
        const html = template.render(context, emitter) as unknown;
        const written = isUnfinished(html) ? (toValueSync(html as Generator<unknown, unknown, unknown>) as unknown) : html;
        if (written) emitter.write(written);
      } catch (error) {
        throw LiquidError.is(error) ? error : new RenderError(error as Error, template as never);
      }
      if (context.breakCalled || context.continueCalled) break;
    }
    return plain((emitter as Emitter & { buffer: unknown }).buffer);
  };
  IfTag.prototype.render = function (context, emitter) {
    return context.sync ? (renderBranch(this, context, emitter) as unknown as Rendered<IfTag>) : renderIf.call(this, context, emitter);
  };
  UnlessTag.prototype.render = function (context, emitter) {
    return context.sync
      ? (renderBranch(this, context, emitter) as unknown as Rendered<UnlessTag>)
      : renderUnless.call(this, context, emitter);
  };
  CaseTag.prototype.render = function (context, emitter) {
    const matching = context.sync ? matchesOf(this, context) : null;
    if (!matching) return renderCase.call(this, context, emitter);
    for (const templates of matching) toValueSync(this.liquid.renderer.renderTemplates(templates, context, emitter));
    return undefined as unknown as Rendered<CaseTag>;
  };
}

let isInstalled = false;
const renderer = Object.getPrototypeOf(new Liquid().renderer) as Render;
const { renderTemplates } = renderer;
const renderIf = IfTag.prototype.render;
const renderUnless = UnlessTag.prototype.render;
const renderCase = CaseTag.prototype.render;

/** liquidjs does not export its class of texts between tags. */
const Text = new Liquid().parse('text')[0]!.constructor as new () => Template & { readonly str: string };

function renderBranch(tag: Conditional, context: Context, emitter: Emitter): undefined {
  const found = (tag.branches as readonly Branch[]).find(({ value, test = isTruthy }) =>
    test(toValueSync(value.value(context, context.opts.lenientIf)), context),
  );
  toValueSync(tag.liquid.renderer.renderTemplates(found?.templates ?? tag.elseTemplates ?? [], context, emitter));
  return undefined;
}

/** The branches of a `case` over plain values that apply; null where comparing takes more than `===`. */
function matchesOf(tag: CaseTag, context: Context): Template[][] | null {
  const target: unknown = tag.value.value(context, context.opts.lenientIf);
  if (typeof target === 'object' && target !== null) return null;
  const matching: Template[][] = [];
  for (const { values, templates } of tag.branches as { values: Token[]; templates: Template[] }[]) {
    const compared = values.map((value) => read(value, context));
    if (compared.some((value) => value === UNKNOWN || typeof value === 'object')) return null;
    if (compared.some((value) => value === target)) matching.push(templates);
  }
  return matching.length > 0 ? matching : [tag.elseTemplates];
}
