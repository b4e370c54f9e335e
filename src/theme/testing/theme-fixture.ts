import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Clock } from '../../common/index.js';
import { CompressedFiles } from '../../http/index.js';
import type { CallContext } from '../../sdk/index.js';
import { OverrideRegistry } from '../override-registry.js';
import type { ScriptGrant } from '../scripts/index.js';
import { ThemeAssets } from '../theme-assets.js';
import { ThemeCatalogue } from '../theme-catalogue.js';
import { ThemeNotices } from '../theme-notices.js';
import type { ThemeOptions } from '../theme-options.js';
import { ThemeRenderer, type RenderContext } from '../theme-renderer.js';

/** A theme engine over a temporary folder of installed themes. */
export class ThemeFixture {
  readonly folder = mkdtempSync(join(tmpdir(), 'themes-'));
  readonly notices = new ThemeNotices(new Clock());
  readonly overrides = new OverrideRegistry();
  /** Script grants by theme name. */
  readonly grants = new Map<string, ScriptGrant[]>();
  readonly catalogue: ThemeCatalogue;
  readonly assets: ThemeAssets;
  readonly renderer: ThemeRenderer;

  /** The active theme of a side. */
  activeTheme: NonNullable<ThemeOptions['activeTheme']> = () => undefined;

  /** Declared inputs of operations; unknown if undefined. */
  inputOf: ThemeOptions['inputOf'];

  /** Whether a third-party plugin is running. */
  runsOthersPlugins = false;

  /** `bundledFolder` defaults to the product's `themes/`. */
  constructor(bundledFolder?: string, timezone = 'Asia/Shanghai') {
    const options: ThemeOptions = {
      installedFolder: this.folder,
      bundledFolder,
      timezone,
      activeTheme: (side, call) => this.activeTheme(side, call),
      inputOf: (side, operation) => (this.inputOf ? this.inputOf(side, operation) : null),
      runsOthersPlugins: () => this.runsOthersPlugins,
      scriptGrants: (theme) => this.grants.get(theme) ?? [],
    };
    this.catalogue = new ThemeCatalogue(options, this.notices);
    this.assets = new ThemeAssets(this.catalogue, new CompressedFiles(), options);
    this.renderer = new ThemeRenderer(this.catalogue, this.overrides, this.assets, this.notices, options);
  }

  /** Installs a theme from a map of files and activates it. */
  install(files: Record<string, string>, name = 'aurora'): void {
    for (const [path, content] of Object.entries({ 'theme.json': '{"title":"Aurora"}', ...files })) {
      mkdirSync(dirname(join(this.folder, name, path)), { recursive: true });
      writeFileSync(join(this.folder, name, path), content);
    }
    this.activeTheme = () => name;
  }

  /** Renders one template as view `home/page` of a new theme. */
  async page(template: string, vars: object = {}, context: Partial<RenderContext> = {}): Promise<string> {
    this.install({ 'home/page.liquid': template });
    this.catalogue.reloadAll();
    return this.html('home', 'page', vars, { ...REQUEST, ...context });
  }

  /** Returns a view as text. */
  async html(...asked: Parameters<ThemeRenderer['render']>): Promise<string> {
    return (await this.renderer.render(...asked)).toString();
  }

  /** Removes the temporary folder. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** English rendering without a request. */
export const REQUEST: RenderContext = { locale: 'en', nonce: 'test-nonce' };

/** A visitor's request, for overrides and widgets. */
export const CALL: CallContext = {
  scope: 'public',
  method: 'GET',
  path: '/',
  params: {},
  query: {},
  body: {},
  rawQuery: '',
  rawBody: Buffer.alloc(0),
  headers: {},
  cookies: {},
  files: [],
  ip: '127.0.0.1',
  baseUrl: 'http://127.0.0.1:3000',
  admin: null,
  user: null,
  plugin: 'core',
  locale: 'en',
  t: (key) => key,
  nonce: 'test-nonce',
};
