/** Port: name, logos and copyright of the installation, shown on every page. Implemented by its settings. */
export abstract class SiteBrand {
  abstract readonly name: string;

  /** URLs of the images of the login pages, of the home page and above the menu; empty if not set. */
  abstract readonly logos: Readonly<Record<'login' | 'index' | 'head', string>>;

  /** URL of the site icon; empty: the theme's own. */
  abstract readonly icon: string;

  /** Footer of every page; may contain markup. */
  abstract readonly copyright: string;
}
