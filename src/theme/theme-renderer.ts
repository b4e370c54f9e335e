import { Inject, Injectable } from '@nestjs/common';
import type { Template } from 'liquidjs';

import { currentOwner, errorMessage, executionContext, loggerFor, type Locale } from '../common/index.js';
import type { CallContext } from '../sdk/index.js';
import { ThemeError } from './errors.js';
import { themeText } from './filters.js';
import { isThemeSide, parseViewName, type TemplatePath, type ThemeSide, type ViewSide } from './names.js';
import { mergeWithParent } from './child-theme.js';
import { OverrideRegistry, type OverrideDecision } from './override-registry.js';
import { toPlainData, type PlainData } from './plain-data.js';
import { startRender, type RenderFrame } from './render-frame.js';
import { asksForSecret, grantedScripts, withScripts, type ScriptedPage } from './scripts/index.js';
import { SlowViews } from './slow-views.js';
import { settingsForView } from './settings/index.js';
import { ThemeAssets } from './theme-assets.js';
import { DEFAULT_THEME, ThemeCatalogue } from './theme-catalogue.js';
import { DEFAULT_THEME_RENDER_LIMIT, RENDER_LIMIT, ThemeEngine, type RenderMode } from './theme-engine.js';
import { ThemeNotices, type ThemeNotice } from './theme-notices.js';
import { THEME_OPTIONS, type ThemeOptions } from './theme-options.js';
import type { ThemePackage } from './theme-package.js';
import type { TrustedHtml } from './trusted-html.js';

const log = loggerFor('theme');

/** Reader and request of a page. */
export interface RenderContext {
  locale: Locale;
  /** Nonce of the response's content security policy. */
  nonce: string;
  /**
   * The request, for plugins' overrides; defaults to the current one of the execution context.
   * Without a request nothing is overridden.
   */
  call?: CallContext;
}

/** Renders the views of the panel: plugins' overrides, then the side's theme, then the default theme. */
@Injectable()
export class ThemeRenderer {
  private readonly engines: Readonly<Record<RenderMode, WeakMap<ThemePackage, ThemeEngine>>> = {
    'at-once': new WeakMap(),
    waiting: new WeakMap(),
  };
  private readonly slowViews = new SlowViews();

  constructor(
    private readonly catalogue: ThemeCatalogue,
    private readonly overrides: OverrideRegistry,
    private readonly assets: ThemeAssets,
    private readonly notices: ThemeNotices,
    @Inject(THEME_OPTIONS) private readonly options: ThemeOptions,
  ) {}

  /**
   * Renders the page of a view, as UTF-8. Besides `vars` a template sees `side`, `view` and `locale`.
   *
   * @param vars copied as plain data; only {@link TrustedHtml} values can reach the page unescaped, through `{% slot %}`
   * @throws ThemeError VIEW_NOT_FOUND, or VIEW_BROKEN if the default theme's view fails, too
   */
  async render(side: ThemeSide, view: string, vars: object, context: RenderContext): Promise<Buffer> {
    const name = parseViewName(view);
    if (!name || (name.folder !== null && name.folder !== side))
      throw new ThemeError('VIEW_NOT_FOUND', { view: `${side}/${String(view).slice(0, 80)}` });
    const call = context.call ?? executionContext.getStore()?.call;
    const decision = await this.pageOverride(side, name.name, vars, call);
    if (typeof decision === 'string') return Buffer.from(decision);
    const page = await this.renderView(side, name.name, vars, { ...context, call }, decision !== null);
    return decision ? Buffer.from(wrapPage(page.toString(), decision)) : page;
  }

  /**
   * Adds the permitted scripts of its theme to a page of `side`.
   *
   * @param plain whether its record declares that it handles neither money nor passwords; a page overridden by a plugin, or that asks for
   *  secrets anyway, is not plain
   */
  scripted(html: Buffer, { side, view, plain, call }: { side: ThemeSide; view: string; plain: boolean; call: CallContext }): ScriptedPage {
    const theme = this.catalogue.active(side, call);
    const grants = theme && theme.scripts.length > 0 ? this.options.scriptGrants?.(theme.info.name) : undefined;
    if (!theme || !grants || grants.length === 0) return { html, digests: [] };
    const isPlain = plain && !this.overrides.has('page', side, view) && !asksForSecret(html);
    return withScripts(html, grantedScripts(theme.scripts, grants, { side, plain: isPlain }));
  }

  /**
   * Renders a template from outside a theme, such as a plugin's page file, as HTML. It sees the theme's partials, texts
   * and filters.
   *
   * @throws Error if it does not parse, or exceeds the time limit
   */
  async renderSource(side: ThemeSide, source: string, vars: object, context: RenderContext): Promise<string> {
    const theme = this.catalogue.active(side, context.call) ?? this.catalogue.package(DEFAULT_THEME);
    if (!theme) throw new ThemeError('VIEW_NOT_FOUND', { view: side });
    const engine = this.engineOf(theme);
    return (await this.renderTemplates(engine, engine.parseSource(source), { side }, vars, context)).toString();
  }

  /** Returns a function that translates text keys like the templates of a side: the theme's texts first, then the panel's. */
  translator(side: ThemeSide, locale: Locale): (key: string, params?: Record<string, string | number>) => string {
    const fallback = this.catalogue.package(DEFAULT_THEME);
    const themes = [this.catalogue.active(side, executionContext.getStore()?.call), fallback].filter(
      (theme) => theme !== null && theme !== undefined,
    );
    // Captured now, because the function may be called later, outside of the owner's context.
    const owner = currentOwner();
    return (key, params = {}) => themeText(themes, owner, locale, key, params);
  }

  /** Returns a function that translates keys of one theme; unknown keys are returned unchanged. */
  wordsOf(theme: string, locale: Locale): (key: string) => string {
    const found = this.catalogue.package(theme);
    return (key) => (found ? themeText([found], currentOwner(), locale, key, {}) : key);
  }

  /** Returns the theme defects that were worked around, newest first. */
  themeNotices(): ThemeNotice[] {
    return this.notices.list();
  }

  /** Parses every template of `theme`, so that an installer can reject or warn before the theme is used. */
  check(theme: string): { path: TemplatePath; message: string }[] {
    const found = this.catalogue.package(theme);
    if (!found) throw new ThemeError('THEME_NOT_FOUND', { name: theme });
    return this.engineOf(found).check();
  }

  private async pageOverride(side: ThemeSide, view: string, vars: object, call: CallContext | undefined): Promise<OverrideDecision> {
    if (!call || !this.overrides.has('page', side, view)) return null;
    return this.overrides.decide('page', side, view, () => toPlainData(vars, ({ html }) => html), call);
  }

  private async renderView(side: ThemeSide, view: string, vars: object, context: RenderContext, optional: boolean): Promise<Buffer> {
    const active = this.catalogue.active(side, context.call);
    const fallback = this.catalogue.package(DEFAULT_THEME);
    // A child theme's parents are tried next.
    for (let theme = active === fallback ? undefined : active; theme; theme = theme.parent) {
      const path = `${side}/${view}` as const;
      if (this.slowViews.isDisabled(theme, path)) continue;
      try {
        const page = await this.renderWith(this.engineOf(theme), side, view, vars, context);
        this.slowViews.rendered(theme, path);
        if (page !== null) return page;
      } catch (error) {
        this.slowViews.failed(theme, path, error);
        this.notices.record(theme.info.name, path, errorMessage(error));
      }
    }
    try {
      const page = fallback ? await this.renderWith(this.engineOf(fallback), side, view, vars, context) : null;
      if (page !== null) return page;
    } catch (error) {
      log.error({ err: error, view: `${side}/${view}` }, 'view of the default theme failed');
      throw new ThemeError('VIEW_BROKEN', { view: `${side}/${view}` }, undefined, { cause: error });
    }
    if (optional) return Buffer.alloc(0);
    throw new ThemeError('VIEW_NOT_FOUND', { view: `${side}/${view}` });
  }

  private async renderWith(
    engine: ThemeEngine,
    side: ThemeSide,
    view: string,
    vars: object,
    context: RenderContext,
  ): Promise<Buffer | null> {
    const templates = engine.findView(side, view);
    return templates && this.renderTemplates(engine, templates, { side, view }, vars, context);
  }

  private async renderTemplates(
    engine: ThemeEngine,
    templates: Template[],
    place: { side: ThemeSide; view?: string },
    vars: object,
    context: RenderContext,
  ): Promise<Buffer> {
    const { locale, nonce, call } = context;
    const limit = engine.theme.info.name === DEFAULT_THEME ? DEFAULT_THEME_RENDER_LIMIT : RENDER_LIMIT;
    const theme_settings = await this.settingsOf(engine.theme, context);
    const { data, frame } = startRender(vars, { side: place.side, locale, nonce, call }, limit, { theme_settings });
    return engine.render(templates, Object.assign(data, place, { locale }), frame);
  }

  /** Returns the template variables of a theme's settings. */
  private async settingsOf({ info: { name }, settings, ...theme }: ThemePackage, { locale, call }: RenderContext): Promise<object> {
    if (settings.length === 0) return {};
    const values = (await this.options.settings?.(name, call)) ?? {};
    const words = (key: string): string => themeText([theme], currentOwner(), locale, key, {});
    return settingsForView(settings, values, { locale, words, pictures: this.options.settingPicture ?? (() => '') });
  }

  private engineOf(theme: ThemePackage): ThemeEngine {
    const mode = this.overrides.hasPartials() ? 'waiting' : 'at-once';
    const engines = this.engines[mode];
    let engine = engines.get(theme);
    if (!engine) {
      engine = this.createEngine(theme, mode);
      engines.set(theme, engine);
    }
    return engine;
  }

  private createEngine(theme: ThemePackage, mode: RenderMode): ThemeEngine {
    const last = theme.info.name === DEFAULT_THEME ? null : this.catalogue.package(DEFAULT_THEME);
    const fallback = theme.parent && last ? mergeWithParent(theme.parent, last) : last;
    const engine: ThemeEngine = new ThemeEngine(
      theme,
      fallback,
      {
        timezone: this.options.timezone,
        mayUse: this.options.mayUse,
        inputOf: this.options.inputOf,
        asset: (name) => this.assets.urlOf(name, theme),
        partial: (side, name) => engine.findPartial(side, name),
        override: (side, name, vars, frame) => (mode === 'at-once' ? null : this.partialOverride(side, name, vars, frame)),
        missing: (side, what) => log.warn({ theme: theme.info.name, side, what }, 'a template refers to something missing'),
        broken: (name, path, message) => this.notices.record(name, path, message),
      },
      mode,
    );
    return engine;
  }

  private partialOverride(side: ViewSide, name: string, vars: () => object, frame: RenderFrame): Promise<OverrideDecision> | null {
    const { call } = frame;
    if (!call || !isThemeSide(side) || !this.overrides.has('partial', side, name)) return null;
    const plain = (): PlainData => toPlainData(resolveSlots(vars(), frame.slots), ({ html }) => html);
    return frame.budget.pausedDuring(() => this.overrides.decide('partial', side, name, plain, call));
  }
}

/** Replaces the references in a template's data by their trusted HTML. */
function resolveSlots(value: object, slots: Map<object, TrustedHtml>, depth = 0): object {
  const entry = (item: unknown): unknown =>
    typeof item !== 'object' || item === null || depth > 12 ? item : (slots.get(item) ?? resolveSlots(item, slots, depth + 1));
  if (Array.isArray(value)) return value.map(entry);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, entry(item)]));
}

/** Puts `before` and `after` inside the body of a complete document, so that it stays valid; around anything else. */
function wrapPage(html: string, { before, after }: { before: string; after: string }): string {
  const open = /<body[^>]*>/i.exec(html);
  const close = html.toLowerCase().lastIndexOf('</body>');
  if (!open || close < open.index) return before + html + after;
  const start = open.index + open[0].length;
  return html.slice(0, start) + before + html.slice(start, close) + after + html.slice(close);
}
