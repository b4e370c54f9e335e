/** Port: name, logos and copyright of the installation, which every page shows. Its settings implement it. */
export abstract class SiteBrand {
  abstract readonly name: string;

  /** Addresses of the pictures of the login pages, of the home page and above the menu; empty where there is none. */
  abstract readonly logos: Readonly<Record<'login' | 'index' | 'head', string>>;

  /** Address of the icon of the site; empty: the theme's own. */
  abstract readonly icon: string;

  /** Text below every page; may hold markup. */
  abstract readonly copyright: string;
}
