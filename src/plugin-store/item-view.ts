import { legacyTime, translate, type Locale } from '../common/index.js';
import { compareVersions, type PackageType } from '../packaging/index.js';
import { permissionList, permissionWords } from '../plugin-registry/index.js';
import { API_VERSION } from '../sdk/index.js';

import { UNSIGNED } from './author-keys.js';
import type { ShownItem, ShownVersion } from './store-catalogue.js';
import type { StoreRatingWire } from './store-wire.js';

/** View data of a version on its item's page. A beta has its own button. */
export function versionView(type: PackageType, shown: ShownItem, version: ShownVersion, locale: Locale, timezone: string): object {
  const range = version.requires_svc;
  return {
    version: version.version,
    is_beta: isBeta(version),
    offered: isBeta(version) ? offerOf(type, shown, version, locale) : null,
    date: legacyTime(new Date(version.created_at), timezone).slice(0, 10),
    size: `${Math.max(1, Math.ceil(version.zip_size / 1024))} KB`,
    changelog: version.changelog,
    sha256: version.sha256,
    fits: version.fits,
    fits_text: translate(locale, fitsKey(version), { range, present: API_VERSION }),
    permissions: version.permissions.map((name) => permissionWords(name, locale)),
    author_key: version.author_keys?.at(-1) ?? '',
  };
}

/** View data of a rating on its item's page. */
export function ratingView({ version, stars, text, username, reply, updated_at }: StoreRatingWire, timezone: string): object {
  return { version, stars, text, username, reply, date: legacyTime(new Date(updated_at), timezone).slice(0, 10) };
}

function fitsKey({ fits, requires_svc }: ShownVersion): string {
  if (!fits) return 'pluginStore.fits_not';
  return requires_svc === '' ? 'pluginStore.fits_any' : 'pluginStore.fits';
}

/** What an install or upgrade button does. */
export interface Offer {
  readonly version: string;
  /** Confirmation question. */
  readonly question: string;
  /** Fields to submit, as JSON. */
  readonly fields: string;
}

/** The offer of the page's main button: the published version, never a beta; null as in {@link offerOf}. */
export function offered(type: PackageType, shown: ShownItem, versions: readonly ShownVersion[], locale: Locale): Offer | null {
  const version = versions.find((one) => one.version === shown.item.version);
  return version ? offerOf(type, shown, version, locale) : null;
}

/**
 * The offer of a version's button if it is compatible and newer than the installed one; null if there is nothing to offer, for example for
 * a theme with the name of a bundled one.
 */
export function offerOf(type: PackageType, { item, state, installed }: ShownItem, version: ShownVersion, locale: Locale): Offer | null {
  if (!version.fits || (type === 'theme' && state === 'other' && installed === '')) return null;
  if (installed !== '' && compareVersions(version.version, installed) <= 0) return null;
  const { newPermissions, changedAuthor, sha256 } = version;
  const powers = permissionList(newPermissions, locale);
  const action = state === 'available' ? 'install' : 'upgrade';
  const key =
    type === 'theme' ? `pluginStore.confirm_theme_${action}` : `pluginStore.confirm_${action}${newPermissions.length > 0 ? '_asks' : ''}`;
  const params = { name: item.name, version: version.version, installed, sha256, powers };
  const permissionQuestion = translate(locale, key, params);
  const question =
    changedAuthor === ''
      ? permissionQuestion
      : translate(locale, authorKey(changedAuthor), { question: permissionQuestion, key: changedAuthor });
  return {
    version: version.version,
    question: isBeta(version) ? translate(locale, 'pluginStore.confirm_beta', { question }) : question,
    fields: JSON.stringify({
      ...(type === 'theme' ? { name: item.slug } : { slug: item.slug, permissions: newPermissions.join(',') }),
      ...{ version: version.version, sha256 },
      ...(changedAuthor === '' ? {} : { author: changedAuthor }),
    }),
  };
}

const authorKey = (asked: string): string =>
  asked === UNSIGNED ? 'pluginStore.confirm_author_gone' : 'pluginStore.confirm_author_changed';

/** Whether a version is only for those who opted in to betas. */
function isBeta({ channel }: ShownVersion): boolean {
  return channel === 'beta';
}
