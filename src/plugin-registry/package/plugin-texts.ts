import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { DEFAULT_LOCALE, LOCALES, addOwnerTexts, ownerTextsOf, type Locale, type Undo } from '../../common/index.js';

import type { PluginPackage } from './manifest.js';

type Texts = Readonly<Record<string, string>>;

/** The list reads text files of packages that do not run; larger files are ignored and the manifest's names are used. */
const MAX_LISTED_BYTES = 256 * 1024;

/**
 * Loads `lang/<locale>.json` of a plugin, if any, for `ctx.t()` while the plugin is active.
 *
 * @throws Error for a file that is not a flat JSON object of texts
 */
export function loadPluginTexts(plugin: PluginPackage): Undo {
  const texts: Partial<Record<Locale, Record<string, string>>> = {};
  for (const locale of LOCALES) {
    const found = readTexts(plugin.folder, locale);
    if (found) texts[locale] = found;
  }
  return addOwnerTexts(plugin.slug, texts);
}

/**
 * Returns a package's name and description in a language: its texts `plugin.name` and `plugin.description`, else those of the default
 * language, else the manifest's. It need not run.
 *
 * @param isRunning its texts are already loaded, so no file is read
 */
export function packageWords(
  { slug, folder, name, description }: PluginPackage,
  locale: Locale,
  isRunning = false,
): { name: string; description: string } {
  const [own, fallback] = [locale, DEFAULT_LOCALE].map((one): Texts =>
    isRunning ? (ownerTextsOf(slug)[one] ?? {}) : listedTexts(folder, one),
  );
  const of = (key: string): string | undefined => own![key]?.trim() || fallback![key]?.trim() || undefined;
  return { name: of('plugin.name')?.slice(0, 120) ?? name, description: of('plugin.description')?.slice(0, 2_000) ?? description };
}

/** Texts of an unverified package; empty if they cannot be read. */
function listedTexts(folder: string, locale: Locale): Texts {
  try {
    return readTexts(folder, locale, MAX_LISTED_BYTES) ?? {};
  } catch {
    return {};
  }
}

/** Null if the file is missing or larger than `most` bytes. */
function readTexts(folder: string, locale: Locale, maxBytes = Number.POSITIVE_INFINITY): Record<string, string> | null {
  const path = join(folder, 'lang', `${locale}.json`);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined || size > maxBytes) return null;
  const content: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  if (typeof content !== 'object' || content === null || Object.values(content).some((text) => typeof text !== 'string')) {
    throw new Error(`lang/${locale}.json must be a flat object of strings.`);
  }
  return content as Record<string, string>;
}
