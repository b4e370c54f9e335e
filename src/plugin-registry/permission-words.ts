import { translate, type Locale, type TextRef } from '../common/index.js';
import { addressOfPermission, isKnownPermission } from '../packaging/index.js';

/** Returns the text of a known permission. */
export function permissionText(name: string): TextRef {
  const address = addressOfPermission(name);
  return address === null
    ? { key: `plugins.permission.${name}`, params: {} }
    : { key: 'plugins.permission.network_to', params: { address } };
}

/** Describes a permission: a known one by the panel's text, any other by its name. */
export function permissionWords(name: string, locale: Locale): string {
  if (!isKnownPermission(name)) return name;
  const { key, params } = permissionText(name);
  return translate(locale, key, params);
}

/** Joins several permissions into one text. */
export function permissionList(names: readonly string[], locale: Locale): string {
  return names.map((name) => permissionWords(name, locale)).join(translate(locale, 'plugins.permissions_between'));
}
