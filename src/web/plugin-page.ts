import { ANY_HTTPS_SITE } from '../http/index.js';
import { PLUGIN_PERMISSION } from '../operations/index.js';
import type { ListDeclaration, Scope } from '../sdk/index.js';
import { PAGE_NAME, pageUrl, requireScope, requireTitle } from '../theme/index.js';

import { requireLists } from './lists/index.js';
import type { PageDeclaration } from './page-declaration.js';

/** A page registered by a plugin; see `svc_register_page`. */
export interface PluginPageRecord {
  readonly scope: Scope;
  /** `[a-zA-Z0-9_-]{1,64}`. */
  readonly page: string;
  readonly title: string;
  readonly file: NonNullable<PageDeclaration['content']>;
  readonly lists?: readonly ListDeclaration[];
  readonly data?: PageDeclaration['data'];
}

/**
 * Returns the declaration of a plugin's page: at `plugin.php`, in the view for plugin content, for administrators who may use the plugin.
 *
 * @throws Error naming the plugin and the violated rule
 */
export function pluginPage({ scope, page, title, file, lists = [], data }: PluginPageRecord, slug: string): PageDeclaration {
  requireScope(scope, slug);
  requireTitle(title, 'a page', slug);
  if (typeof page !== 'string' || !PAGE_NAME.test(page)) {
    throw new Error(`${slug}: the name of a page must be 1 to 64 of A-Z a-z 0-9 _ -, not ${JSON.stringify(page)}.`);
  }
  if (typeof file !== 'function' && (typeof file !== 'string' || file === '')) {
    throw new Error(`${slug}: page "${page}" needs a file or a function.`);
  }
  if (typeof file === 'function' && lists.length > 0) {
    throw new Error(`${slug}: page "${page}": lists need a .liquid file, not a function.`);
  }
  if (data !== undefined && (typeof file === 'function' || !file.endsWith('.liquid'))) {
    throw new Error(`${slug}: page "${page}": data needs a .liquid file that shows it.`);
  }
  requireLists(lists, `${slug}: page "${page}"`);
  const path = pageUrl(scope, slug, page).slice(`/${scope}/`.length);
  const needs = [PLUGIN_PERMISSION + slug];
  return { side: scope, path, name: page, view: 'plugin', title, needs, lists, content: file, data, formTargets: ANY_HTTPS_SITE };
}
