import { translate, type Locale } from '../common/index.js';

import { KNOWN_PERMISSIONS } from './package/permissions.js';

/** A permission the panel asks for in its words, any other in the author's. */
export function permissionWords(name: string, locale: Locale): string {
  return KNOWN_PERMISSIONS.includes(name) ? translate(locale, `plugins.permission.${name}`) : name;
}
