import { translate, type Locale, type TextRef } from '../common/index.js';
import { addressOfPermission, isKnownPermission } from '../packaging/index.js';

/** The words of a permission the panel knows. */
export function permissionText(name: string): TextRef {
  const address = addressOfPermission(name);
  return address === null
    ? { key: `plugins.permission.${name}`, params: {} }
    : { key: 'plugins.permission.network_to', params: { address } };
}

/** A permission the panel asks for in its words, any other in the author's. */
export function permissionWords(name: string, locale: Locale): string {
  if (!isKnownPermission(name)) return name;
  const { key, params } = permissionText(name);
  return translate(locale, key, params);
}

/** Several permissions as one text. */
export function permissionList(names: readonly string[], locale: Locale): string {
  return names.map((name) => permissionWords(name, locale)).join(translate(locale, 'plugins.permissions_between'));
}
