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

import { readerOf, type Evaluate } from './direct-evaluation.js';
import { isThemeSide, parseViewName, type ViewSide } from './names.js';
import { frameOf, themeContext, withoutNonce, type RenderFrame } from './render-frame.js';
import type { OverrideDecision } from './override-registry.js';

/** What the tags need from outside. */
export interface TagSources {
  /** Parsed templates of a partial. */
  partial: (side: ViewSide, name: string) => Template[] | null;
  /** The plugins' say about a partial. */
  override: (side: ViewSide, name: string, vars: () => object, frame: RenderFrame) => Promise<OverrideDecision> | null;
  /** A template asks for something that is not there; the page goes on without it. */
  missing: (side: ViewSide, what: string) => void;
  /** URL of an asset; null where there is none. */
  asset: (name: string) => string | null;
}

type Steps = Generator<unknown, void, unknown>;

/**
 * Registers `{% partial %}`, `{% slot %}` and `{% script %}`, a `{% capture %}` that keeps the nonce to itself and a `{% layout %}` that
 * ends.
 */
export function registerThemeTags(liquid: Liquid, sources: TagSources): void {
  /** `{% partial 'name', key: value %}`: renders a partial with everything in scope plus the given values. */
  class PartialTag extends Tag {
    private readonly file: ValueToken;
    private readonly values: Hash;
    private readonly readFile: Evaluate;
    private readonly readValues: readonly (readonly [name: string, read: Evaluate])[];

    constructor(token: TagToken, remaining: TopLevelToken[], engine: Liquid) {
      super(token, remaining, engine);
      this.file = requireValue(this.tokenizer.readValue(), 'partial', 'the name of a partial');
      this.values = new Hash(this.tokenizer);
      this.readFile = readerOf(this.file);
      this.readValues = Object.entries(this.values.hash).map(([name, value]) => [name, value ? readerOf(value) : () => true]);
    }

    override render(context: Context, emitter: Emitter): Steps | void {
      return context.sync ? this.renderAtOnce(context, emitter) : this.renderWaiting(context, emitter);
    }

    /** Nobody overrides a partial of such a page. */
    private renderAtOnce(context: Context, emitter: Emitter): void {
      const frame = frameOf(context);
      const name = this.readFile(context);
      const templates = typeof name === 'string' ? sources.partial(frame.side, name) : null;
      if (!templates) return sources.missing(frame.side, `partial ${JSON.stringify(name)}`);
      const values: Record<string, unknown> = {};
      for (const [key, read] of this.readValues) values[key] = read(context);
      const leave = themeContext(context).enterPartial(values);
      this.liquid.renderer.renderTemplates(templates, context, emitter);
      leave();
    }

    private *renderWaiting(context: Context, emitter: Emitter): Steps {
      const frame = frameOf(context);
      const name = yield evalToken(this.file, context);
      const parsed = parseViewName(name);
      if (!parsed) return sources.missing(frame.side, `partial ${JSON.stringify(name)}`);
      const values = (yield this.values.render(context)) as Record<string, unknown>;
      const side = parsed.folder !== null && isThemeSide(parsed.folder) ? parsed.folder : frame.side;
      const decision = (yield sources.override(side, parsed.name, () => ({ ...context.getAll(), ...values }), frame)) as OverrideDecision;
      if (typeof decision === 'string') return emitter.write(decision);
      const templates = sources.partial(frame.side, String(name));
      if (!templates && !decision) return sources.missing(frame.side, `partial "${String(name)}"`);
      if (decision) emitter.write(decision.before);
      if (templates) {
        const leave = themeContext(context).enterPartial(values);
        yield this.liquid.renderer.renderTemplates(templates, context, emitter);
        leave();
      }
      if (decision) emitter.write(decision.after);
    }
  }

  /** `{% slot value %}`: the HTML behind a value that the panel marked as trusted; nothing for any other value. */
  class SlotTag extends Tag {
    private readonly value: ValueToken;

    constructor(token: TagToken, remaining: TopLevelToken[], engine: Liquid) {
      super(token, remaining, engine);
      this.value = requireValue(this.tokenizer.readValue(), 'slot', 'a value');
    }

    override *render(context: Context, emitter: Emitter): Steps {
      const frame = frameOf(context);
      const value = yield evalToken(this.value, context);
      const trusted = typeof value === 'object' && value !== null ? frame.slots.get(value) : undefined;
      if (trusted) emitter.write(trusted.html);
      else if (value !== undefined && value !== null && value !== '') sources.missing(frame.side, 'trusted HTML for a slot');
    }
  }

  /** `{% script 'app.js' %}`: a script element of an asset with the page's nonce, which templates themselves never see. */
  class ScriptTag extends Tag {
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
  }

  /** As the library's, without the nonce of the page: a template could read it there, and put it on scripts of its own. */
  class NoncelessCaptureTag extends CaptureTag {
    override *render(context: Context): Steps {
      yield* super.render(context) as Steps;
      const scope = context.bottom() as Record<string, unknown>;
      scope[this.variable] = withoutNonce(String(scope[this.variable]), frameOf(context));
    }
  }

  /** As the library's, for at most so many inside each other: one that is its own layout would go on until the stack is used up. */
  class BoundedLayoutTag extends LayoutTag {
    override *render(context: Context, emitter: Emitter): Steps {
      const leave = themeContext(context).enterLayout();
      yield* super.render(context, emitter) as Steps;
      leave();
    }
  }

  liquid.registerTag('layout', BoundedLayoutTag);
  liquid.registerTag('capture', NoncelessCaptureTag);
  liquid.registerTag('partial', PartialTag);
  liquid.registerTag('slot', SlotTag);
  liquid.registerTag('script', ScriptTag);
}

function requireValue(value: ValueToken | undefined, tag: string, what: string): ValueToken {
  if (!value) throw new Error(`{% ${tag} %} needs ${what}.`);
  return value;
}
