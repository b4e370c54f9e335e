import { legacyTime, translate, type Locale } from '../common/index.js';
import type { PackageType } from '../packaging/index.js';
import { permissionWords } from '../plugin-registry/index.js';
import { API_VERSION } from '../sdk/index.js';

import type { ShownItem, ShownVersion } from './store-catalogue.js';
import type { StoreRatingWire } from './store-wire.js';

/** A version as its page shows it. */
export function versionView(version: ShownVersion, locale: Locale, timezone: string): Record<string, unknown> {
  const range = version.requires_svc;
  return {
    version: version.version,
    date: legacyTime(new Date(version.created_at), timezone).slice(0, 10),
    size: `${Math.max(1, Math.ceil(version.zip_size / 1024))} KB`,
    changelog: version.changelog,
    sha256: version.sha256,
    fits: version.fits,
    fits_text: translate(locale, fitsKey(version), { range, present: API_VERSION }),
    permissions: version.permissions.map((name) => permissionWords(name, locale)),
  };
}

/** A rating as the page of its item shows it. */
export function ratingView({ version, stars, text, username, reply, updated_at }: StoreRatingWire, timezone: string): object {
  return { version, stars, text, username, reply, date: legacyTime(new Date(updated_at), timezone).slice(0, 10) };
}

function fitsKey({ fits, requires_svc }: ShownVersion): string {
  if (!fits) return 'pluginStore.fits_not';
  return requires_svc === '' ? 'pluginStore.fits_any' : 'pluginStore.fits';
}

/**
 * What the button offers: the published version, where it runs here and is none there is; null where there is nothing to offer, as for
 * a theme of the name of one that comes with the panel.
 */
export function offered(
  type: PackageType,
  { item, state, installed }: ShownItem,
  versions: readonly ShownVersion[],
  locale: Locale,
): object | null {
  const version = versions.find((one) => one.version === item.version);
  if (!version?.fits || state === 'installed' || (type === 'theme' && state === 'other' && installed === '')) return null;
  const { asks, sha256 } = version;
  const powers = asks.map((name) => permissionWords(name, locale)).join(translate(locale, 'common.list_comma'));
  const deed = state === 'available' ? 'install' : 'upgrade';
  const key = type === 'theme' ? `pluginStore.confirm_theme_${deed}` : `pluginStore.confirm_${deed}${asks.length > 0 ? '_asks' : ''}`;
  const params = { name: item.name, version: version.version, installed, sha256, powers };
  return {
    version: version.version,
    question: translate(locale, key, params),
    fields: JSON.stringify({
      ...(type === 'theme' ? { name: item.slug } : { slug: item.slug, permissions: asks.join(',') }),
      ...{ version: version.version, sha256 },
    }),
  };
}
