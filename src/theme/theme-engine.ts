import { defaultOperators, filters, Liquid, type Context, type Template } from 'liquidjs';

import { errorMessage } from '../common/index.js';
import { registerThemeFilters, type FilterSources } from './filters.js';
import { limitNesting } from './nesting.js';
import { parseViewName, SHARED_FOLDER, type TemplatePath, type ViewName, type ViewSide } from './names.js';
import type { PlainData } from './plain-data.js';
import { ThemeContext, type RenderFrame } from './render-frame.js';
import { MAX_PAGE_BYTES, renderBytes, renderDirectly } from './direct-rendering.js';
import { registerThemeTags, type TagSources } from './tags.js';
import type { ThemePackage } from './theme-package.js';

const PARSE_LIMIT = 200_000;
const MEMORY_LIMIT = 2_000_000;
/** Maximum list length for a filter or `contains`, which processes a list in one step without checking the time limit. */
const MAX_LIST = 10_000;
const SOURCE_CACHE_SIZE = 100;
/** Initial buffer size of a view's first page. */
const FIRST_PAGE_BYTES = 32_768;
/** Spare buffer size relative to the last page of a view. */
const ROOM_TO_GROW_BYTES = 8_192;

/** Time limit for pages of third-party themes, in milliseconds; it is cooperative and blocks the process up to then. */
export const RENDER_LIMIT = 200;
/** Time limit of the default theme: it is reviewed code without a fallback, so a short stall of the machine must not break its pages. */
export const DEFAULT_THEME_RENDER_LIMIT = 10_000;

/** Dependencies of an engine. */
export interface EngineSources extends TagSources, FilterSources {
  /** Reports a file of `theme` that does not parse; the fallback's is used. */
  broken: (theme: string, path: TemplatePath, message: string) => void;
}

/**
 * How templates are rendered: `at-once` (synchronous), which costs a fraction, or `waiting` for plugins that override partials. An engine
 * must not mix both, because it would share its layout cache incorrectly.
 */
export type RenderMode = 'at-once' | 'waiting';

/**
 * Renders the templates of one theme, with the default theme's as fallback. Templates are parsed once; they run without
 * prototypes, file access, functions or raw output.
 */
export class ThemeEngine {
  private readonly liquid: Liquid;
  private readonly parsed = new Map<TemplatePath, Template[] | null>();
  private readonly partials = new Map<ViewSide, Map<string, Template[]>>();
  private readonly sourceCache = new Map<string, Template[]>();
  /** Expected page size of each view, in bytes. */
  private readonly sizes = new WeakMap<Template[], number>();

  constructor(
    readonly theme: ThemePackage,
    private readonly fallback: ThemePackage | null,
    private readonly sources: EngineSources,
    private readonly mode: RenderMode,
  ) {
    this.liquid = new Liquid({
      ownPropertyOnly: true,
      outputEscape: 'escape',
      strictFilters: true,
      relativeReference: false,
      parseLimit: PARSE_LIMIT,
      renderLimit: RENDER_LIMIT,
      memoryLimit: MEMORY_LIMIT,
      cache: true,
      operators: { ...defaultOperators, contains: containsInShort },
      fs: this.layoutFiles(),
    });
    registerListFilters(this.liquid);
    this.liquid.unregisterFilter('raw');
    // Partials are only available through `{% partial %}`, which applies overrides.
    for (const tag of ['include', 'render']) delete this.liquid.tags[tag];
    renderDirectly();
    limitNesting();
    registerThemeTags(this.liquid, sources);
    registerThemeFilters(this.liquid, sources, theme, fallback);
  }

  /**
   * Finds a view of a side: the theme's own, else the fallback's.
   *
   * @throws Error if the theme's does not parse and the fallback has none
   */
  findView(side: ViewSide, view: string): Template[] | null {
    return this.find(`${side}/${view}`);
  }

  /** Finds a partial: in the named folder, or in `side` and then in `shared`, in the theme before the fallback. */
  findPartial(side: ViewSide, value: string): Template[] | null {
    const known = this.partials.get(side)?.get(value);
    if (known) return known;
    const name = parseViewName(value);
    const found = name && this.readPartial(side, name);
    // Unknown names are not cached, because outsiders can send any number of them.
    if (found) this.partials.set(side, (this.partials.get(side) ?? new Map<string, Template[]>()).set(value, found));
    return found;
  }

  private readPartial(side: ViewSide, name: ViewName): Template[] | null {
    const folders = name.folder ? [name.folder] : ([side, SHARED_FOLDER] as const);
    const paths = folders.map((folder): TemplatePath => `${folder}/${name.name}`);
    const path =
      paths.find((candidate) => this.theme.templates.has(candidate)) ?? paths.find((candidate) => this.fallback?.templates.has(candidate));
    return path === undefined ? null : this.find(path);
  }

  /** Parses a template from outside the theme; the last hundred are cached. @throws Error if it does not parse */
  parseSource(source: string): Template[] {
    let templates = this.sourceCache.get(source);
    if (!templates) {
      templates = this.liquid.parse(source);
      this.sourceCache.set(source, templates);
      if (this.sourceCache.size > SOURCE_CACHE_SIZE) this.sourceCache.delete(this.sourceCache.keys().next().value!);
    }
    return templates;
  }

  /** Parses a template without caching. @throws Error if it does not parse */
  parseOnce(source: string): void {
    this.liquid.parse(source);
  }

  /** Parses every template of the theme and returns the defects. */
  check(): { path: TemplatePath; message: string }[] {
    const defects: { path: TemplatePath; message: string }[] = [];
    for (const [path, source] of this.theme.templates) {
      try {
        this.liquid.parse(source, path);
      } catch (error) {
        defects.push({ path, message: errorMessage(error) });
      }
    }
    return defects;
  }

  /** Renders parsed templates with `data`, which must be plain, as UTF-8. */
  async render(templates: Template[], data: PlainData, frame: RenderFrame): Promise<Buffer> {
    const sync = this.mode === 'at-once';
    const context = new ThemeContext(data, this.liquid, frame, sync);
    if (!sync) {
      const page = String(await this.liquid.render(templates, context));
      if (page.length > MAX_PAGE_BYTES) throw new Error('page size limit exceeded');
      return Buffer.from(page);
    }
    const page = renderBytes(templates, context, this.sizes.get(templates) ?? FIRST_PAGE_BYTES);
    this.sizes.set(templates, page.length + ROOM_TO_GROW_BYTES);
    return page;
  }

  private find(path: TemplatePath): Template[] | null {
    let templates = this.parsed.get(path);
    if (templates === undefined) {
      templates = this.parse(path);
      this.parsed.set(path, templates);
    }
    return templates;
  }

  private parse(path: TemplatePath): Template[] | null {
    const own = this.theme.templates.get(path);
    const other = this.fallback?.templates.get(path);
    if (own !== undefined) {
      try {
        return this.liquid.parse(own, path);
      } catch (error) {
        if (other === undefined) throw error;
        this.sources.broken(this.theme.info.name, path, errorMessage(error));
      }
    }
    return other === undefined ? null : this.liquid.parse(other, path);
  }

  /** Resolves `{% layout 'side/name' %}`, or `{% layout 'name' %}` for a shared one, from memory: the theme's, else the fallback's. */
  private layoutFiles(): NonNullable<ConstructorParameters<typeof Liquid>[0]>['fs'] {
    const pathOf = (value: string): TemplatePath | null => {
      const name = parseViewName(value);
      return name && `${name.folder ?? SHARED_FOLDER}/${name.name}`;
    };
    const sourceOf = (value: string): string | undefined => {
      const path = pathOf(value);
      return path === null ? undefined : (this.theme.templates.get(path) ?? this.fallback?.templates.get(path));
    };
    const exists = (file: string): boolean => sourceOf(file) !== undefined;
    const read = (file: string): string => sourceOf(file) ?? '';
    return {
      resolve: (_folder, file) => file,
      exists: async (file) => exists(file),
      readFile: async (file) => read(file),
      existsSync: exists,
      readFileSync: read,
    };
  }
}

/** Filters that process whole lists. */
const LIST_FILTERS = Object.keys(filters).filter((name) =>
  /^(?:sort|sort_natural|map|sum|compact|uniq|reverse|join|json|jsonify|inspect|array_to_sentence_string|(?:where|reject|group_by|has|find|find_index)(?:_exp)?)$/.test(
    name,
  ),
) as (keyof typeof filters)[];

/** Replaces the library's list filters by ones limited to {@link MAX_LIST} entries. */
function registerListFilters(liquid: Liquid): void {
  for (const name of LIST_FILTERS) {
    const filter = filters[name] as Filter | { readonly raw: boolean; readonly handler: Filter };
    const inner = typeof filter === 'function' ? filter : filter.handler;
    const handler: Filter = function (value, ...args) {
      requireShort(value);
      return inner.call(this, value, ...args);
    };
    liquid.registerFilter(name, typeof filter === 'function' ? handler : { ...filter, handler });
  }
}

type Filter = (this: unknown, value: unknown, ...args: unknown[]) => unknown;
type BinaryOperator = (list: unknown, entry: unknown, context: Context) => boolean;

const containsInShort: BinaryOperator = (list, entry, context) => {
  requireShort(list);
  return (defaultOperators.contains as BinaryOperator)(list, entry, context);
};

function requireShort(value: unknown): void {
  if (Array.isArray(value) && value.length > MAX_LIST) throw new Error(`list size limit of ${MAX_LIST} exceeded`);
}
