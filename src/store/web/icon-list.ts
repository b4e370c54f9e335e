import { iconPath } from '../../theme/index.js';

/** Icons of the pages, from Material Design Icons. */
export const ICONS = [
  'account-circle-outline',
  'alert-octagon-outline',
  'alert-outline',
  'check',
  'close',
  'content-copy',
  'download-outline',
  'file-document-outline',
  'flag-outline',
  'information-outline',
  'link-variant',
  'magnify',
  'palette-outline',
  'plus',
  'puzzle-outline',
  'refresh',
  'shield-check-outline',
  'store-outline',
  'translate',
  'trash-can-outline',
  'tray-arrow-up',
  'weather-night',
  'weather-sunny',
] as const;

/** The module `lib/icons.js`: outlines by name. */
export function iconsModule(): string {
  const paths = Object.fromEntries(ICONS.map((name) => [name, iconPath(`mdi-${name}`)]));
  return `/** @type {Record<string, string>} */\nexport const icons = ${JSON.stringify(paths)};\n`;
}
