import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { errorMessage, LOCALES, PACKAGE_ROOT, type Locale } from '../common/index.js';
import type { DeclaredInput } from './form-field.js';
import { OWN_SIDE } from './names.js';
import { startRender } from './render-frame.js';
import { DEFAULT_THEME_RENDER_LIMIT, ThemeEngine } from './theme-engine.js';
import { BUILT_IN_THEME, readOwnTemplates, readPartials } from './theme-package.js';

/** Where the views of a service are, and what they may ask for. */
export interface OwnViewsOptions {
  /** Absolute. Views lie in it, partials and layouts in `shared` below it. */
  readonly folder: string;
  /** Name of the service, as its messages call it. */
  readonly name: string;
  /**
   * Partials of the default theme that the views show too, such as `list`; what they say are the theme's texts. A service's own
   * partial of the same name wins.
   */
  readonly partials?: readonly string[];
  /** Texts by key; the filter `t` looks here first. */
  readonly texts: Readonly<Record<Locale, Readonly<Record<string, string>>>>;
  /** What a form of its pages declares as its input: null for one that declares nothing, undefined where there is no such form. */
  readonly inputOf?: (form: string) => DeclaredInput | null | undefined;
  /** Address of a file of its pages; null where there is none. */
  readonly asset: (name: string) => string | null;
  /** IANA zone of the times people see. */
  readonly timezone: string;
}

/**
 * Views of a service that runs without a panel, in the language of themes: same tags and filters, and nobody overrides them. Each is
 * parsed when it is shown first; that all of them parse is the service's spec to say.
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
      throw new Error(`A view of the ${name} asks for ${what}, which is not there.`);
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
   * The HTML of a view. Besides `vars` it sees `view` and `locale`.
   *
   * @param vars copied as plain data; only values of `trustedHtml` can reach the page unescaped, through `{% slot %}`
   * @throws Error where there is no such view, it does not parse, or asks for what is not there
   */
  async render(view: string, vars: object, locale: Locale): Promise<string> {
    const templates = this.engine.findView(OWN_SIDE, view);
    if (!templates) throw new Error(`There is no view "${view}".`);
    const { data, frame } = startRender(vars, { side: OWN_SIDE, locale, nonce: '', call: undefined }, DEFAULT_THEME_RENDER_LIMIT);
    try {
      return (await this.engine.render(templates, { ...data, view, locale }, frame)).toString();
    } catch (error) {
      throw new Error(`The view "${view}" failed: ${errorMessage(error)}`, { cause: error });
    }
  }
}

/** The default theme as it is built into the program; the one in the package where nothing was built. */
const themeFolder = (): string => (existsSync(BUILT_IN_THEME) ? BUILT_IN_THEME : join(PACKAGE_ROOT, 'themes/default'));
