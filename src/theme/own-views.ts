import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { errorMessage, LOCALES, PACKAGE_ROOT, type Locale } from '../common/index.js';
import type { DeclaredInput } from './form-field.js';
import { OWN_SIDE } from './names.js';
import { startRender } from './render-frame.js';
import { DEFAULT_THEME_RENDER_LIMIT, ThemeEngine } from './theme-engine.js';
import { BUILT_IN_THEME, readOwnTemplates, readPartials } from './theme-package.js';

/** Location and dependencies of a service's views. */
export interface OwnViewsOptions {
  /** Absolute path. Contains the views; partials and layouts are in `shared` below it. */
  readonly folder: string;
  /** Name of the service, for messages. */
  readonly name: string;
  /**
   * Partials of the default theme that the views use, such as `list`, with the theme's texts. A service's own
   * partial of the same name takes precedence.
   */
  readonly partials?: readonly string[];
  /** Texts by key; preferred by the filter `t`. */
  readonly texts: Readonly<Record<Locale, Readonly<Record<string, string>>>>;
  /** Returns the declared input of a form: null if it declares none, undefined if the form does not exist. */
  readonly inputOf?: (form: string) => DeclaredInput | null | undefined;
  /** Returns the URL of an asset; null if it does not exist. */
  readonly asset: (name: string) => string | null;
  /** IANA time zone of displayed times. */
  readonly timezone: string;
}

/**
 * Views of a service that runs without a panel, in the template language of themes, without overrides. Each is
 * parsed when it is first shown; the service's spec checks that all of them parse.
 *
 * @example
 * ```ts
 * const views = new OwnViews({ folder, name: 'store', texts, asset: (name) => files.base + name, timezone: 'Asia/Shanghai' });
 * await views.render('browse', { items }, 'en');
 * ```
 */
export class OwnViews {
  private readonly engine: ThemeEngine;

  constructor({ folder, name, partials = [], texts, inputOf, asset, timezone }: OwnViewsOptions) {
    const missing = (what: string): never => {
      throw new Error(`A view of the ${name} uses ${what}, which does not exist.`);
    };
    this.engine = new ThemeEngine(
      {
        info: { name, title: name, version: '', description: '', author: '', parent: '', scope: [], sides: [] },
        settings: [],
        scripts: [],
        templates: readOwnTemplates(folder),
        texts: Object.fromEntries(LOCALES.map((locale) => [locale, new Map(Object.entries(texts[locale]))])) as unknown as Record<
          Locale,
          ReadonlyMap<string, string>
        >,
        assets: new Map(),
        problems: [],
      },
      partials.length > 0 ? readPartials(themeFolder(), partials) : null,
      {
        timezone,
        asset: (file) => asset(file) ?? missing(`the file "${file}"`),
        partial: (side, partial) => this.engine.findPartial(side, partial),
        override: () => null,
        inputOf: inputOf && ((_side, form) => inputOf(form)),
        missing: (_side, what) => missing(what),
        broken: (_theme, path, message) => missing(`${path} (${message})`),
      },
      'at-once',
    );
  }

  /**
   * Renders a view as HTML. Besides `vars` it sees `view` and `locale`.
   *
   * @param vars copied as plain data; only values of `trustedHtml` can reach the page unescaped, through `{% slot %}`
   * @throws Error if the view does not exist, does not parse, or refers to something missing
   */
  async render(view: string, vars: object, locale: Locale): Promise<string> {
    const templates = this.engine.findView(OWN_SIDE, view);
    if (!templates) throw new Error(`The view "${view}" does not exist.`);
    const { data, frame } = startRender(vars, { side: OWN_SIDE, locale, nonce: '', call: undefined }, DEFAULT_THEME_RENDER_LIMIT);
    try {
      return (await this.engine.render(templates, { ...data, view, locale }, frame)).toString();
    } catch (error) {
      throw new Error(`The view "${view}" failed: ${errorMessage(error)}`, { cause: error });
    }
  }
}

/** The default theme inside the built program; without a build, the one in the package. */
const themeFolder = (): string => (existsSync(BUILT_IN_THEME) ? BUILT_IN_THEME : join(PACKAGE_ROOT, 'themes/default'));
