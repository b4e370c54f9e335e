import type { CallContext, ListDeclaration, PageResult, PluginPageOptions, Scope } from '../sdk/index.js';

/** A menu group: contains all entries that name the same title. */
export interface MenuGroup {
  /** Text key. */
  readonly title: string;
  readonly icon: string;
  readonly order: number;
}

/** Menu entry of a page. */
export interface PageMenu {
  /** Icon name of @mdi/svg, `mdi-…`; entries of a group have none. */
  readonly icon?: string;
  /** Position, ascending; plugins' entries default to 50. */
  readonly order: number;
  readonly under?: MenuGroup;
  /** Plugins cannot remove it from the menu; see {@link MenuRegistry.add}. */
  readonly lasting?: true;
  /** User side only: the feature an account needs to see the entry, see {@link MenuOffers}. */
  readonly offer?: string;
}

/** Declaration common to pages of the panel, of plugins and of the store. */
export interface PageBase {
  /** Path below its side, such as `/admin/` or `/store/`; empty for the side's first page. */
  readonly path: string;
  /** Text key of its title. */
  readonly title: string;
  /** View of the theme; default the last part of the path. */
  readonly view?: string;
  /** Accessible without sign-in, such as the login page. */
  readonly open?: boolean;
  /** Required permissions, all of them. */
  readonly needs?: readonly string[];
}

/** A page of the panel: of a feature or of a plugin (at `plugin.php`, with its identifying query). */
export interface PageDeclaration extends PageBase {
  readonly side: Scope;
  /**
   * Permissions an administrator needs: names of operations, all of them; empty allows every administrator. Defaults to the operations
   * of its lists, or for a page without lists to `page.<path>`, which only a pattern with `*` allows.
   */
  readonly needs?: readonly string[];
  /** Concerns only the reader's own account: accessible to every administrator, also before a required second factor is set up. */
  readonly own?: true;
  /**
   * Handles neither money nor passwords, in its content and its actions: scripts of themes run there once they are permitted.
   * Other pages require a separate permission.
   */
  readonly plain?: true;
  /** Origins or schemes its forms may post to besides this site. */
  readonly formTargets?: readonly string[];
  /** Without it the page is only linked from others. */
  readonly menu?: PageMenu;
  /** Lists of the page: available to the view as `lists`, by id. */
  readonly lists?: readonly ListDeclaration[];
  /** For a plugin: its name of the page. */
  readonly name?: string;
  /** For a plugin: the content of the view, a file of the plugin or a function that creates the HTML. */
  readonly content?: string | ((ctx: CallContext) => PageResult | Promise<PageResult>);
  /** For a plugin: variables of its file, see {@link PluginPageOptions}. */
  readonly data?: PluginPageOptions['data'];
}

/** Total time the parts of a page may wait for servers, in milliseconds; after that it is shown without them, with a notice. */
export const PAGE_PATIENCE_MS = 5_000;

/** Metadata key of {@link Page}. */
export const PAGE_METADATA = 'svc:page';

/** Thrown by a page to redirect to another URL of this site. */
export class PageRedirect extends Error {
  constructor(readonly to: string) {
    super(to);
  }
}

/** Thrown if nothing exists at this URL: responds with 404 inside the frame of its side. */
export class PageMissing extends Error {}

/** Permissions that a page of the admin side requires; see {@link PageDeclaration.needs}. */
export function needsOf({ needs, own, lists = [], path }: PageDeclaration): readonly string[] {
  if (needs || own) return needs ?? [];
  return lists.length > 0 ? lists.map(({ operation }) => operation) : [`page.${path}`];
}
