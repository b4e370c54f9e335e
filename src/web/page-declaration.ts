import type { CallContext, ListDeclaration, PageResult, PluginPageOptions, Scope } from '../sdk/index.js';

/** A group of the menu: all entries that name the same title stand under it. */
export interface MenuGroup {
  /** Text key. */
  readonly title: string;
  readonly icon: string;
  readonly order: number;
}

/** Menu entry of a page. */
export interface PageMenu {
  /** Name of an icon of @mdi/svg, `mdi-…`; entries of a group have none. */
  readonly icon?: string;
  /** Smaller ones first; plugins' entries stand at 50 where they say nothing. */
  readonly order: number;
  readonly under?: MenuGroup;
  /** No plugin can take it out of the menu; see {@link MenuRegistry.add}. */
  readonly lasting?: true;
  /** Of the user side: what an account must have for the entry to be there, see {@link MenuOffers}. */
  readonly offer?: string;
}

/** Declaration that pages of the panel, of plugins and of the store have in common. */
export interface PageBase {
  /** Behind the address of its side, such as `/admin/` or `/store/`; empty for the first page there. */
  readonly path: string;
  /** Text key of its title. */
  readonly title: string;
  /** View of the theme that shows it; the last part of the path where nothing is said. */
  readonly view?: string;
  /** Who is not signed in sees it too, such as the login page. */
  readonly open?: boolean;
  /** What whoever is signed in must be allowed to see it, all of it. */
  readonly needs?: readonly string[];
}

/** A page of the panel, of a feature or of a plugin (at `plugin.php`, with what names it). */
export interface PageDeclaration extends PageBase {
  readonly side: Scope;
  /**
   * What an administrator must be allowed to do to see it: names of operations, all of them; empty for every administrator. The operations
   * of its lists where nothing is said; `page.<path>`, which only a pattern with `*` allows, for a page without any.
   */
  readonly needs?: readonly string[];
  /** It is about the reader's own account alone: every administrator sees it, and who has yet to set up his second factor does too. */
  readonly own?: true;
  /**
   * It handles neither money nor passwords, in what it shows and in what is done from it: scripts of themes run there once they are
   * granted. On a page that does not say so they need a grant of their own.
   */
  readonly plain?: true;
  /** Origins or schemes its forms may post to besides this site. */
  readonly formTargets?: readonly string[];
  /** Without it the page is reached from others only. */
  readonly menu?: PageMenu;
  /** Lists of the page: the view sees them as `lists`, by their ids. */
  readonly lists?: readonly ListDeclaration[];
  /** Of a plugin: how it calls the page. */
  readonly name?: string;
  /** Of a plugin: what its view shows, a file of the plugin or a function that makes the HTML. */
  readonly content?: string | ((ctx: CallContext) => PageResult | Promise<PageResult>);
  /** Of a plugin: what its file sees of its own, see {@link PluginPageOptions}. */
  readonly data?: PluginPageOptions['data'];
}

/** How long the parts of a page may wait for servers, all in all, in milliseconds: then it is shown without, and says so. */
export const PAGE_PATIENCE_MS = 5_000;

/** Metadata key of {@link Page}. */
export const PAGE_METADATA = 'svc:page';

/** Thrown by a page to redirect its visitor to another address of this site. */
export class PageRedirect extends Error {
  constructor(readonly to: string) {
    super(to);
  }
}

/** There is nothing at this address of a page: it answers 404 inside the frame of its side. */
export class PageMissing extends Error {}

/** Permissions that a page of the admin side requires; see {@link PageDeclaration.needs}. */
export function needsOf({ needs, own, lists = [], path }: PageDeclaration): readonly string[] {
  if (needs || own) return needs ?? [];
  return lists.length > 0 ? lists.map(({ operation }) => operation) : [`page.${path}`];
}
